using K4os.Compression.LZ4;
using PerfCommon.Transport.Compression;
using Xunit;

namespace PerfCommon.Tests.Transport.Compression;

/// <summary>Our additions to the package: a table that is kept from block to block, and the refusal of offset 0.</summary>
public sealed class Lz4BlockTests : IDisposable
{
    private const int Seed = 4711;
    private static readonly byte[] Message = [.. Enumerable.Range(0, 6000).Select(i => (byte)(i % 76 < 60 ? 0 : i / 76))];
    private readonly Lz4BlockEncoder _encoder = new();

    [Fact]
    public void Decode_NoBlock_IsBad() => Assert.Equal(-1, Lz4BlockDecoder.Decode([], new byte[16]));

    [Fact]
    public void Decode_BlockOfNoData_IsBad() => Assert.Equal(-1, Lz4BlockDecoder.Decode([0], new byte[16]));

    [Fact]
    public void Decode_OffsetZero_IsRefusedBeforeAByteOfTheRoomComesOut()
    {
        // 1 literal, then a match of 119 at offset 0, then 5 literals: the package returns 125 bytes for it, of which 6 were sent.
        byte[] block = [0x1f, (byte)'a', 0, 0, 100, 0x50, .. "bcdef"u8];
        byte[] room = [.. Enumerable.Repeat((byte)'S', 256)];
        Assert.Equal(125, LZ4Codec.Decode(block, room));

        room.AsSpan().Fill((byte)'S');
        Assert.Equal(-1, Lz4BlockDecoder.Decode(block, room));
        Assert.Equal(-1, room.AsSpan().IndexOfAnyExcept((byte)'S'));
    }

    [Fact]
    public void Encode_BlocksThatResembleTheOneBefore_EachDecodesAlone()
    {
        Random random = new(Seed);
        byte[] before = Mix(random, 3_000);
        for (int round = 0; round < 5_000; round++)
        {
            byte[] data = (round % 4) switch
            {
                0 => before,
                1 => before[..random.Next(1, before.Length + 1)],
                2 => [.. before.Select(b => random.Next(100) == 0 ? (byte)~b : b)],
                _ => Mix(random, random.Next(1, round % 60 == 3 ? 200_000 : 3_000)),
            };
            byte[] block = new byte[LZ4Codec.MaximumOutputSize(data.Length)];
            if (random.Next(5) == 0)
                _encoder.Encode(data, block.AsSpan(0, random.Next(data.Length))); // may fail half-way

            int written = _encoder.Encode(data, block);

            byte[] back = new byte[data.Length];
            Assert.Equal(data.Length, LZ4Codec.Decode(block.AsSpan(0, written), back));
            Assert.True(data.AsSpan().SequenceEqual(back), $"seed {Seed}, round {round}");
            Assert.Equal(data.Length, Lz4BlockDecoder.Decode(block.AsSpan(0, written), back));
            before = data;
        }
    }

    [Fact]
    public void Encode_TheSameDataAgain_IsNoShorter() // which it would be if it referred to the first
    {
        byte[] noise = new byte[2_000];
        new Random(Seed).NextBytes(noise);
        byte[] block = new byte[LZ4Codec.MaximumOutputSize(noise.Length)];

        Assert.Equal(_encoder.Encode(noise, block), _encoder.Encode(noise, block));
    }

    [Theory]
    [InlineData(76)]
    [InlineData(800)]
    [InlineData(6000)]
    public void EncodeAndDecode_Always_AllocateNothing(int length)
    {
        byte[] block = new byte[8000];
        byte[] back = new byte[8000];
        Lz4BlockDecoder.Decode(block.AsSpan(0, _encoder.Encode(Message.AsSpan(0, length), block)), back);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
            {
                int written = _encoder.Encode(Message.AsSpan(0, length), block);
                Lz4BlockDecoder.Decode(block.AsSpan(0, written), back);
            }
        });
    }

    public void Dispose() => _encoder.Dispose();

    // Runs, repeats from a distance and noise, so that every kind of sequence occurs.
    private static byte[] Mix(Random random, int length)
    {
        byte[] data = new byte[length];
        for (int at = 0; at < length;)
        {
            int run = Math.Min(length - at, random.Next(1, random.Next(4) == 0 ? 600 : 40));
            Span<byte> piece = data.AsSpan(at, run);
            if (at == 0 || random.Next(3) == 0)
                random.NextBytes(piece);
            else
                RepeatFrom(data, at, run, random.Next(1, Math.Min(at, random.Next(4) == 0 ? at : 20) + 1));
            at += run;
        }

        return data;
    }

    private static void RepeatFrom(byte[] data, int at, int count, int distance)
    {
        for (int i = 0; i < count; i++)
            data[at + i] = data[at + i - distance];
    }
}
