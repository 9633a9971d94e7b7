using System.Text.Json;
using K4os.Compression.LZ4;
using PerfCommon.Transport.Compression;
using Xunit;

namespace PerfCommon.Tests.Transport.Compression;

/// <summary>Every file of the lz4 vectors, classified by its entries.</summary>
[Trait("Category", "Vectors")]
public sealed class LZ4VectorTests : IDisposable
{
    private static readonly Dictionary<string, JsonElement> All = Load();

    private readonly Lz4BlockEncoder _encoder = new();

    public static TheoryData<string> Plains => Names(v => v.TryGetProperty("maximumOutputSize", out _));

    public static TheoryData<string> Blocks => Names(v => HasBlock(v) && !v.TryGetProperty("limit", out _));

    public static TheoryData<string> Verdicts => Names(v => v.TryGetProperty("limit", out _));

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Plains))]
    public void Encode_Plain_DecodesAndStaysWithinBound(string name)
    {
        JsonElement vector = All[name];
        byte[] plain = Lz4VectorData.Plain(vector.GetProperty("plain"));
        Assert.Equal(vector.GetProperty("crc32").GetString(), PayloadCrc.Hex(plain));
        int most = LZ4Codec.MaximumOutputSize(plain.Length);
        Assert.Equal(vector.GetProperty("maximumOutputSize").GetInt32(), most);

        if (plain.Length == 0)
            return; // an empty body is never compressed

        byte[] block = new byte[most];
        int written = _encoder.Encode(plain, block);

        Assert.InRange(written, 1, most);
        AssertEndRules(block.AsSpan(0, written), plain.Length);
        Assert.Equal(plain, DecodeTight(block.AsSpan(0, written), plain.Length));
        int reference = vector.GetProperty("sizes").GetProperty("default").GetInt32();
        if (plain.Length > 1024 && reference < plain.Length / 2)
            Assert.True(written <= reference * 1.15, $"{written} bytes, liblz4 {reference}");
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Plains))]
    public void Encode_EverySmallerTarget_RefusesOrFits(string name)
    {
        byte[] plain = Lz4VectorData.Plain(All[name].GetProperty("plain"));
        if (plain.Length == 0)
            return; // an empty body is never compressed

        byte[] block = new byte[LZ4Codec.MaximumOutputSize(plain.Length)];
        int needed = _encoder.Encode(plain, block);
        int step = Math.Max(1, needed / 100);
        for (int room = needed - 1; room >= 0; room -= step)
        {
            byte[] guarded = Guarded(room);
            int written = _encoder.Encode(plain, guarded.AsSpan(0, room)); // the content of the table decides between matches
            AssertGuard(guarded, room);
            if (written > 0)
                Assert.Equal(plain, DecodeTight(guarded.AsSpan(0, written), plain.Length));
            else
                Assert.Equal(-1, written);
        }

        Assert.True(needed < 20 || _encoder.Encode(plain, new byte[needed / 2]) == -1);
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Blocks))]
    public void Decode_Block_GivesPlainAndNeedsItsRoom(string name)
    {
        JsonElement vector = All[name];
        byte[] plain = Lz4VectorData.Plain(vector.GetProperty("plain"));
        byte[] block = Lz4VectorData.Block(vector);
        if (plain.Length == 0)
        {
            Assert.Equal(-1, Lz4BlockDecoder.Decode(block, new byte[100])); // an empty message is malformed data (wire/transport 5.3)
            return;
        }

        Assert.Equal(plain, DecodeTight(block, plain.Length));
        byte[] roomy = new byte[plain.Length + 100];
        Assert.Equal(plain.Length, Lz4BlockDecoder.Decode(block, roomy));
        Assert.Equal(plain, roomy[..plain.Length]);
        Assert.Equal(-1, Lz4BlockDecoder.Decode(block, new byte[plain.Length - 1]));
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Verdicts))]
    public void Decode_DoubtfulBlock_IsRejectedOrExact(string name)
    {
        JsonElement vector = All[name];
        int room = vector.GetProperty("limit").GetInt32();
        byte[] guarded = Guarded(room);

        int count = Lz4BlockDecoder.Decode(Lz4VectorData.Block(vector), guarded.AsSpan(0, room));

        AssertGuard(guarded, room);
        if (vector.GetProperty("expected").GetString() == "rejected")
            Assert.Equal(-1, count);
        else if (count >= 0)
            Assert.Equal(Expected(vector), (count, PayloadCrc.Hex(guarded.AsSpan(0, count))));
    }

    public void Dispose() => _encoder.Dispose();

    private static (int, string?) Expected(JsonElement vector)
    {
        if (!vector.TryGetProperty("plain", out JsonElement description))
            return (vector.GetProperty("length").GetInt32(), vector.GetProperty("crc32").GetString());
        byte[] plain = Lz4VectorData.Plain(description);
        return (plain.Length, PayloadCrc.Hex(plain));
    }

    private static byte[] DecodeTight(ReadOnlySpan<byte> block, int length)
    {
        byte[] guarded = Guarded(length);
        Assert.Equal(length, Lz4BlockDecoder.Decode(block, guarded.AsSpan(0, length)));
        AssertGuard(guarded, length);
        return guarded[..length];
    }

    // The last 5 bytes are literals and no match starts in the last 12.
    private static void AssertEndRules(ReadOnlySpan<byte> block, int plainLength)
    {
        int at = 0;
        int output = 0;
        while (at < block.Length)
        {
            int token = block[at++];
            int literals = Length(block, ref at, token >> 4);
            at += literals;
            output += literals;
            if (at == block.Length)
            {
                Assert.True(literals >= Math.Min(5, plainLength));
                Assert.Equal(plainLength, output);
                return;
            }

            Assert.True(output <= plainLength - 12);
            at += 2;
            output += 4 + Length(block, ref at, token & 15);
        }
    }

    private static int Length(ReadOnlySpan<byte> block, ref int at, int half)
    {
        if (half != 15)
            return half;
        while (block[at] == 255)
            half += block[at++];
        return half + block[at++];
    }

    private static byte[] Guarded(int room)
    {
        byte[] bytes = new byte[room + 64];
        bytes.AsSpan(room).Fill(0xa5);
        return bytes;
    }

    private static void AssertGuard(byte[] guarded, int room) => Assert.Equal(-1, guarded.AsSpan(room).IndexOfAnyExcept((byte)0xa5));

    private static bool HasBlock(JsonElement vector) => vector.TryGetProperty("block", out _) || vector.TryGetProperty("blockParts", out _);

    private static TheoryData<string> Names(Func<JsonElement, bool> wanted) => new(All.Where(e => wanted(e.Value)).Select(e => e.Key));

    private static Dictionary<string, JsonElement> Load()
    {
        Dictionary<string, JsonElement> vectors = [];
        foreach (string path in VectorFiles.Discover("lz4"))
        {
            using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(path));
            int index = 0;
            foreach (JsonElement vector in document.RootElement.EnumerateArray())
            {
                string name = vector.TryGetProperty("name", out JsonElement text) ? text.GetString()! : "";
                vectors.Add($"{Path.GetFileNameWithoutExtension(path)}/{index++} {name}", vector.Clone());
            }
        }

        return vectors;
    }
}
