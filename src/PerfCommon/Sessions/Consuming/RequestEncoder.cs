using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>Encodes the requests for a consumer's items, each once, in the order of its list.</summary>
/// <param name="options">The items and the kind of request.</param>
/// <param name="directory">The service; while it is down, nothing is requested.</param>
/// <param name="primes">True requests refreshes only, on the streams after those of the items: no stream id is ever reused.</param>
/// <param name="takesViews">True when the provider supports views.</param>
/// <param name="batchNameBytes">Bytes of all their names if one batch is to request all; null for separate requests.</param>
internal struct RequestEncoder(
    ConsumerSessionOptions options, DirectoryConsumer directory, bool takesViews, bool primes = false, int? batchNameBytes = null)
    : IMessageEncoder
{
    private readonly int _count = options.ItemCount;
    private readonly WatchedItems? _watched = primes ? null : options.Watched;

    // wire/domains 16
    private readonly int _firstStream = StreamIds.FirstItem + (primes ? options.ItemCount : 0);

    public int Requested { get; private set; }

    public readonly bool IsUnfinished => _watched?.HasRequests ?? Requested < _count;

    public readonly bool HasTargets => IsUnfinished && directory.IsReady; // requests pause while the service is down

    public readonly int MaxBytes => batchNameBytes is { } bytes
        ? BatchRequest.MaxBytes(bytes, _count, View)
        : MarketPriceConsumer.MaxRequestBytes(ItemList.MaxNameBytes, View) + (_watched?.Handles.MaxViewBytes ?? 0);

    private readonly FieldView? View => takesViews ? options.View : null;

    public int Encode(Span<byte> room, long stamp)
    {
        if (batchNameBytes is not null)
            return EncodeAll(room);
        int bytes = _watched is null ? EncodeOfList(room, Requested) : EncodeWatched(room, _watched, _watched.DequeueNext());
        Requested++;
        return bytes;
    }

    private int EncodeAll(Span<byte> room)
    {
        RwfWriter writer = new(room);
        ItemFlags flags = options.Items.FlagsOf(options.ListIndexOf(0));
        BatchRequest.Begin(ref writer, StreamIds.Batch, directory.Service!, options.Streams(flags), IsPrivate(flags), View);
        while (Requested < _count)
            writer.WriteItem(options.Items.NameOf(options.ListIndexOf(Requested++)));
        return BatchRequest.End(ref writer);
    }

    private readonly int EncodeOfList(Span<byte> room, int number)
    {
        int index = options.ListIndexOf(number);
        ItemFlags flags = options.Items.FlagsOf(index);
        bool streams = !primes && options.Streams(flags);
        return MarketPriceConsumer.EncodeRequest(
            room, _firstStream + number, directory.Service!, options.Items.NameOf(index), streams, isPrivate: IsPrivate(flags),
            domain: ItemDomain.Of(flags), view: View);
    }

    private readonly int EncodeWatched(Span<byte> room, WatchedItems watched, int item)
    {
        ItemFlags flags = watched.Handles.FlagsOf(item);
        return MarketPriceConsumer.EncodeRequest(
            room, watched.StreamIdOf(item), directory.Service!, watched.Handles.NameOfItem(item), options.Streams(flags),
            isPrivate: IsPrivate(flags), domain: watched.Handles.DomainOf(item), view: takesViews ? watched.Handles.ViewOf(item) : null);
    }

    private static bool IsPrivate(ItemFlags flags) => (flags & ItemFlags.PrivateStream) != 0;
}
