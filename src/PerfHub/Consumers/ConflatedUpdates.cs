using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.Cache;

namespace PerfHub.Consumers;

/// <summary>
/// The updates that wait for a slow reader: of each item the last value of each field, encoded when the reader takes them, the longest
/// waiting first.
/// </summary>
/// <remarks>One owner thread. As much memory as it may take, however long the reader sleeps.</remarks>
/// <param name="limit">How many fields one may have.</param>
/// <param name="maxBytes">What all of them may take; beyond it an item is better got by its image.</param>
internal sealed class ConflatedUpdates(FieldLimit limit, int maxBytes)
{
    private const int OverheadBytes = 128; // of one item, beside its fields, about
    private const int MinStale = 64;

    private readonly Dictionary<int, Waiting> _byStream = [];
    private readonly Queue<int> _order = new(); // ids of streams that were taken out may still be among them

    /// <summary>Items that wait.</summary>
    public int Count => _byStream.Count;

    /// <summary>Bytes that they take, about.</summary>
    public int HeldBytes { get; private set; }

    /// <summary>Adds an update.</summary>
    /// <param name="streamId">Its stream.</param>
    /// <param name="message">The update.</param>
    /// <param name="hadWaited">True when an update of the stream waited before.</param>
    /// <returns>What became of it; without room what waited for the stream is given up, too.</returns>
    public Conflation Add(int streamId, ReadOnlySpan<byte> message, out bool hadWaited)
    {
        hadWaited = false;
        if (RwfMsg.TryDecode(message, out RwfMsg update) != DecodeResult.Success || update.DomainType != DomainType.MarketPrice
            || update.ContainerType != DataType.FieldList)
        {
            return Conflation.NotMergeable;
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
        Waiting waiting = _byStream[streamId];
        Remove(streamId);
        UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, waiting.Type);
        return UpdateHeader.Length + waiting.Fields.Encode(room[UpdateHeader.Length..]);
    }

    /// <summary>Forgets what waits for a stream.</summary>
    /// <returns>True when something did.</returns>
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
            ForgetStale();
        _order.Enqueue(streamId);
    }

    // A stream that was taken out and added again waits from its first place on, once.
    private void ForgetStale()
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

/// <summary>What becomes of an update that a slow reader cannot be sent.</summary>
internal enum Conflation
{
    Merged, // its fields wait
    NoRoom, // the image has them
    NotMergeable,
}
