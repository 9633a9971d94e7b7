using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>The way in which an <see cref="EncodableField"/> is encoded.</summary>
internal enum EncodableKind : byte
{
    None,
    Real,
    UInt,
    Int,
    Time,
    Content,
    Text,
}

/// <summary>One value of the kinds that market data consists of, in 16 bytes, laid out so that two stores write its entry.</summary>
/// <param name="Number">The number, or content of up to eight bytes, its first byte on top: a date, a time to the second, a short text.
/// For a longer text, its position.</param>
/// <param name="Head">The first four bytes of the entry without its length: field id, 0, hint of a Real.</param>
/// <param name="Kind">How the number is written; None for a value that only the general writer can write.</param>
/// <param name="Length">Bytes of content where the kind does not determine them.</param>
internal readonly record struct EncodableField(long Number, uint Head, EncodableKind Kind, byte Length)
{
    /// <summary>Buffer bytes that <see cref="Encode"/> needs; it uses fewer.</summary>
    public const int WantedRoom = 16;

    private const int EntryHeadLength = 3; // wire/rwf 4.1

    /// <summary>A field of type UINT or ENUM.</summary>
    public static EncodableField OfUInt(short fieldId, long value) => new(value, HeadOf(fieldId), EncodableKind.UInt, 0);

    /// <summary>Converts a value to its field; of kind None when the value is of a rare form.</summary>
    public static EncodableField Of(FieldValue value, byte[] texts)
    {
        uint head = HeadOf(value.FieldId);
        RwfTime time = value.Time;
        return value.Kind switch
        {
            FieldKind.Real when value.Hint <= RealHint.Fraction256 => new(value.Number, head | value.Hint, EncodableKind.Real, 0),
            FieldKind.UInt or FieldKind.Enum => OfUInt(value.FieldId, value.Number),
            FieldKind.Int => new(value.Number, head, EncodableKind.Int, 0),
            FieldKind.Time when !time.IsBlank && (time.Millisecond | time.Microsecond | time.Nanosecond) == 0 =>
                new(((long)time.Hour << 56) | ((long)time.Minute << 48) | ((long)time.Second << 40), head, EncodableKind.Time, 0),
            FieldKind.Date when !value.Date.IsBlank => new((long)value.Extra << 32, head, EncodableKind.Content, sizeof(int)),
            FieldKind.Bytes when value.Extra <= sizeof(long) =>
                new(FirstOnTop(texts.AsSpan(value.TextStart, value.Extra)), head, EncodableKind.Content, (byte)value.Extra),
            // wire/rwf 1
            FieldKind.Bytes when value.Extra < LengthMark.TwoMoreBytes => new(value.TextStart, head, EncodableKind.Text, (byte)value.Extra),
            FieldKind.Blank => new(0, head, EncodableKind.Content, 0),
            _ => default,
        };
    }

    /// <summary>Writes the entry, unless it is a text.</summary>
    /// <param name="room"><see cref="WantedRoom"/> bytes; bytes after the entry are overwritten.</param>
    /// <returns>Bytes of the whole entry.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Encode(Span<byte> room)
    {
        // fieldId int16 | length | [hint of a Real] | content, shifted to the left so that eight bytes are stored at once
        long content = Number;
        int length;
        switch (Kind)
        {
            case EncodableKind.Real:
                int signBits = LeadingSignBits(content);
                length = 1 + sizeof(long) - (signBits >> 3);
                BinaryPrimitives.WriteUInt32BigEndian(room, Head | (uint)(length << 8));
                BinaryPrimitives.WriteInt64BigEndian(room[(EntryHeadLength + 1)..], content << signBits);
                return EntryHeadLength + length;
            case EncodableKind.UInt:
                int zeroBits = BitOperations.LeadingZeroCount((ulong)content | 1) & ~7;
                length = sizeof(long) - (zeroBits >> 3);
                content <<= zeroBits;
                break;
            case EncodableKind.Int:
                int repeatedBits = LeadingSignBits(content);
                length = sizeof(long) - (repeatedBits >> 3);
                content <<= repeatedBits;
                break;
            case EncodableKind.Time: // hour | minute [| second]
                length = (byte)(content >> 40) != 0 ? 3 : 2;
                break;
            default:
                length = Length;
                break;
        }

        BinaryPrimitives.WriteUInt32BigEndian(room, Head | (uint)(length << 8));
        BinaryPrimitives.WriteInt64BigEndian(room[EntryHeadLength..], content);
        return EntryHeadLength + length;
    }

    /// <summary>Writes a text of any length.</summary>
    /// <returns>False when it is no text, or the buffer is too small.</returns>
    public bool TryEncodeText(byte[] texts, ref Span<byte> room)
    {
        if (Kind != EncodableKind.Text || room.Length < WantedRoom || room.Length < EntryHeadLength + Length)
            return false;
        BinaryPrimitives.WriteUInt32BigEndian(room, Head | ((uint)Length << 8));
        texts.AsSpan((int)Number, Length).CopyTo(room[EntryHeadLength..]);
        room = room[(EntryHeadLength + Length)..];
        return true;
    }

    private static uint HeadOf(short fieldId) => (uint)(ushort)fieldId << 16;

    private static long FirstOnTop(ReadOnlySpan<byte> content)
    {
        Span<byte> padded = stackalloc byte[sizeof(long)];
        content.CopyTo(padded);
        return BinaryPrimitives.ReadInt64BigEndian(padded);
    }

    // Number of bits in the leading bytes that only repeat the sign.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int LeadingSignBits(long value) => (BitOperations.LeadingZeroCount((ulong)(value ^ (value >> 63))) - 1) & ~7;
}
