using System.Buffers.Text;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>The tool's message over a JSON sub-protocol: <c>{"Seq":n,"Time":ns,"Pad":"0..."}</c>, padded to its full length.</summary>
internal static class JsonMessage
{
    private const byte PaddingDigit = (byte)'0';

    private static ReadOnlySpan<byte> Start => "{\"Seq\":"u8;

    private static ReadOnlySpan<byte> Middle => ",\"Time\":"u8;

    private static ReadOnlySpan<byte> Padding => ",\"Pad\":\""u8;

    private static ReadOnlySpan<byte> Close => "\"}"u8;

    /// <summary>Fills the room, 64 bytes or more, to its last byte.</summary>
    public static void Write(Span<byte> room, long sequence, long stampNanos)
    {
        Span<byte> rest = Append(Append(room, Start), sequence);
        rest = Append(Append(Append(rest, Middle), stampNanos), Padding);
        rest[..^Close.Length].Fill(PaddingDigit);
        Close.CopyTo(rest[^Close.Length..]);
    }

    /// <summary>Reads one object as <see cref="Write"/> makes it, and says how many bytes it has; false for anything else.</summary>
    public static bool TryRead(ReadOnlySpan<byte> text, out long sequence, out long stampNanos, out int bytes)
    {
        stampNanos = 0;
        bytes = 0;
        ReadOnlySpan<byte> rest = text;
        bool isOurs = TryTake(ref rest, Start) & TryTake(ref rest, out sequence)
            && TryTake(ref rest, Middle) && TryTake(ref rest, out stampNanos) && TryTake(ref rest, Padding);
        if (!isOurs)
            return false;
        int padding = rest.IndexOfAnyExcept(PaddingDigit);
        if (padding < 0 || !rest[padding..].StartsWith(Close))
            return false;
        bytes = text.Length - rest.Length + padding + Close.Length;
        return true;
    }

    /// <summary>The objects of an array as the transport delivers it, <c>[{...},{...}]</c>; a text without brackets as it is.</summary>
    public static ReadOnlySpan<byte> InsideArray(ReadOnlySpan<byte> text) =>
        text is [(byte)'[', .. ReadOnlySpan<byte> inner, (byte)']'] ? inner : text;

    private static Span<byte> Append(Span<byte> room, ReadOnlySpan<byte> text)
    {
        text.CopyTo(room);
        return room[text.Length..];
    }

    private static Span<byte> Append(Span<byte> room, long number)
    {
        Utf8Formatter.TryFormat(number, room, out int digits);
        return room[digits..];
    }

    private static bool TryTake(ref ReadOnlySpan<byte> rest, ReadOnlySpan<byte> text)
    {
        if (!rest.StartsWith(text))
            return false;
        rest = rest[text.Length..];
        return true;
    }

    private static bool TryTake(ref ReadOnlySpan<byte> rest, out long number)
    {
        bool isNumber = Utf8Parser.TryParse(rest, out number, out int digits);
        rest = rest[digits..];
        return isNumber;
    }
}

/// <summary>Makes such messages, numbered from 0.</summary>
/// <param name="bytes">Bytes of each.</param>
internal struct JsonMessageEncoder(int bytes) : IMessageEncoder
{
    private long _next;

    /// <inheritdoc/>
    public readonly bool HasTargets => true;

    /// <inheritdoc/>
    public readonly int MaxBytes => bytes;

    /// <inheritdoc/>
    public int Encode(Span<byte> room, long stamp)
    {
        JsonMessage.Write(room[..bytes], _next++, stamp);
        return bytes;
    }
}
