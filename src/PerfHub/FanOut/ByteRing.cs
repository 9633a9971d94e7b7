using System.Buffers.Binary;
using PerfCommon.Measurement;

namespace PerfHub.FanOut;

/// <summary>Carries records of bytes from one thread to one other, in order, without a lock.</summary>
/// <remarks>
/// A record is contiguous, after a head of 8 bytes: kind and length, then a number. The writer adds records and publishes them together. The reader
/// reads the published ones and releases their space when it no longer needs the bytes. A record larger than the space that is always kept free is
/// passed outside the ring; a record in the ring keeps its place in the order.
/// </remarks>
internal sealed class ByteRing
{
    /// <summary>Bytes of a record's head.</summary>
    public const int HeadBytes = 8;

    /// <summary>Maximum bytes of a record that the ring itself carries.</summary>
    public const int MaxRecordBytes = 96 * 1024;

    // Outside the ring: a record that is larger than any in it.
    private const byte SkipKind = 0;
    private const int Alignment = 8;

    // One record of maximum length fits while the ring has space, whatever is skipped at its end.
    private const int ReserveBytes = 2 * (MaxRecordBytes + HeadBytes);

    private readonly byte[] _bytes;
    private readonly int _mask;
    private readonly LargeRecords _large = new();
    private RingCursors _cursors;
    private int _writerWaits;
    private bool _isFinished;
    private long _writeAt; // the writer's, past what is published
    private long _readAt; // the reader's, past what is released
    private long _reserveBytes = ReserveBytes; // far more while too many bytes wait outside the ring; the writer's

