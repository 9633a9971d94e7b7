namespace LatencyPerf.Links;

/// <summary>A ring of messages in shared memory, from one writer to any number of readers; the oldest is overwritten.</summary>
/// <remarks>
/// Layout, each part on separate cache lines: head u32 (messages written, its lower half) | sleepers u32 | slots.
/// A slot: number u64, 0 while it is written | length u32 | to u32 | bytes. A reader copies a message, and then checks that the number is still
/// the same.
/// </remarks>
internal sealed class SharedRing
{
    private const int LineBytes = 64;
    private const int SleepersAt = LineBytes;
    private const int SlotsAt = 2 * LineBytes;
    private const int LengthAt = 8, ToAt = 12, BytesAt = 16;

    private readonly SharedRegion _region;
    private readonly long _start;
    private readonly int _slotBytes;
    private readonly ulong _mask;
    private ulong _written;

    /// <param name="region">The memory.</param>
    /// <param name="start">The offset of the ring in it.</param>
    /// <param name="slots">A power of two.</param>
    /// <param name="maxBytes">The maximum bytes of a message.</param>
    public SharedRing(SharedRegion region, long start, int slots, int maxBytes)
    {
        (_region, _start, _mask) = (region, start, (ulong)slots - 1);
        _slotBytes = SlotBytes(maxBytes);
        _ = region.Slice(start, 0);
        _ = region.Slice(start + BytesOf(slots, maxBytes), 0);
    }

    /// <summary>The word on which a reader sleeps.</summary>
    public ref uint Head => ref _region.Word(_start);

    /// <summary>The number of readers that sleep, or are about to.</summary>
    public ref uint Sleepers => ref _region.Word(_start + SleepersAt);

    /// <summary>The bytes of a ring.</summary>
    public static long BytesOf(int slots, int maxBytes) => SlotsAt + ((long)slots * SlotBytes(maxBytes));

    /// <summary>Writes a message; called by the only writer. It wakes no sleeper.</summary>
    /// <param name="message">No longer than the maximum of the ring.</param>
    /// <param name="to">The recipient; the ring does not interpret it.</param>
    public void Write(ReadOnlySpan<byte> message, int to)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(message.Length, _slotBytes - BytesAt, nameof(message));
        long slot = SlotOf(++_written);
        Volatile.Write(ref _region.Long(slot), 0);
        Volatile.WriteBarrier(); // a reader that copies during the write must find the number gone
        _region.Word(slot + LengthAt) = (uint)message.Length;
        _region.Word(slot + ToAt) = (uint)to;
        message.CopyTo(_region.Slice(slot + BytesAt, message.Length));
        Volatile.Write(ref _region.Long(slot), _written);
        Volatile.Write(ref Head, (uint)_written);
    }

    /// <summary>Copies the next message of a reader, if it has arrived.</summary>
    /// <param name="reader">The position of the reader; it advances.</param>
    /// <param name="room">The buffer for the message.</param>
    /// <param name="message">The message in that buffer.</param>
    /// <param name="to">The recipient.</param>
    public bool TryRead(ref RingReader reader, Span<byte> room, out Span<byte> message, out int to)
    {
        message = default;
        to = 0;
        for (ulong looks = 0; looks <= _mask; looks++) // bounded, whatever a foreign process writes into the memory
        {
            long slot = SlotOf(reader.Next);
            ulong found = Volatile.Read(ref _region.Long(slot));
            if (found < reader.Next)
                return false;
            if (found == reader.Next && TryCopy(slot, found, room, out message, out to))
            {
                reader.Next++;
                return true;
            }

            Skip(ref reader, found);
        }

        return false;
    }

    /// <summary>
    /// Moves a reader past a place where only foreign bytes can block it: in the middle of existing messages, or ahead
    /// of all of them. To be called at intervals.
    /// </summary>
    public void Recover(ref RingReader reader)
    {
        long behind = Behind(reader.Next); // the number of a slot is written before the head
        if (behind < -1)
            reader.Next = (ulong)(-behind - 1) < reader.Next ? reader.Next - (ulong)(-behind - 1) : 1;
        else if (behind >= 0 && !HasNext(reader))
            Skip(ref reader, reader.Next);
    }

    /// <summary>True when <see cref="TryRead"/> has work for a reader, even if only to find out what it missed.</summary>
    public bool HasNext(in RingReader reader) => Volatile.Read(ref _region.Long(SlotOf(reader.Next))) >= reader.Next;

    /// <summary>Continues after the messages that another writer has left in the ring.</summary>
    public void ContinueWriting() => _written = CreateReader().Next - 1;

    /// <summary>Creates a reader of the messages written from now on.</summary>
    public RingReader CreateReader()
    {
        ulong last = 0;
        for (ulong slot = 0; slot <= _mask; slot++)
            last = Math.Max(last, Volatile.Read(ref _region.Long(SlotOf(slot))));
        return new RingReader { Next = last + 1 };
    }

    private static int SlotBytes(int maxBytes) => (BytesAt + maxBytes + LineBytes - 1) / LineBytes * LineBytes;

    private long SlotOf(ulong number) => _start + SlotsAt + ((long)(number & _mask) * _slotBytes);

    private bool TryCopy(long slot, ulong number, Span<byte> room, out Span<byte> message, out int to)
    {
        uint length = _region.Word(slot + LengthAt);
        to = (int)_region.Word(slot + ToAt);
        message = default;
        if (length > _slotBytes - BytesAt || length > room.Length)
            return false;
        message = room[..(int)length];
        _region.Slice(slot + BytesAt, (int)length).CopyTo(message);
        Volatile.ReadBarrier();
        return Volatile.Read(ref _region.Long(slot)) == number;
    }

    // Overwritten by later messages: continues with the oldest that can exist. A number that no message can have was written by a foreign process.
    private void Skip(ref RingReader reader, ulong found)
    {
        bool isNewer = found > reader.Next && found - reader.Next <= int.MaxValue && SlotOf(found) == SlotOf(reader.Next)
            && Behind(found) >= -1;
        ulong next = Math.Max(reader.Next + 1, isNewer ? found - _mask : 0);
        reader.Missed += (long)(next - reader.Next);
        reader.Next = next;
    }

    // Messages written after a number; -1 for the next one.
    private int Behind(ulong number) => (int)(Volatile.Read(ref Head) - (uint)number);
}

/// <summary>The position of a reader in a ring.</summary>
internal struct RingReader
{
    /// <summary>The number of the message that it reads next, from 1.</summary>
    public ulong Next { get; set; }

    /// <summary>Messages that were overwritten before the reader reached them.</summary>
    public long Missed { get; set; }
}
