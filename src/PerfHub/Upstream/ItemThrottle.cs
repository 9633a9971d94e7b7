using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>The waiting update of one item, and the time until which it waits. One owner thread.</summary>
internal sealed class ItemThrottle
{
    private const int KeptBytes = 1_024; // kept for the next waiting update

    private CachedFields _fields;
    private UpdateType _type;

    /// <summary>The time until which updates wait.</summary>
    public long UntilNanos { get; set; }

    public bool IsWaiting { get; private set; }

    /// <summary>True while its item is in the queue of due times.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Bytes in memory, without its object.</summary>
    public int HeldBytes => _fields.HeldBytes;

    /// <summary>Maximum bytes of the waiting update.</summary>
    public int MaxBytes => MarketPriceHeaders.UpdateHeaderBytes + _fields.MaxEncodedBytes;

    /// <summary>Merges an update into the waiting one.</summary>
    /// <returns>False when not all of its fields fit: it is to be sent after the waiting one, which has the values of those that do.</returns>
    public bool TryMerge(ReadOnlySpan<byte> message, ReadOnlySpan<byte> fields, FieldLimit limit)
    {
        long dropped = limit.Dropped;
        if (IsWaiting)
            _fields.Merge(fields, limit);
        else
            _fields.Replace(fields, limit);
        if (limit.Dropped != dropped)
            return false;
        IsWaiting = true;
        _type = UpdateHeader.TryRead(message, out UpdateHeader header) ? header.UpdateType : UpdateType.Unspecified;
        return true;
    }

    /// <summary>Encodes and removes the waiting update.</summary>
    /// <returns>Bytes written.</returns>
    public int Dequeue(Span<byte> room, int streamId)
    {
        IsWaiting = false;
        UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, _type);
        int bytes = UpdateHeader.Length + _fields.Encode(room[UpdateHeader.Length..]);
        if (HeldBytes > KeptBytes)
            _fields.Clear();
        return bytes;
    }
}
