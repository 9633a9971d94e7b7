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
    public void Compress_SameBodyTwice_SecondUsesTheSharedStream()
    {
        using ZlibFrameCompressor compressor = new(6);
        byte[] body = RandomBody(new Random(1), 500);

        int first = compressor.Compress(body, _room);
        Assert.True(first > 0);
        Assert.Equal([0x78, 0x9c], _room[..2]);
        Assert.Equal([0, 0, 0xff, 0xff], _room.AsSpan(first - 4, 4).ToArray());
        int second = compressor.Compress(body, _room);
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
        using ZlibFrameCompressor compressor = new(level);
        using ZlibFrameCompressor inflater = new(6);
        Random random = new(level);
        for (int i = 0; i < 500; i++)
        {
            byte[] body = RandomBody(random, random.Next(1, i % 10 == 0 ? 6000 : 300));
            int written = compressor.Compress(body, _room);
            Assert.True(written > 0);
            int count = inflater.Inflate(_room.AsSpan(0, written), _back);
            Assert.True(body.AsSpan().SequenceEqual(_back.AsSpan(0, count)));
        }
    }

    /// <summary>The agreed level is that of the stream; one beyond the range is the nearest within.</summary>
    [Theory]
    [InlineData(-1, 0)]
    [InlineData(1, 1)]
    [InlineData(8, 8)]
    [InlineData(9, 9)]
    [InlineData(10, 9)]
    public void Compress_AtALevel_HasTheBytesOfThatLevel(int level, int expected)
    {
        using ZlibFrameCompressor compressor = new(level);
        int written = compressor.Compress(Words(), _room);
        Assert.Equal(Reference(expected), _room[..written]);
        Assert.NotEqual(Reference(8), Reference(9));
    }

    /// <summary>A body is compressed where the room suffices whatever it holds: 24 bytes more and the shares of wire/transport 5.4, not a byte less.</summary>
    [Theory]
    [InlineData(1, 4_000, 24 + 500)] // an eighth
    [InlineData(6, 4_095, 24)]
    [InlineData(6, 4_096, 24 + 1)]
    [InlineData(6, 16_384, 24 + 4 + 1)]
    public void Compress_RoomForTheLongestResult_IsNeededAndEnough(int level, int bytes, int excess)
    {
        byte[] body = new byte[bytes];
        new Random(3).NextBytes(body);
        using ZlibFrameCompressor compressor = new(level);
        Assert.Equal(0, compressor.Compress(body, _room.AsSpan(0, bytes + excess - 1)));
        Assert.InRange(compressor.Compress(body, _room.AsSpan(0, bytes + excess)), 1, bytes + excess);
    }

    [Fact]
    public void Inflate_BodyThatInflatesToNothing_IsAnEmptyMessageAndTheStreamGoesOn()
    {
        using ZlibFrameCompressor compressor = new(6);
        using ZlibFrameCompressor inflater = new(6);
        byte[] body = RandomBody(new Random(1), 300);
        Assert.Equal(body.Length, inflater.Inflate(_room.AsSpan(0, compressor.Compress(body, _room)), _back));
        Assert.Equal(0, inflater.Inflate([0, 0, 0, 0xff, 0xff], _back)); // a sync flush, and nothing before it
        Assert.Equal(body.Length, inflater.Inflate(_room.AsSpan(0, compressor.Compress(body, _room)), _back));
        Assert.Equal(body, _back[..body.Length]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(6)]
    [InlineData(9)]
    public void Compress_NoiseOfTheLargestPiece_AlwaysFits(int level)
    {
        using ZlibFrameCompressor compressor = new(level);
        Random random = new(level);
        for (int room = 30; room < 66_000; room += random.Next(1, 900))
        {
            int piece = compressor.SafePiece(room);
            byte[] noise = new byte[piece];
            random.NextBytes(noise);
            for (int i = 0; room % 2 == 0 && i < noise.Length; i++)
                noise[i] |= 0x90; // literals of 9 bits in the fixed code
            if (piece < room)
                Assert.True(compressor.Compress(noise, _room.AsSpan(0, room)) > 0);
        }
    }

    [Fact]
    public void SafePiece_OfEachRoom_IsTheLongestWhoseBoundFits()
    {
        using ZlibFrameCompressor compressor = new(6);
        for (int room = 100; room < 20_000; room++)
        {
            int piece = compressor.SafePiece(room);
            Assert.True(Bound(piece) <= room && Bound(piece + 1) > room, $"{piece} of {room}");
        }

        static int Bound(int bytes) => bytes + 24 + (bytes / 4096) + (bytes / 16384); // wire/transport 5.4
    }

    [Fact]
    public void SafePiece_VersionFourteenDefault_MatchesTheSpecification()
    {
        using ZlibFrameCompressor compressor = new(6);
        Assert.Equal(6112, compressor.SafePiece(6137));
    }

    [Fact]
    public void Compress_RoomBelowBound_LeavesTheStreamAlone()
    {
        using ZlibFrameCompressor compressor = new(6);
        byte[] body = RandomBody(new Random(3), 300);

        Assert.Equal(0, compressor.Compress(body, _room.AsSpan(0, 310)));

        Assert.True(compressor.Compress(body, _room) > 0);
        Assert.Equal(0x78, _room[0]); // the stream's header: nothing had been compressed
    }

    [Fact]
    public void Inflate_MoreThanRoom_FailsForGood()
    {
        byte[] bomb = Compress(new byte[MostBody + 1]);
        using ZlibFrameCompressor inflater = new(6);
        Assert.Equal(-1, inflater.Inflate(bomb, _back));
        Assert.Equal(-1, inflater.Inflate(Compress([1]), _back));
    }

    [Fact]
    public void Inflate_ExactlyTheRoom_IsTaken()
    {
        using ZlibFrameCompressor inflater = new(6);
        Assert.Equal(MostBody, inflater.Inflate(Compress(new byte[MostBody]), _back));
    }

    [Fact]
    public void Inflate_StreamThatEnds_RejectsWhatFollows()
    {
        using MemoryStream whole = new();
        using (ZLibStream deflate = new(whole, CompressionLevel.Optimal, leaveOpen: true))
            deflate.Write("ends here"u8);
        using ZlibFrameCompressor inflater = new(6);
        inflater.Inflate(whole.ToArray(), _back);
        Assert.Equal(-1, inflater.Inflate("more bytes"u8, _back));
    }

    [Fact]
    public void Inflate_DamagedBodies_NeverThrows()
    {
        Random random = new(99);
        for (int round = 0; round < 5_000; round++)
        {
            byte[] body = Compress(RandomBody(random, random.Next(1, 300)));
            body[random.Next(body.Length)] ^= (byte)random.Next(1, 256);
            using ZlibFrameCompressor inflater = new(6);
            Assert.InRange(inflater.Inflate(body.AsSpan(0, random.Next(body.Length + 1)), _back), -1, MostBody);
        }
    }

    [Fact]
    public void Bodies_AfterTheFirst_AllocateNothing()
    {
        using ZlibFrameCompressor compressor = new(6);
        using ZlibFrameCompressor inflater = new(6);
        byte[] body = RandomBody(new Random(5), 3000);
        Turn(10);
        Allocation.None(() => Turn(300));

        void Turn(int times)
        {
            for (int i = 0; i < times; i++)
            {
                inflater.Inflate(_room.AsSpan(0, compressor.Compress(body, _room)), _back);
            }
        }
    }

    private byte[] Compress(byte[] body)
    {
        using ZlibFrameCompressor compressor = new(6);
        int written = compressor.Compress(body, _room);
        Assert.True(written > 0);
        return _room[..written];
    }

    private static byte[] RandomBody(Random random, int length)
    {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++)
            body[i] = (byte)(i % 3 == 0 ? random.Next(256) : i);
        return body;
    }

    // Of few words, so that a longer search finds longer repetitions.
    private static byte[] Words()
    {
        Random random = new(5);
        byte[][] words = [.. Enumerable.Range(0, 40).Select(_ => RandomBody(random, 4))];
        return [.. Enumerable.Range(0, 1_500).SelectMany(_ => words[random.Next(words.Length)])];
    }

    private static byte[] Reference(int level)
    {
        MemoryStream compressed = new();
        using ZLibStream stream = new(compressed, new ZLibCompressionOptions { CompressionLevel = level });
        stream.Write(Words());
        stream.Flush();
        return compressed.ToArray();
    }
}
