using System.IO.Compression;
using PerfCommon.Transport.Compression;
using Xunit;

namespace PerfCommon.Tests.Transport.Compression;

public class ZlibBodyTests
{
    private const int MostBody = 6147;

    private readonly byte[] _room = new byte[80_000];
    private readonly byte[] _back = new byte[MostBody];

    [Fact]
    public void TryCompress_SameBodyTwice_SecondUsesTheSharedStream()
    {
        using ZlibCompressor compressor = new(6);
        byte[] body = RandomBody(new Random(1), 500);

        Assert.True(compressor.TryCompress(body, _room, out int first));
        Assert.Equal([0x78, 0x9c], _room[..2]);
        Assert.Equal([0, 0, 0xff, 0xff], _room.AsSpan(first - 4, 4).ToArray());
        Assert.True(compressor.TryCompress(body, _room, out int second));
        Assert.InRange(second, 5, 30);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(9)]
    public void RoundTrip_ManyBodies_InflateInOrder(int level)
    {
        using ZlibCompressor compressor = new(level);
        using ZlibInflater inflater = new();
        Random random = new(level);
        for (int i = 0; i < 500; i++)
        {
            byte[] body = RandomBody(random, random.Next(1, i % 10 == 0 ? 6000 : 300));
            Assert.True(compressor.TryCompress(body, _room, out int written));
            Assert.True(inflater.TryInflate(_room.AsSpan(0, written), _back, out int count));
            Assert.True(body.AsSpan().SequenceEqual(_back.AsSpan(0, count)));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(6)]
    [InlineData(9)]
    public void TryCompress_NoiseOfTheLargestPiece_AlwaysFits(int level)
    {
        using ZlibCompressor compressor = new(level);
        Random random = new(level);
        for (int room = 30; room < 66_000; room += random.Next(1, 900))
        {
            int piece = compressor.LargestPiece(room);
            byte[] noise = new byte[piece];
            random.NextBytes(noise);
            for (int i = 0; room % 2 == 0 && i < noise.Length; i++)
                noise[i] |= 0x90; // literals of 9 bits in the fixed code
            if (piece > 0)
                Assert.True(compressor.TryCompress(noise, _room.AsSpan(0, room), out _));
        }
    }

    [Fact]
    public void LargestPiece_VersionFourteenDefault_MatchesTheSpecification()
    {
        using ZlibCompressor compressor = new(6);
        Assert.Equal(6112, compressor.LargestPiece(6137));
    }

    [Fact]
    public void TryCompress_RoomBelowBound_LeavesTheStreamAlone()
    {
        using ZlibCompressor compressor = new(6);
        byte[] body = RandomBody(new Random(3), 300);

        Assert.False(compressor.TryCompress(body, _room.AsSpan(0, 310), out int written));

        Assert.Equal(0, written);
        Assert.True(compressor.TryCompress(body, _room, out _));
        Assert.Equal(0x78, _room[0]); // the stream's header: nothing had gone into it
    }

    [Fact]
    public void TryInflate_MoreThanRoom_FailsForGood()
    {
        byte[] bomb = Compress(new byte[MostBody + 1]);
        using ZlibInflater inflater = new();
        Assert.False(inflater.TryInflate(bomb, _back, out _));
        Assert.False(inflater.TryInflate(Compress([1]), _back, out _));
    }

    [Fact]
    public void TryInflate_ExactlyTheRoom_IsTaken()
    {
        using ZlibInflater inflater = new();
        Assert.True(inflater.TryInflate(Compress(new byte[MostBody]), _back, out int count));
        Assert.Equal(MostBody, count);
    }

    [Fact]
    public void TryInflate_StreamThatEnds_RejectsWhatFollows()
    {
        using MemoryStream whole = new();
        using (ZLibStream deflate = new(whole, CompressionLevel.Optimal, leaveOpen: true))
            deflate.Write("ends here"u8);
        using ZlibInflater inflater = new();
        inflater.TryInflate(whole.ToArray(), _back, out _);
        Assert.False(inflater.TryInflate("more bytes"u8, _back, out _));
    }

    [Fact]
    public void TryInflate_DamagedBodies_NeverThrows()
    {
        Random random = new(99);
        for (int round = 0; round < 5_000; round++)
        {
            byte[] body = Compress(RandomBody(random, random.Next(1, 300)));
            body[random.Next(body.Length)] ^= (byte)random.Next(1, 256);
            using ZlibInflater inflater = new();
            inflater.TryInflate(body.AsSpan(0, random.Next(body.Length + 1)), _back, out int count);
            Assert.InRange(count, 0, MostBody);
        }
    }

    [Fact]
    public void Bodies_AfterTheFirst_AllocateNothing()
    {
        using ZlibCompressor compressor = new(6);
        using ZlibInflater inflater = new();
        byte[] body = RandomBody(new Random(5), 3000);
        Turn(10);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Turn(300);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Turn(int times)
        {
            for (int i = 0; i < times; i++)
            {
                compressor.TryCompress(body, _room, out int written);
                inflater.TryInflate(_room.AsSpan(0, written), _back, out _);
            }
        }
    }

    private byte[] Compress(byte[] body)
    {
        using ZlibCompressor compressor = new(6);
        Assert.True(compressor.TryCompress(body, _room, out int written));
        return _room[..written];
    }

    private static byte[] RandomBody(Random random, int length)
    {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++)
            body[i] = (byte)(i % 3 == 0 ? random.Next(256) : i);
        return body;
    }
}
