using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

public static partial class RwfPrimitives
{
    private const byte RealHintMask = 0x3F; // the two top bits carry no meaning outside set data

    /// <summary>Reads a Real: a hint byte and an integer of up to 8 bytes.</summary>
    /// <param name="content">The content.</param>
    /// <param name="value">The value; blank unless the result is Success.</param>
    /// <returns>Success, Blank or Invalid.</returns>
    public static DecodeResult TryReadReal(ReadOnlySpan<byte> content, out RwfReal value) =>
        TryReadReal(content, 0, content.Length, out value);

    /// <summary>Reads a Real that stands inside a longer span.</summary>
    /// <param name="span">Bytes around the content.</param>
    /// <param name="start">Where the content begins; start and length must lie in the span.</param>
    /// <param name="length">Bytes of content.</param>
    /// <param name="value">The value; blank unless the result is Success.</param>
    /// <returns>Success, Blank or Invalid.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static DecodeResult TryReadReal(ReadOnlySpan<byte> span, int start, int length, out RwfReal value)
    {
        if ((uint)(length - 2) < sizeof(long))
        {
            byte hint = (byte)(span[start] & RealHintMask);
            if (hint <= RealHint.Fraction256)
            {
                value = new RwfReal(ReadSigned(span, start + 1, length - 1), hint);
                return DecodeResult.Success;
            }
        }

        return ReadSpecialReal(span.Slice(start, length), out value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static DecodeResult ReadSpecialReal(ReadOnlySpan<byte> content, out RwfReal value)
    {
        value = RwfReal.BlankValue;
        if (content.IsEmpty)
            return DecodeResult.Blank;
        if (content.Length > 1 + sizeof(long))
            return DecodeResult.Invalid;

        byte hint = (byte)(content[0] & RealHintMask);
        if (hint is >= RealHint.Infinity and <= RealHint.NotANumber)
        {
            value = new RwfReal(0, hint);
            return DecodeResult.Success;
        }

        // A lone byte that is no special value is blank, whatever it holds.
        return content.Length == 1 || hint == RealHint.Blank ? DecodeResult.Blank : DecodeResult.Invalid;
    }
}
