using System.Buffers.Binary;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

[Trait("Category", "Vectors")]
public class HistogramEncodingTests
{
    private const int CompressedHeaderBytes = 8;

    private static readonly string[] Whole = [.. HistogramVectors.Names("encoding").Where(name => !IsRejected(name))];

    public static TheoryData<string> Encoded => new(Whole);

    // One zero after the payload: the .NET package writes zeros there, so they are accepted, this vector included.
    private const string ZeroBehind = "malformed 129: payload one byte long inside zlib";

    public static TheoryData<string> Malformed =>
        new(HistogramVectors.Names("encoding").Where(name => IsRejected(name) && name != ZeroBehind));

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Encoded))]
    public void Read_OfEveryWriter_GivesTheFigures(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        foreach (JsonElement payload in vector.GetProperty("payloads").EnumerateArray())
        {
            foreach (LongHistogram histogram in Decode(payload))
            {
                Assert.Equal(vector.GetProperty("digits").GetInt32(), histogram.Layout.Digits);
                HistogramAssert.HasFigures(vector.GetProperty("expected"), histogram);
            }
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Encoded))]
    public void WritePlain_OfWhatWasRead_GivesTheCanonicalBytes(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        foreach (LongHistogram histogram in vector.GetProperty("payloads").EnumerateArray().SelectMany(Decode))
        {
            byte[] plain = Plain(histogram);
            if (vector.TryGetProperty("canonicalHex", out JsonElement hex))
            {
                Assert.Equal(hex.GetString(), Convert.ToHexString(plain), ignoreCase: true);
            }
            else
            {
                Assert.Equal(vector.GetProperty("canonicalSha256").GetString(), Convert.ToHexString(SHA256.HashData(plain)),
                    ignoreCase: true);
            }
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Encoded))]
    public void Compress_ThenDecompress_GivesTheSame(string name)
    {
        foreach (LongHistogram histogram in HistogramVectors.Get(name).GetProperty("payloads").EnumerateArray().SelectMany(Decode))
        {
            byte[] compressed = HistogramEncoding.Compress(histogram);
            HistogramAssert.Same(histogram, HistogramEncoding.Decompress(compressed, histogram.Unit));
            Assert.True(Plain(histogram).AsSpan().SequenceEqual(Inflate(compressed)), "other bytes");
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Malformed))]
    public void Read_OfMalformed_IsRefusedByTheTypedError(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<HistogramFormatException>(() => Decode(vector).Count());
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4_000_000); // a decompression bomb is not inflated
    }

    [Fact]
    public void Read_OfAZeroBehindThePayload_GivesTheHistogram()
    {
        Assert.SkipUnless(HistogramVectors.Names("encoding").Contains(ZeroBehind), "other vectors");
        Assert.True(Assert.Single(Decode(HistogramVectors.Get(ZeroBehind))).TotalCount > 0);
    }

    [Fact]
    public void Decompress_DamagedInEveryByte_GivesAHistogramOrTheTypedError()
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        for (int i = 0; i < 200; i++)
            histogram.RecordValueWithCount(i * i, i);
        byte[] whole = HistogramEncoding.Compress(histogram);
        for (int i = 0; i < whole.Length; i++)
        {
            foreach (byte change in new byte[] { 0x01, 0x80, 0xFF })
            {
                byte[] damaged = [.. whole];
                damaged[i] ^= change;
                Assert.True(Record.Exception(() => HistogramEncoding.Decompress(damaged, LatencyUnit.Microseconds)) is null
                    or HistogramFormatException, $"byte {i}");
            }
        }
    }

    [Fact]
    public void Decompress_WithMoreCellsThanTheCallerTakes_IsRefused()
    {
        byte[] bytes = HistogramEncoding.Compress(LongHistogram.CreateForTimes(LatencyUnit.Microseconds));
        Assert.Throws<HistogramFormatException>(() => HistogramEncoding.Decompress(bytes, LatencyUnit.Microseconds, maxCells: 20_000));
    }

    private static bool IsRejected(string name) =>
        HistogramVectors.Get(name).TryGetProperty("expected", out JsonElement expected) && expected.ValueKind == JsonValueKind.String;

    private static IEnumerable<LongHistogram> Decode(JsonElement payload)
    {
        if (payload.TryGetProperty("hex", out JsonElement hex))
            yield return HistogramEncoding.ReadPlain(Convert.FromHexString(hex.GetString()!), LatencyUnit.Microseconds);
        if (payload.TryGetProperty("base64", out JsonElement base64))
            yield return HistogramEncoding.Decompress(Convert.FromBase64String(base64.GetString()!), LatencyUnit.Microseconds);
    }

    private static byte[] Plain(LongHistogram histogram)
    {
        using MemoryStream bytes = new();
        HistogramEncoding.WritePlain(bytes, histogram);
        return bytes.ToArray();
    }

    private static byte[] Inflate(byte[] compressed)
    {
        Assert.Equal(compressed.Length - CompressedHeaderBytes, BinaryPrimitives.ReadInt32BigEndian(compressed.AsSpan(4)));
        using MemoryStream inflated = new();
        using ZLibStream zlib = new(new MemoryStream(compressed, CompressedHeaderBytes, compressed.Length - CompressedHeaderBytes),
            CompressionMode.Decompress);
        zlib.CopyTo(inflated);
        return inflated.ToArray();
    }
}
