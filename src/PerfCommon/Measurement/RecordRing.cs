using System.Numerics;
using System.Runtime.InteropServices;

namespace PerfCommon.Measurement;

/// <summary>Carries records from one writing thread to one reading thread without a lock.</summary>
/// <remarks>Fixed room: when the reader is behind, a record is dropped and counted; the writer never waits.</remarks>
/// <typeparam name="T">The record, copied in and out.</typeparam>
internal sealed class RecordRing<T>
    where T : struct
{
    private readonly T[] _records;
    private readonly int _mask;
    private RingCursors _cursors;

    /// <param name="capacity">Records it holds, rounded up to a power of two.</param>
    public RecordRing(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, 1 << 30);
        _records = new T[BitOperations.RoundUpToPowerOf2((uint)capacity)];
        _mask = _records.Length - 1;
    }

    /// <summary>Records it holds.</summary>
    public int Capacity => _records.Length;

    /// <summary>Records dropped because the ring was full. Any thread may read it.</summary>
    public long DroppedCount => Volatile.Read(ref _cursors.Dropped);

    /// <summary>Puts a record in. Writing thread only.</summary>
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

    /// <summary>Takes the oldest record out. Reading thread only.</summary>
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

/// <summary>Positions of a ring's two sides, on cache lines of their own so that neither side invalidates the other's.</summary>
/// <remarks>A type of its own because a type within a generic one cannot have an explicit layout.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingCursors
{
    /// <summary>Records written; the writer's.</summary>
    [FieldOffset(64)]
    public long Written;

    /// <summary>The reader's position as the writer saw it last; the writer's.</summary>
    [FieldOffset(72)]
    public long ReadSeenByWriter;

    /// <summary>Records dropped; the writer's.</summary>
    [FieldOffset(80)]
    public long Dropped;

    /// <summary>Records read; the reader's.</summary>
    [FieldOffset(192)]
    public long Read;
}

/// <summary>One latency sample as a line of the latency file.</summary>
/// <param name="SentAt">The stamp that came with the message, in the unit of the stamps.</param>
/// <param name="ReceivedAt">The receiver's stamp after decoding, in the same unit.</param>
/// <param name="Kind">What carried the stamp.</param>
internal readonly record struct LatencyRecord(long SentAt, long ReceivedAt, StampedKind Kind = StampedKind.Update);

/// <summary>What carries the stamp of a latency sample.</summary>
internal enum StampedKind : byte
{
    Update,
    Post,
    Generic,
}
