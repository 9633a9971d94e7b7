using System.Globalization;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Damaged frames and handshakes: no exception, no hang, and nothing taken from beyond the bytes. Seeded; more cases by PERFTOOLS_MUTATIONS.</summary>
public class ChannelMutationTests
{
    private const int Seed = 20_261_121;

    private static int Cases => Environment.GetEnvironmentVariable("PERFTOOLS_MUTATIONS") is { Length: > 0 } asked
        ? int.Parse(asked, CultureInfo.InvariantCulture)
        : 100_000;

    private static ChannelInfo Info { get; } = new()
    {
        ConnectionVersion = 14,
        MaxMessageBytes = 300,
        PingTimeoutSeconds = 60,
        SendsPings = true,
        ReceivesPings = true,
        ProtocolType = RsslProtocol.TransportPerf,
        MajorVersion = 14,
        MinorVersion = 1,
        CompressionType = CompressionType.Lz4,
        IsServer = true,
    };

    [Fact]
    public void TryTake_DamagedFrames_NeverThrows()
    {
        byte[] frames = CreateFrames();
        BufferPool pool = new();
        Random random = new(Seed);
        for (int number = 0; number < Cases; number++)
        {
            byte[] damaged = Damage(frames, random);
            try
            {
                Assert.True(ReadAll(damaged, random, pool) <= damaged.Length * 300L);
            }
            catch (Exception problem) when (problem is not Xunit.Sdk.XunitException)
            {
                Assert.Fail($"seed {Seed}, case {number}: {problem}");
            }
        }
    }

    [Fact]
    public void Feed_DamagedHandshakes_NeverThrows()
    {
        byte[] request = new byte[Handshake.BufferBytes];
        int requestBytes = new ClientHandshake(TestChannels.Connect, 14, "127.0.0.1").Begin(request);
        byte[] ack = new byte[Handshake.BufferBytes];
        new ServerHandshake(TestChannels.Listen, null).Feed(request.AsSpan(0, requestBytes), out _, ack, out int ackBytes);
        byte[] reply = new byte[Handshake.BufferBytes];
        Random random = new(Seed);
        for (int number = 0; number < Cases / 10; number++)
        {
            byte[] damagedRequest = Damage(request.AsSpan(0, requestBytes), random);
            new ServerHandshake(TestChannels.Listen, null).Feed(damagedRequest, out int consumed, reply, out _);
            Assert.InRange(consumed, 0, damagedRequest.Length);
            byte[] damagedAck = Damage(ack.AsSpan(0, ackBytes), random);
            new ClientHandshake(TestChannels.Connect, 14, "").Feed(damagedAck, out consumed, reply, out _);
            Assert.InRange(consumed, 0, damagedAck.Length);
        }
    }

    private static long ReadAll(byte[] bytes, Random random, BufferPool pool)
    {
        using FrameCompressor compressor = FrameCompressor.TryCreate(Info)!;
        using FrameReader reader = new(Info, TestChannels.Listen, pool, compressor);
        long taken = 0;
        for (int at = 0; at < bytes.Length && reader.Problem is null;)
        {
            int count = Math.Min(bytes.Length - at, random.Next(1, 400));
            bytes.AsSpan(at, count).CopyTo(reader.Room());
            reader.Advance(count);
            at += count;
            while (reader.TryTake(out ReadOnlySpan<byte> message))
                taken += message.Length;
        }
        return taken;
    }

    private static byte[] Damage(ReadOnlySpan<byte> bytes, Random random)
    {
        byte[] damaged = bytes.ToArray();
        for (int change = random.Next(1, 6); change > 0; change--)
        {
            int at = random.Next(damaged.Length);
            damaged[at] = random.Next(3) == 0 ? (byte)random.Next(20) : (byte)(damaged[at] ^ 1 << random.Next(8));
        }
        return random.Next(4) == 0 ? damaged[..random.Next(1, damaged.Length)] : damaged;
    }

    /// <summary>Plain, packed, fragmented and compressed frames, and a ping.</summary>
    private static byte[] CreateFrames()
    {
        using FrameCompressor compressor = FrameCompressor.TryCreate(Info)!;
        using FrameWriter writer = new(Info, TestChannels.Listen, new BufferPool(), compressor);
        FeedPipe pipe = new();
        foreach (int bytes in new[] { 1, 40, 300, 700 })
        {
            writer.TryBegin(bytes, out Span<byte> room);
            room.Fill((byte)bytes);
            writer.End(bytes);
        }
        writer.TryBeginPack(200);
        for (int i = 0; i < 4 && writer.TryBeginPacked(30, out Span<byte> room); i++)
        {
            room.Fill((byte)i);
            writer.EndPacked(30);
        }
        writer.EndPack();
        writer.Flush(pipe);
        writer.AddPing();
        writer.Flush(pipe);
        return pipe.Sent.ToArray();
    }
}
