using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>
/// Messages that contain their number, from which every byte follows; brackets and commas of JSON never occur in them.
/// </summary>
internal static class NumberedMessages
{
    private const int NumberBytes = 8;
    private const int PatternBytes = 64 * 1024;

    private static readonly byte[] Runs = [.. Enumerable.Range(0, PatternBytes).Select(i => (byte)('0' + (i / 16 % 10)))];
    private static readonly byte[] Noise = CreateNoise();

    public static void Fill(Span<byte> message, int number)
    {
        for (int i = 0; i < NumberBytes; i++)
            message[i] = (byte)('a' + (number >> 4 * i & 15));
        byte[] pattern = number % 3 == 0 ? Runs : Noise; // some are compressible, some are not
        Span<byte> rest = message[NumberBytes..];
        for (int from = (int)((uint)number * 2654435761 % PatternBytes); !rest.IsEmpty; from = 0)
        {
            int bytes = Math.Min(rest.Length, PatternBytes - from);
            pattern.AsSpan(from, bytes).CopyTo(rest);
            rest = rest[bytes..];
        }
    }

    private static byte[] CreateNoise()
    {
        byte[] noise = new byte[PatternBytes];
        uint state = 1;
        foreach (ref byte value in noise.AsSpan())
        {
            state = state * 1664525 + 1013904223;
            value = (byte)('0' + (state >> 20 & 31));
        }

        return noise;
    }

    /// <summary>Writes messages of these lengths to one channel and reads them at the other, in order, complete and unchanged.</summary>
    public static void Exchange(LoopbackPair pair, RsslChannel from, RsslChannel to, int[] lengths, int packBytes)
    {
        int written = 0;
        int read = 0;
        byte[] expected = new byte[lengths.Max()];
        pair.TurnUntil(() =>
        {
            while (written < lengths.Length && TryWrite(from, lengths, ref written, packBytes))
            {
            }

            from.Flush();
            while (to.TryRead(out ReadOnlySpan<byte> message))
                read = Check(message, to.Info.WebSocketProtocol, lengths, expected, read);
            Assert.True(from.State == ChannelState.Active && to.State == ChannelState.Active, $"{from.Closed} {to.Closed}");
            return read == lengths.Length;
        });
    }

    private static bool TryWrite(RsslChannel channel, int[] lengths, ref int written, int packBytes)
    {
        if (packBytes > 0 && lengths[written] + 2 <= packBytes)
            return TryWritePack(channel, lengths, ref written, packBytes);
        if (!channel.TryBeginMessage(lengths[written], out Span<byte> room))
            return false;
        Fill(room, written);
        channel.EndMessage(lengths[written++]);
        return true;
    }

    private static bool TryWritePack(RsslChannel channel, int[] lengths, ref int written, int packBytes)
    {
        if (!channel.TryBeginPack(packBytes))
            return false;
        while (written < lengths.Length && channel.TryBeginPackedMessage(lengths[written], out Span<byte> room))
        {
            Fill(room, written);
            channel.EndPackedMessage(lengths[written++]);
        }

        channel.EndPack();
        return true;
    }

    private static int Check(ReadOnlySpan<byte> message, string? webSocketProtocol, int[] lengths, byte[] expected, int read)
    {
        if (webSocketProtocol is null or "rssl.rwf")
            return CheckOne(message, lengths, expected, read);
        Assert.True(message[0] == '[' && message[^1] == ']');
        foreach (Range part in message[1..^1].Split((byte)','))
            read = CheckOne(message[1..^1][part], lengths, expected, read);
        return read;
    }

    private static int CheckOne(ReadOnlySpan<byte> message, int[] lengths, byte[] expected, int read)
    {
        Span<byte> wanted = expected.AsSpan(0, lengths[read]);
        Fill(wanted, read);
        Assert.True(message.SequenceEqual(wanted), $"message {read} of {lengths[read]} bytes differs; {message.Length} bytes came");
        return read + 1;
    }
}
