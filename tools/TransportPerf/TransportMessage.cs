using System.Buffers.Binary;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using PerfCommon.Load;

namespace TransportPerf;

/// <summary>A layout of the tool's message: sequence number, time stamp in nanoseconds or 0, and padding.</summary>
internal interface ITransportMessage
{
    /// <summary>Fills the buffer to its last byte.</summary>
    static abstract void Write(Span<byte> room, long sequence, long stampNanos);
}

/// <summary>Encodes messages of a layout, numbered from 0.</summary>
/// <typeparam name="TMessage">The layout; a struct, so that its calls are inlined.</typeparam>
/// <param name="bytes">Length of each message in bytes.</param>
internal struct TransportMessageEncoder<TMessage>(int bytes) : IMessageEncoder
    where TMessage : struct, ITransportMessage
{
    private long _next;

    public readonly bool HasTargets => true;

    public readonly int MaxBytes => bytes;

    public int Encode(Span<byte> room, long stamp)
    {
        TMessage.Write(room[..bytes], _next++, stamp);
        return bytes;
    }
}

/// <summary>The message as all editions write it: 8 bytes sequence number and 8 bytes stamp, both little-endian, then zeros.</summary>
internal readonly struct RawMessage : ITransportMessage
{
    /// <summary>Minimum length of a message in bytes.</summary>
    public const int MinBytes = 16;

    private const int StampAt = 8;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(Span<byte> room, long sequence, long stampNanos)
    {
        BinaryPrimitives.WriteInt64LittleEndian(room, sequence);
        BinaryPrimitives.WriteInt64LittleEndian(room[StampAt..], stampNanos);
        Clear(room[MinBytes..]);
    }

    // Not the framework's method: it is compiled for processors without AVX, and the transition to it and back costs more than all else here.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Clear(Span<byte> padding)
    {
        Span<byte> rest = padding;
        for (; rest.Length >= Vector128<byte>.Count; rest = rest[Vector128<byte>.Count..])
            Vector128<byte>.Zero.CopyTo(rest);
        if (padding.Length >= Vector128<byte>.Count)
        {
            Vector128<byte>.Zero.CopyTo(padding[^Vector128<byte>.Count..]); // the last bytes, some of them twice
            return;
        }

        for (int i = 0; i < rest.Length; i++)
            rest[i] = 0;
    }

    /// <summary>Reads both numbers; false for a message too short to have them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryRead(ReadOnlySpan<byte> message, out long sequence, out long stampNanos)
    {
        if (message.Length < MinBytes)
        {
            (sequence, stampNanos) = (0, 0);
            return false;
        }

        sequence = BinaryPrimitives.ReadInt64LittleEndian(message);
        stampNanos = BinaryPrimitives.ReadInt64LittleEndian(message[StampAt..]);
        return true;
    }
}

/// <summary>The message over a JSON sub-protocol: <c>{"Seq":n,"Time":ns,"Pad":"0..."}</c>, padded to its full length.</summary>
internal readonly struct JsonMessage : ITransportMessage
{
    /// <summary>Minimum length of a message in bytes: the largest numbers fit.</summary>
    public const int MinBytes = 64;

    private const byte PaddingDigit = (byte)'0';

    private static ReadOnlySpan<byte> Start => "{\"Seq\":"u8;

    private static ReadOnlySpan<byte> Middle => ",\"Time\":"u8;

    private static ReadOnlySpan<byte> Padding => ",\"Pad\":\""u8;

    private static ReadOnlySpan<byte> Close => "\"}"u8;

    public static void Write(Span<byte> room, long sequence, long stampNanos)
    {
        Span<byte> rest = Append(Append(room, Start), sequence);
        rest = Append(Append(Append(rest, Middle), stampNanos), Padding);
        rest[..^Close.Length].Fill(PaddingDigit);
        Close.CopyTo(rest[^Close.Length..]);
    }

    /// <summary>
    /// Reads one object as <see cref="Write"/> encodes it, or the binary body of other editions, and its length in bytes.
    /// </summary>
    /// <returns>False for anything else.</returns>
    public static bool TryRead(ReadOnlySpan<byte> text, out long sequence, out long stampNanos, out int bytes) =>
        TryReadObject(text, out sequence, out stampNanos, out bytes)
            || RawJsonMessage.TryRead(text, out sequence, out stampNanos, out bytes);

    /// <summary>
    /// Removes the brackets of an array as the transport delivers it, <c>[{...},{...}]</c>; a text without brackets is returned unchanged.
    /// </summary>
    public static ReadOnlySpan<byte> InsideArray(ReadOnlySpan<byte> text) =>
        text is [(byte)'[', .. ReadOnlySpan<byte> inner, (byte)']'] ? inner : text;

    /// <summary>Counts the messages in a text that was found valid.</summary>
    public static int Count(ReadOnlySpan<byte> text)
    {
        int count = 0;
        for (; TryRead(text, out _, out _, out int bytes); count++)
            text = bytes < text.Length ? text[(bytes + 1)..] : default;
        return count;
    }

    private static bool TryReadObject(ReadOnlySpan<byte> text, out long sequence, out long stampNanos, out int bytes)
    {
        stampNanos = 0;
        bytes = 0;
        ReadOnlySpan<byte> rest = text;
        bool isOurs = TryConsume(ref rest, Start) & TryConsume(ref rest, out sequence)
            && TryConsume(ref rest, Middle) && TryConsume(ref rest, out stampNanos) && TryConsume(ref rest, Padding);
        if (!isOurs)
            return false;
        int padding = rest.IndexOfAnyExcept(PaddingDigit);
        if (padding < 0 || !rest[padding..].StartsWith(Close))
            return false;
        bytes = text.Length - rest.Length + padding + Close.Length;
        return true;
    }

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

    private static bool TryConsume(ref ReadOnlySpan<byte> rest, ReadOnlySpan<byte> text)
    {
        if (!rest.StartsWith(text))
            return false;
        rest = rest[text.Length..];
        return true;
    }

    private static bool TryConsume(ref ReadOnlySpan<byte> rest, out long number)
    {
        bool isNumber = Utf8Parser.TryParse(rest, out number, out int digits);
        rest = rest[digits..];
        return isNumber;
    }
}
