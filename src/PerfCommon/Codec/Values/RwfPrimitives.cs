using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Reads the content of one primitive value; the length of the range is the length of the content.</summary>
/// <remarks>
/// Each method answers Success, Blank when there is no content or it is the blank of its type, or Invalid when the content
/// cannot be of the type; the value is the blank of its type, or 0, unless the result is Success. The forms with start and
/// length, which must lie in the span, read a value inside the span of its whole list, which is faster.
/// </remarks>
public static partial class RwfPrimitives
{
    /// <summary>Reads a signed integer of 1 to 8 bytes.</summary>
    public static DecodeResult TryReadInt(ReadOnlySpan<byte> content, out long value) =>
        TryReadInt(content, 0, content.Length, out value);

    /// <summary>Reads a signed integer of 1 to 8 bytes that stands inside a longer span.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static DecodeResult TryReadInt(ReadOnlySpan<byte> span, int start, int length, out long value)
    {
        if ((uint)(length - 1) < sizeof(long))
        {
            value = ReadSigned(span, start, length);
            return DecodeResult.Success;
        }

        value = 0;
        return length == 0 ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    /// <summary>Reads an unsigned integer of 1 to 8 bytes.</summary>
    public static DecodeResult TryReadUInt(ReadOnlySpan<byte> content, out ulong value) =>
        TryReadUInt(content, 0, content.Length, out value);

    /// <summary>Reads an unsigned integer of 1 to 8 bytes that stands inside a longer span.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static DecodeResult TryReadUInt(ReadOnlySpan<byte> span, int start, int length, out ulong value)
    {
        if ((uint)(length - 1) < sizeof(ulong))
        {
            value = ReadUnsigned(span, start, length);
            return DecodeResult.Success;
        }

        value = 0;
        return length == 0 ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    /// <summary>Reads an enumerated value of 1 or 2 bytes.</summary>
    public static DecodeResult TryReadEnum(ReadOnlySpan<byte> content, out ushort value) =>
        TryReadEnum(content, 0, content.Length, out value);

    /// <summary>Reads an enumerated value of 1 or 2 bytes that stands inside a longer span.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static DecodeResult TryReadEnum(ReadOnlySpan<byte> span, int start, int length, out ushort value)
    {
        if (length == 1)
        {
            value = span[start];
            return DecodeResult.Success;
        }

        if (length == sizeof(ushort))
        {
            value = BinaryPrimitives.ReadUInt16BigEndian(span.Slice(start, sizeof(ushort)));
            return DecodeResult.Success;
        }

        value = 0;
        return length == 0 ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    /// <summary>Reads a single of 4 bytes.</summary>
    public static DecodeResult TryReadFloat(ReadOnlySpan<byte> content, out float value)
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
    public static DecodeResult TryReadDouble(ReadOnlySpan<byte> content, out double value)
    {
        if (content.Length == sizeof(double))
        {
            value = BinaryPrimitives.ReadDoubleBigEndian(content);
            return DecodeResult.Success;
        }

        value = 0;
        return content.IsEmpty ? DecodeResult.Blank : DecodeResult.Invalid;
    }

    // One load of the eight bytes that end with the value, when the span holds that many before its end.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static long ReadSigned(ReadOnlySpan<byte> span, int start, int length)
    {
        int before = start + length - sizeof(long);
        int shift = 64 - (8 * length);
        return before >= 0
            ? BinaryPrimitives.ReadInt64BigEndian(span.Slice(before, sizeof(long))) << shift >> shift
            : (long)ReadNearStart(span, start, length) << shift >> shift;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong ReadUnsigned(ReadOnlySpan<byte> span, int start, int length)
    {
        int before = start + length - sizeof(ulong);
        int shift = 64 - (8 * length);
        return before >= 0
            ? BinaryPrimitives.ReadUInt64BigEndian(span.Slice(before, sizeof(ulong))) << shift >> shift
            : ReadNearStart(span, start, length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong ReadNearStart(ReadOnlySpan<byte> span, int start, int length)
    {
        ulong value = 0;
        foreach (byte b in span.Slice(start, length))
            value = (value << 8) | b;
        return value;
    }
}
