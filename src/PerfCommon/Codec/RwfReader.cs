using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Reads numbers and length-prefixed bytes front to back inside one range; after the first failure every read fails.</summary>
internal ref struct RwfReader(ReadOnlySpan<byte> range)
{
    private readonly ReadOnlySpan<byte> _range = range;
    private int _position;

    /// <summary>Success, or the reason of the first failure; every later read fails too.</summary>
    public DecodeResult Result { get; private set; }

    public readonly int Position => _position;

    public readonly int Left => _range.Length - _position;

    public readonly ReadOnlySpan<byte> Rest => _range[_position..];

    /// <summary>True while no read failed.</summary>
    public readonly bool Good => Result == DecodeResult.Success;

    public byte ReadByte()
    {
        if (!TryReadBytes(1, out ReadOnlySpan<byte> bytes))
            return 0;
        return bytes[0];
    }

    public ushort ReadUInt16() =>
        TryReadBytes(sizeof(ushort), out ReadOnlySpan<byte> bytes) ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : (ushort)0;

    public uint ReadUInt32() =>
        TryReadBytes(sizeof(uint), out ReadOnlySpan<byte> bytes) ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : 0;

    public int ReadRb15() // wire/rwf 1
    {
        int first = ReadByte();
        return first < LengthMark.TwoByteRb15 ? first : ((first & 0x7F) << 8) | ReadByte();
    }

    public int ReadU16ob() // wire/rwf 1
    {
        int first = ReadByte();
        if (first < LengthMark.TwoMoreBytes)
            return first;
        if (first == LengthMark.TwoMoreBytes)
            return ReadUInt16();
        Fail(DecodeResult.Invalid); // wire/rwf 1
        return 0;
    }

    public int ReadRb30() // wire/rwf 1
    {
        int first = ReadByte();
        int low = first & 0x3F;
        return (first >> 6) switch
        {
            0 => low,
            2 => (low << 8) | ReadByte(),
            1 => (low << 16) | ReadUInt16(),
            _ => (low << 24) | (ReadByte() << 16) | ReadUInt16(),
        };
    }

    public ReadOnlySpan<byte> ReadBuf8() => ReadBytes(ReadByte()); // wire/rwf 1

    public ReadOnlySpan<byte> ReadBuf15() => ReadBytes(ReadRb15()); // wire/rwf 1

    public ReadOnlySpan<byte> ReadBuf16() => ReadBytes(ReadU16ob()); // wire/rwf 1

    public ReadOnlySpan<byte> ReadBytes(int count) =>
        TryReadBytes(count, out ReadOnlySpan<byte> bytes) ? bytes : default;

    /// <summary>Marks the range as unusable; the first reason is kept.</summary>
    public void Fail(DecodeResult reason)
    {
        if (Good)
            Result = reason;
    }

    private bool TryReadBytes(int count, out ReadOnlySpan<byte> bytes)
    {
        if (!Good || count > Left)
        {
            Fail(DecodeResult.Incomplete); // wire/rwf 9.1
            bytes = default;
            return false;
        }

        bytes = _range.Slice(_position, count);
        _position += count;
        return true;
    }
}
