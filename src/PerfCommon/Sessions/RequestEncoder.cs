using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Makes the requests of a consumer's items, each once, in the order of its list.</summary>
/// <param name="options">Items, and how they are asked for.</param>
/// <param name="directory">Knows the service.</param>
internal struct RequestEncoder(ConsumerSessionOptions options, DirectoryConsumer directory) : IMessageEncoder
{
    private readonly int _count = options.ItemCount;

    /// <summary>Items requested so far.</summary>
    public int Requested { get; private set; }

    /// <summary>True while items are left.</summary>
    public readonly bool IsUnfinished => Requested < _count;

    /// <inheritdoc/>
    public readonly bool HasTargets => IsUnfinished && directory.IsReady; // a service that went down pauses the requests

    /// <inheritdoc/>
    public readonly int MaxBytes => MarketPriceHeaders.MaxRequestBytes(ItemList.MaxNameBytes);

    /// <inheritdoc/>
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