    /// <param name="bytes">Its size, a power of two that holds many records of maximum length.</param>
    public ByteRing(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytes, 4 * ReserveBytes);
        ArgumentOutOfRangeException.ThrowIfNotEqual(bytes & (bytes - 1), 0);
        _bytes = GC.AllocateUninitializedArray<byte>(bytes);
        _mask = bytes - 1;
    }

    /// <summary>The bytes of all records; <see cref="TryRead"/> returns the position of each.</summary>
    public byte[] Bytes => _bytes;

    /// <summary>True while a record of maximum length fits; else nothing may be added. Writing thread only.</summary>
    public bool HasRoom()
    {
        if (_bytes.Length - (_writeAt - _cursors.ReadSeenByWriter) >= _reserveBytes)
            return true;
        _cursors.ReadSeenByWriter = Volatile.Read(ref _cursors.Read);
        if (_reserveBytes > ReserveBytes && !_large.IsFull)
            _reserveBytes = ReserveBytes;
        return _bytes.Length - (_writeAt - _cursors.ReadSeenByWriter) >= _reserveBytes;
    }

    /// <summary>True while half of it is in use. Writing thread only.</summary>
    public bool IsHalfFull()
    {
        if (_reserveBytes > ReserveBytes && !HasRoom())
            return true;
        if (_writeAt - _cursors.ReadSeenByWriter <= _bytes.Length / 2)
            return false;
        _cursors.ReadSeenByWriter = Volatile.Read(ref _cursors.Read);
        return _writeAt - _cursors.ReadSeenByWriter > _bytes.Length / 2;
    }

    /// <summary>True when added records are not published. Writing thread only.</summary>
    public bool HasUnpublished => _writeAt != _cursors.Written;

    /// <summary>True when a published record was not read. Reading thread only.</summary>
    public bool HasUnread => _readAt != Volatile.Read(ref _cursors.Written);

    /// <summary>True when everything published was released. Any thread.</summary>
    public bool IsEmpty => Volatile.Read(ref _cursors.Read) == Volatile.Read(ref _cursors.Written);

    /// <summary>Announces that the writer waits for space; check <see cref="HasRoom"/> once more then. Writing thread only.</summary>
    public void AwaitRoom()
    {
        Volatile.Write(ref _writerWaits, 1);
        Interlocked.MemoryBarrier();
    }

    /// <summary>Begins a record and returns its buffer; <see cref="HasRoom"/> was true. Follow with <see cref="End"/>.</summary>
    /// <param name="maxBytes">Maximum bytes without the head, 0 to <see cref="MaxRecordBytes"/>.</param>
    public Span<byte> Begin(int maxBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxBytes, MaxRecordBytes);
        int at = (int)_writeAt & _mask;
        if (_bytes.Length - at < HeadBytes + maxBytes)
        {
            WriteHead(at, SkipKind, 0, 0);
            _writeAt += _bytes.Length - at;
            at = 0;
        }

        return _bytes.AsSpan(at + HeadBytes, maxBytes);
    }

    /// <summary>Adds the record that was written into the buffer.</summary>
    /// <param name="kind">1 to 127.</param>
    /// <param name="number">A number whose meaning depends on the kind.</param>
    /// <param name="bytes">Its length.</param>
    public void End(byte kind, int number, int bytes)
    {
        WriteHead((int)_writeAt & _mask, kind, bytes, number);
        _writeAt += (HeadBytes + bytes + Alignment - 1) & -Alignment;
    }

    /// <summary>Adds a record of any length from its bytes; <see cref="HasRoom"/> was true.</summary>
    public void Add(byte kind, int number, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > MaxRecordBytes)
        {
            _large.Add(bytes);
            if (_large.IsFull)
                _reserveBytes = long.MaxValue;
            Begin(0);
            End((byte)(kind | LargeRecords.Flag), number, 0);
            return;
        }

        bytes.CopyTo(Begin(bytes.Length));
        End(kind, number, bytes.Length);
    }

    /// <summary>Makes the added records visible to the reader.</summary>
    public void Publish() => Volatile.Write(ref _cursors.Written, _writeAt);

    /// <summary>Marks the ring finished: the reader need not wait for later records; earlier ones were published. Writing thread only.</summary>
    public void Finish() => Volatile.Write(ref _isFinished, true);

    /// <summary>True when every record before the finish was read. Reading thread only.</summary>
    public bool IsFinished => Volatile.Read(ref _isFinished) && !HasUnread;

    /// <summary>Reads the next published record. Reading thread only.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryRead(out RingRecord record)
    {
        long end = Volatile.Read(ref _cursors.Written);
        while (_readAt != end)
        {
            int at = (int)_readAt & _mask;
            ulong head = BinaryPrimitives.ReadUInt64LittleEndian(_bytes.AsSpan(at));
            byte kind = (byte)head;
            if (kind == SkipKind)
            {
                _readAt += _bytes.Length - at;
                continue;
            }

            int length = (int)(head >> 8) & 0xFFFFFF;
            _readAt += (HeadBytes + length + Alignment - 1) & -Alignment;
            record = (kind & LargeRecords.Flag) == 0
                ? new(kind, (int)(head >> 32), _bytes, at + HeadBytes, length)
                : _large.Dequeue((byte)(kind & ~LargeRecords.Flag), (int)(head >> 32));
            return true;
        }

        record = default;
        return false;
    }

    /// <summary>Releases the space of all records that were read. Reading thread only.</summary>
    /// <returns>True when the writer waits for space: wake it.</returns>
    public bool Release()
    {
        if (_readAt == _cursors.Read)
            return false;
        Volatile.Write(ref _cursors.Read, _readAt);
        Interlocked.MemoryBarrier();
        return Volatile.Read(ref _writerWaits) != 0 && Interlocked.Exchange(ref _writerWaits, 0) != 0;
    }

    /// <summary>Bytes read and not released. Reading thread only.</summary>
    public long Unreleased => _readAt - _cursors.Read;

    // kind 1 byte | length 3 | number 4
    private void WriteHead(int at, byte kind, int length, int number) =>
        BinaryPrimitives.WriteUInt64LittleEndian(_bytes.AsSpan(at), kind | ((ulong)(uint)length << 8) | ((ulong)(uint)number << 32));
}

/// <summary>A record of a ring: its bytes do not move until they are released.</summary>
internal readonly record struct RingRecord(byte Kind, int Number, byte[] Array, int At, int Length)
{
    public ReadOnlySpan<byte> Bytes => Array.AsSpan(At, Length);
}
