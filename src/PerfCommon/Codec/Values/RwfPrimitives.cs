using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Reads the content of one primitive value; the length of the range is the length of the content.</summary>
/// <remarks>
/// Each method returns Success, Blank when there is no content or it is the blank of its type, or Invalid when the content
/// cannot be of the type; the value is the blank of its type, or 0, unless the result is Success.
/// </remarks>
public static partial class RwfPrimitives
{
    /// <summary>Reads a signed integer of 1 to 8 bytes.</summary>
    public static DecodeResult TryReadInt(ReadOnlySpan<byte> content, out long value) // wire/rwf 3
    {
        DecodeResult result = TryReadUInt(content, out ulong unsigned);
        value = SignOf(unsigned, content.Length);
        return result;
    }

    /// <summary>Reads an unsigned integer of 1 to 8 bytes.</summary>
    public static DecodeResult TryReadUInt(ReadOnlySpan<byte> content, out ulong value) // wire/rwf 3
    {
        bool isNumber = content.Length is > 0 and <= sizeof(ulong);
        value = isNumber ? ReadUnsigned(content) : 0;
        return isNumber ? DecodeResult.Success : content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    /// <summary>Reads an enumerated value of 1 or 2 bytes.</summary>
    public static DecodeResult TryReadEnum(ReadOnlySpan<byte> content, out ushort value) // wire/rwf 3
    {
        bool isNumber = content.Length is 1 or sizeof(ushort);
        value = isNumber ? (ushort)ReadUnsigned(content) : (ushort)0;
        return isNumber ? DecodeResult.Success : content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    /// <summary>Reads a single of 4 bytes.</summary>
    public static DecodeResult TryReadFloat(ReadOnlySpan<byte> content, out float value) // wire/rwf 3
    {
        if (content.Length == sizeof(float))
        {
            value = BinaryPrimitives.ReadSingleBigEndian(content);
            return DecodeResult.Success;
        }

        value = 0;
        return content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    /// <summary>Reads a double of 8 bytes.</summary>
    public static DecodeResult TryReadDouble(ReadOnlySpan<byte> content, out double value) // wire/rwf 3
    {
        if (content.Length == sizeof(double))
        {
            value = BinaryPrimitives.ReadDoubleBigEndian(content);
            return DecodeResult.Success;
        }

        value = 0;
        return content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    // Result of a value that was read member by member.
    private static DecodeResult OutcomeOf(scoped in RwfReader read, ReadOnlySpan<byte> content) =>
        read.Good ? DecodeResult.Success : content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid; // wire/rwf 3

    // 1 to 8 bytes; FieldListDecoder has a quicker way for field lists.
    private static ulong ReadUnsigned(ReadOnlySpan<byte> content)
    {
        ulong value = 0;
        foreach (byte b in content)
            value = (value << 8) | b;
        return value;
    }

    // Sign-extends a number of the given bytes; 0 bytes are 0.
    private static long SignOf(ulong number, int bytes) => (long)number << (64 - (8 * bytes)) >> (64 - (8 * bytes));
}
