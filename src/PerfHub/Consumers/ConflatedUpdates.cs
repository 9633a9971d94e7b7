using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.Cache;

namespace PerfHub.Consumers;

/// <summary>
/// The updates that wait for a slow consumer: the last value of each field of each item, encoded when the consumer can receive them, the longest
/// waiting item first.
/// </summary>
/// <remarks>One owner thread. Its memory is bounded, however long the consumer reads nothing.</remarks>
/// <param name="limit">The maximum number of fields per update.</param>
/// <param name="maxBytes">Maximum bytes of all updates; beyond it an item is better served by its image.</param>
internal sealed class ConflatedUpdates(FieldLimit limit, int maxBytes)
{
    private const int OverheadBytes = 128; // approximate bytes of one item, in addition to its fields
    private const int MinStale = 64;

    private readonly Dictionary<int, Waiting> _byStream = [];
    private readonly Queue<int> _order = new(); // may still contain ids of removed streams

    /// <summary>Number of waiting items.</summary>
    public int Count => _byStream.Count;

    /// <summary>Approximate bytes in memory.</summary>
    public int HeldBytes { get; private set; }

    /// <summary>Adds an update.</summary>
    /// <param name="streamId">Its stream.</param>
    /// <param name="message">The update.</param>
    /// <param name="hadWaited">True when an update of the stream already waited.</param>
    /// <returns>The outcome; when the limit is reached, the waiting update of the stream is discarded, too.</returns>
    public Conflation Add(int streamId, ReadOnlySpan<byte> message, out bool hadWaited)
    {
        hadWaited = false;
        if (RwfMsg.TryDecode(message, out RwfMsg update) != DecodeResult.Success || update.DomainType != DomainType.MarketPrice
            || update.ContainerType != DataType.FieldList)
        {
            return Conflation.NotMergeable;
        }

        if (update.Has(UpdateFlags.HasPostUserInfo))
        {
            hadWaited = Remove(streamId);
            return Conflation.NoRoom; // merged, a reflected post would seem to be the post of any consumer
        }

        hadWaited = _byStream.TryGetValue(streamId, out Waiting? waiting);
        if (waiting is null)
            Enter(streamId, waiting = new Waiting());
        waiting.Type = update.UpdateType;
        (long dropped, int held) = (limit.Dropped, waiting.Fields.HeldBytes);
        bool isGood = waiting.Fields.Merge(update.Payload, limit) && limit.Dropped == dropped;
        HeldBytes += waiting.Fields.HeldBytes - held;
        if (isGood && HeldBytes <= maxBytes)
            return Conflation.Merged;
        Remove(streamId);
        return Conflation.NoRoom;
    }

    /// <summary>True when an update of this stream waits.</summary>
    public bool Has(int streamId) => _byStream.ContainsKey(streamId);

    /// <summary>Finds the stream that has waited longest.</summary>
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

    /// <summary>Maximum bytes of the update that waits for a stream.</summary>
    public int MaxBytesOf(int streamId) => MarketPriceHeaders.UpdateHeaderBytes + _byStream[streamId].Fields.MaxEncodedBytes;

    /// <summary>Encodes the update that waits for a stream and removes it.</summary>
    /// <param name="streamId">The stream.</param>
    /// <param name="room">At least <see cref="MaxBytesOf"/>.</param>
    /// <returns>Bytes written.</returns>
    public int Dequeue(int streamId, Span<byte> room)
    {
        Waiting waiting = _byStream[streamId];
        Remove(streamId);
        UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, waiting.Type);
        return UpdateHeader.Length + waiting.Fields.Encode(room[UpdateHeader.Length..]);
    }

    /// <summary>Discards the update that waits for a stream.</summary>
    /// <returns>True when there was one.</returns>
    public bool Remove(int streamId)
    {
        if (!_byStream.Remove(streamId, out Waiting? waiting))
            return false;
        HeldBytes -= OverheadBytes + waiting.Fields.HeldBytes;
        return true;
    }

    private void Enter(int streamId, Waiting waiting)
    {
        _byStream.Add(streamId, waiting);
        HeldBytes += OverheadBytes;
        if (_order.Count > MinStale + (2 * _byStream.Count))
            DiscardStale();
        _order.Enqueue(streamId);
    }

    // A stream that was removed and added again waits from its first place on, once.
    private void DiscardStale()
    {
        HashSet<int> seen = [];
        for (int left = _order.Count; left > 0; left--)
        {
            int streamId = _order.Dequeue();
            if (_byStream.ContainsKey(streamId) && seen.Add(streamId))
                _order.Enqueue(streamId);
        }
    }

    private sealed class Waiting
    {
        public CachedFields Fields;

        public UpdateType Type { get; set; }
    }
}

/// <summary>The outcome of an update that cannot be sent to a slow consumer.</summary>
internal enum Conflation
{
    Merged, // its fields wait
    NoRoom, // its image will have the values
    NotMergeable,
}
