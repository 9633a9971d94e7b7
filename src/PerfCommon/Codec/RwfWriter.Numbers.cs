using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Form in which a writer encodes the length of content that is known only afterwards.</summary>
internal enum LengthForm : byte // wire/rwf 1
{
    /// <summary>The longest form is reserved and filled in: two bytes for up to 32,767, three for up to 65,535. No content byte moves.</summary>
    Reserved,

    /// <summary>The shortest form; the content is moved forward when it turns out to be short.</summary>
    Shortest,
}

// Numbers and lengths of the wire, and lengths that are filled in when the content is known.
public ref partial struct RwfWriter
{
    private const int NoLength = -1;
    private const int PendingBuf16 = -2; // an open entry whose length is not reserved yet
    private const int PendingBuf15 = -3;
    private const int PendingFixed = -4; // content has the frame's item length, no length is written
    private const int PendingReal = -5; // in set data: its first byte encodes its size
    private const int ReservedBuf16 = 3; // wire/rwf 1
    private const int ReservedBuf15 = 2; // wire/rwf 1

    private Span<byte> Reserve(int count)
    {
        if (count > _room.Length - _position)
        {
            Fail(EncodeProblem.NoRoom);
            return default;
        }

        Span<byte> taken = _room.Slice(_position, count);
        _position += count;
        return taken;
    }

    private void PutByte(int value)
    {
        Span<byte> taken = Reserve(1);
        if (!taken.IsEmpty)
            taken[0] = (byte)value;
    }

    private void PutUInt16(int value)
    {
        Span<byte> taken = Reserve(sizeof(ushort));
        if (!taken.IsEmpty)
            BinaryPrimitives.WriteUInt16BigEndian(taken, (ushort)value);
    }

    private void PutUInt32(uint value)
    {
        Span<byte> taken = Reserve(sizeof(uint));
        if (!taken.IsEmpty)
            BinaryPrimitives.WriteUInt32BigEndian(taken, value);
    }

    private void PutBytes(scoped ReadOnlySpan<byte> bytes)
    {
        Span<byte> taken = Reserve(bytes.Length);
        if (!taken.IsEmpty)
            bytes.CopyTo(taken);
    }

    private void PutRb15(int value) // wire/rwf 1
    {
        if (Limit(value, LengthMark.MaxRb15) < LengthMark.TwoByteRb15)
            PutByte(value);
        else
            PutUInt16(value | 0x8000);
    }

    private void PutU16ob(int value) // wire/rwf 1
    {
        if (Limit(value, LengthMark.MaxU16ob) >= LengthMark.TwoMoreBytes)
        {
            PutByte(LengthMark.TwoMoreBytes);
            PutUInt16(value);
            return;
        }

        PutByte(value);
    }

    // wire/rwf 1
    private void PutRb30(int value)
    {
        switch (Limit(value, LengthMark.MaxRb30))
        {
            case < 0x40:
                PutByte(value);
                break;
            case < 0x4000:
                PutUInt16(value | 0x8000);
                break;
            case < 0x400000:
                PutByte((value >> 16) | 0x40);
                PutUInt16(value);
                break;
            default:
                PutUInt32((uint)value | 0xC0000000);
                break;
        }
    }

    private void PutBuf8(scoped ReadOnlySpan<byte> bytes) // wire/rwf 1
    {
        PutByte(Limit(bytes.Length, LengthMark.MaxBuf8));
        PutBytes(bytes);
    }

    private void PutBuf15(scoped ReadOnlySpan<byte> bytes) // wire/rwf 1
    {
        PutRb15(bytes.Length);
        PutBytes(bytes);
    }

    private void PutBuf16(scoped ReadOnlySpan<byte> bytes) // wire/rwf 1
    {
        PutU16ob(bytes.Length);
        PutBytes(bytes);
    }

    private int Limit(int value, int max)
    {
        if (value < 0 || value > max)
            Fail(EncodeProblem.TooLong); // wire/rwf 9.2
        return value;
    }

    // Called when a container or message begins: reserves the length of an open entry before it.
    private void ReserveLength()
    {
        if (_open.LengthAt is not (PendingBuf16 or PendingBuf15))
            return;
        int reserved = _open.LengthAt == PendingBuf16 ? ReservedBuf16 : ReservedBuf15;
        _open.LengthAt = _position;
        Reserve(reserved);
    }

    private void CloseBuf16(int at) // wire/rwf 1
    {
        int length = Limit(_position - at - ReservedBuf16, LengthMark.MaxU16ob);
        if (Failed || TryShorten(at, ReservedBuf16, length, LengthMark.TwoMoreBytes))
            return;
        _room[at] = LengthMark.TwoMoreBytes;
        BinaryPrimitives.WriteUInt16BigEndian(_room[(at + 1)..], (ushort)length);
    }

    private void CloseBuf15(int at) // wire/rwf 1
    {
        int length = Limit(_position - at - ReservedBuf15, LengthMark.MaxRb15);
        if (Failed || TryShorten(at, ReservedBuf15, length, LengthMark.TwoByteRb15))
            return;
        BinaryPrimitives.WriteUInt16BigEndian(_room[at..], (ushort)(length | 0x8000));
    }

    // Encodes a short length in one byte: the content moves forward over the other bytes that were reserved.
    private bool TryShorten(int at, int reserved, int length, int firstLong)
    {
        if (Form != LengthForm.Shortest || length >= firstLong)
            return false;
        _room.Slice(at + reserved, length).CopyTo(_room[(at + 1)..]);
        _position = at + 1 + length;
        _room[at] = (byte)length;
        return true;
    }

    private void PatchUInt16(int at, int value)
    {
        Limit(value, ushort.MaxValue);
        if (!Failed)
            BinaryPrimitives.WriteUInt16BigEndian(_room[at..], (ushort)value);
    }

    private void PatchByte(int at, int value)
    {
        Limit(value, byte.MaxValue);
        if (!Failed)
            _room[at] = (byte)value;
    }

    private void PatchFlag(int at, int flag)
    {
        if (!Failed)
            _room[at] |= (byte)flag;
    }
}
