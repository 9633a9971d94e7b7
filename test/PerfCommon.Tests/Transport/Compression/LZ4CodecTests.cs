using PerfCommon.Transport.Compression;
using Xunit;

namespace PerfCommon.Tests.Transport.Compression;

public class LZ4CodecTests
{
    private static readonly byte[] Message = [.. Enumerable.Range(0, 6000).Select(i => (byte)(i % 76 < 60 ? 0 : i / 76))];

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, 16)]
    [InlineData(255, 272)]
    [InlineData(2_113_929_216, 2_122_219_150)]
    [InlineData(2_113_929_217, 0)]
    public void MaximumOutputSize_Length_FollowsFormula(int length, int expected) =>
        Assert.Equal(expected, LZ4Codec.MaximumOutputSize(length));

    [Fact]
    public void Encode_NoData_ReturnsZero() => Assert.Equal(0, LZ4Codec.Encode([], new byte[16]));

    [Fact]
    public void Decode_NoBlock_IsBad() => Assert.Equal(-1, LZ4Codec.Decode([], new byte[16]));

    [Fact]
    public void Decode_BlockOfNoData_ReturnsZero() => Assert.Equal(0, LZ4Codec.Decode([0], []));

    [Fact]
    public void RoundTrip_RandomMixes_GivesBackEveryByte()
    {
        Random random = new(4711);
        for (int round = 0; round < 3_000; round++)
        {
            byte[] data = Mix(random, random.Next(1, round % 50 == 0 ? 200_000 : 3_000));
            byte[] block = new byte[LZ4Codec.MaximumOutputSize(data.Length)];
            int written = LZ4Codec.Encode(data, block);
            byte[] back = new byte[data.Length];
            Assert.Equal(data.Length, LZ4Codec.Decode(block.AsSpan(0, written), back));
            Assert.True(data.AsSpan().SequenceEqual(back), $"seed 4711, round {round}");
        }
    }

    [Theory]
    [InlineData(76)]
    [InlineData(800)]
    [InlineData(6000)]
    public void EncodeAndDecode_Always_AllocateNothing(int length)
    {
        byte[] block = new byte[8000];
        byte[] back = new byte[8000];
        LZ4Codec.Decode(block.AsSpan(0, LZ4Codec.Encode(Message.AsSpan(0, length), block)), back);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
            {
                int written = LZ4Codec.Encode(Message.AsSpan(0, length), block);
                LZ4Codec.Decode(block.AsSpan(0, written), back);
            }
        });
    }

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
