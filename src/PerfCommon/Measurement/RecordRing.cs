using System.Numerics;
using System.Runtime.InteropServices;

namespace PerfCommon.Measurement;

/// <summary>Passes records from one writing thread to one reading thread without a lock.</summary>
/// <remarks>The capacity is fixed: when the ring is full, a record is dropped and counted; the writer never waits.</remarks>
/// <typeparam name="T">The record, which is copied on writing and on reading.</typeparam>
internal sealed class RecordRing<T>
    where T : struct
{
    private readonly T[] _records;
    private readonly int _mask;
    private RingCursors _cursors;

    /// <param name="capacity">Records that the ring holds, rounded up to a power of two.</param>
    public RecordRing(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, 1 << 30);
        _records = new T[BitOperations.RoundUpToPowerOf2((uint)capacity)];
        _mask = _records.Length - 1;
    }

    /// <summary>Records that the ring holds.</summary>
    public int Capacity => _records.Length;

    /// <summary>Records dropped because the ring was full. Any thread may read it.</summary>
    public long DroppedCount => Volatile.Read(ref _cursors.Dropped);

    /// <summary>Enqueues a record. Writing thread only.</summary>
    /// <returns>False when the ring is full; the record is dropped and counted.</returns>
    public bool TryWrite(in T record)
    {
        long written = _cursors.Written;
        if (written - _cursors.ReadSeenByWriter >= _records.Length)
        {
            _cursors.ReadSeenByWriter = Volatile.Read(ref _cursors.Read);
            if (written - _cursors.ReadSeenByWriter >= _records.Length)
            {
                Volatile.Write(ref _cursors.Dropped, _cursors.Dropped + 1);
                return false;
            }
        }

        _records[written & _mask] = record;
        Volatile.Write(ref _cursors.Written, written + 1);
        return true;
    }

    /// <summary>Dequeues the oldest record. Reading thread only.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryRead(out T record)
    {
        long read = _cursors.Read;
        if (read == Volatile.Read(ref _cursors.Written))
        {
            record = default;
            return false;
        }

        record = _records[read & _mask];
        Volatile.Write(ref _cursors.Read, read + 1);
        return true;
    }
}

/// <summary>Positions of a ring's two sides, on separate cache lines so that neither side invalidates the other's.</summary>
/// <remarks>A separate type because a type within a generic one cannot have an explicit layout.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingCursors
{
    /// <summary>Records written; set by the writer.</summary>
    [FieldOffset(64)]
    public long Written;

    /// <summary>The reader's position as the writer read it last; set by the writer.</summary>
    [FieldOffset(72)]
    public long ReadSeenByWriter;

    /// <summary>Records dropped; set by the writer.</summary>
    [FieldOffset(80)]
    public long Dropped;

    /// <summary>Records read; set by the reader.</summary>
    [FieldOffset(192)]
    public long Read;
}

/// <summary>One latency sample as a line of the latency file.</summary>
/// <param name="SentAt">The stamp in the message, in the unit of the stamps.</param>
/// <param name="ReceivedAt">The receiver's stamp after decoding, in the same unit.</param>
/// <param name="Kind">Kind of message that carried the stamp.</param>
internal readonly record struct LatencyRecord(long SentAt, long ReceivedAt, StampedKind Kind = StampedKind.Update);

/// <summary>Kind of message that carries the stamp of a latency sample.</summary>
internal enum StampedKind : byte
{
    /// <summary>An update.</summary>
    Update,

    /// <summary>A post that was reflected.</summary>
    Post,

    /// <summary>A generic message.</summary>
    Generic,
}
