using PerfCommon.Transport.Compression;
using Xunit;

namespace PerfCommon.Tests.Transport.Compression;

/// <summary>
/// A zlib stream that is damaged in transit: bodies before the damage are as sent, the rest inflates within the limits, and a failure
/// is final.
/// </summary>
public class DamagedBodiesTests
{
    private const int Bodies = 12;
    private const int MaxBodyBytes = 6_147;

    private readonly byte[] _room = new byte[MaxBodyBytes];

    [Fact]
    public void Inflate_OneBodyDamaged_GivesWhatWasSentBeforeAndNeverMoreThanItsRoom()
    {
        Random random = new(20_261_122);
        int failed = 0;
        for (int round = 0; round < 400; round++)
        {
            byte[][] sent = [.. Enumerable.Range(0, Bodies).Select(_ => CreateBody(random))];
            byte[][] bodies = Compress(sent, level: random.Next(10));
            int damaged = random.Next(Bodies);
            Damage(ref bodies[damaged], random);
            failed += Inflate(sent, bodies, damaged) ? 1 : 0;
        }

        Assert.InRange(failed, 130, 400); // most damage is detected in the stream's own structure
    }

    // True when the stream failed.
    private bool Inflate(byte[][] sent, byte[][] bodies, int damaged)
    {
        using ZlibFrameCompressor inflater = new(6);
        bool hasFailed = false;
        for (int i = 0; i < Bodies; i++)
        {
            int count = inflater.Inflate(bodies[i], _room);
            Assert.InRange(count, hasFailed ? -1 : i < damaged ? 1 : -1, hasFailed ? -1 : MaxBodyBytes);
            hasFailed = count < 0;
            if (i < damaged)
                Assert.True(sent[i].AsSpan().SequenceEqual(_room.AsSpan(0, count)), "a body before the damage is not as it was sent");
        }

        return hasFailed;
    }

    private static byte[][] Compress(byte[][] sent, int level)
    {
        using ZlibFrameCompressor compressor = new(level);
        byte[] room = new byte[2 * MaxBodyBytes];
        return [.. sent.Select(body => room[..compressor.Compress(body, room)])];
    }

    private static void Damage(ref byte[] body, Random random)
    {
        byte[] whole = body;
        do
            body = Fuzz.Mutation.Of(whole, random);
        while (body.AsSpan().SequenceEqual(whole));
    }

    private static byte[] CreateBody(Random random)
    {
        byte[] body = new byte[random.Next(40, 1_500)];
        for (int i = 0; i < body.Length; i++)
            body[i] = (byte)(i % 3 == 0 ? random.Next(256) : i);
        return body;
    }
}
