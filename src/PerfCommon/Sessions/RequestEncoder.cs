using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Makes the requests of a consumer's items, each once, in the order of its list.</summary>
internal struct RequestEncoder(ConsumerSessionOptions options, DirectoryConsumer directory) : IMessageEncoder
{
    private readonly int _count = options.ItemCount;

    public int Requested { get; private set; }

    public readonly bool IsUnfinished => Requested < _count;

    public readonly bool HasTargets => IsUnfinished && directory.IsReady; // a service that went down pauses the requests

    public readonly int MaxBytes => MarketPriceHeaders.MaxRequestBytes(ItemList.MaxNameBytes);

    public int Encode(Span<byte> room, long stamp)
    {
        int item = options.ListIndexOf(Requested);
        bool streams = !options.Snapshot && (options.Items.FlagsOf(item) & ItemFlags.Snapshot) == 0;
        int bytes = MarketPriceConsumer.EncodeRequest(
            room, StreamIds.FirstItem + Requested, directory.Service!, options.Items.NameOf(item), streams);
        Requested++;
        return bytes;
    }
}
