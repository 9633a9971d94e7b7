using HubPerf.Cache;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace HubPerf.Delivery;

/// <summary>
/// The updates that wait for a slow reader: of each item the last value of each field, encoded when the reader takes them, the longest
/// waiting first.
/// </summary>
/// <remarks>One owner thread. As much memory as the fields of the items take, however long the reader sleeps.</remarks>
internal sealed class ConflatedUpdates(LayoutTable layouts)
{
    private readonly Dictionary<int, Waiting> _byStream = [];
    private readonly Queue<int> _order = new(); // ids of streams that were taken out may still be among them

    /// <summary>Items that wait.</summary>
    public int Count => _byStream.Count;

    /// <summary>Adds an update.</summary>
    /// <param name="streamId">Its stream.</param>
    /// <param name="message">The update.</param>
    /// <param name="isMerged">True when it went into one that waits.</param>
    /// <returns>False when it has no field list, or is one of market by order.</returns>
    public bool TryAdd(int streamId, ReadOnlySpan<byte> message, out bool isMerged)
    {
        isMerged = false;
        if (RwfMsg.TryDecode(message, out RwfMsg update) != DecodeResult.Success || update.DomainType != DomainType.MarketPrice
            || update.ContainerType != DataType.FieldList)
        {
            return false;
        }

        isMerged = _byStream.TryGetValue(streamId, out Waiting? waiting);
        if (waiting is null)
        {
            _byStream.Add(streamId, waiting = new Waiting());
            _order.Enqueue(streamId);
        }

        waiting.Type = update.UpdateType;
        return waiting.Fields.Merge(update.Payload, layouts);
    }

    /// <summary>True when an update of this stream waits.</summary>
    public bool Has(int streamId) => _byStream.ContainsKey(streamId);

    /// <summary>The stream that waits longest.</summary>
    public bool TryPeek(out int streamId)
    {
        while (_order.TryPeek(out streamId))
        {
            if (_byStream.ContainsKey(streamId))
                return true;
            _order.Dequeue();
        }

        return false;
    }

    /// <summary>Most bytes of the update that waits for a stream.</summary>
    public int MaxBytesOf(int streamId) => MarketPriceHeaders.UpdateHeaderBytes + _byStream[streamId].Fields.MaxEncodedBytes;

    /// <summary>Encodes the update that waits for a stream and takes it out.</summary>
    /// <param name="streamId">The stream.</param>
    /// <param name="room">At least <see cref="MaxBytesOf"/>.</param>
    /// <returns>Its bytes.</returns>
    public int Take(int streamId, Span<byte> room)
    {
        _byStream.Remove(streamId, out Waiting? waiting);
        UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, waiting!.Type);
        return UpdateHeader.Length + waiting.Fields.Encode(room[UpdateHeader.Length..]);
    }

    /// <summary>Forgets what waits for a stream.</summary>
    /// <returns>True when something did.</returns>
    public bool Remove(int streamId) => _byStream.Remove(streamId);

    private sealed class Waiting
    {
        public CachedFields Fields;

        public UpdateType Type { get; set; }
    }
}
