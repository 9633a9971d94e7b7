using System.Globalization;
using System.Text;
using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

[Trait("Category", "Vectors")]
public class HistogramLogTests
{
    private const int MillisApart = 1; // the vectors' readers round twice

    public static TheoryData<string> Files => new(Named("file"));

    public static TheoryData<string> Texts => new(Named("text"));

    public static TheoryData<string> Written => new(HistogramVectors.Names("log").Where(name => Has(name, "startMs")));

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Files))]
    public void ReadFile_OfEveryWriter_GivesItsIntervals(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        List<HistogramLogInterval> read = ReadVector(vector);
        Assert.Equal(vector.GetProperty("intervals").GetArrayLength(), read.Count);
        foreach ((JsonElement expected, HistogramLogInterval interval) in vector.GetProperty("intervals").EnumerateArray().Zip(read))
        {
            Assert.Equal((expected.GetProperty("line").GetInt32(), expected.GetProperty("tag").GetString()), (interval.Line, interval.Tag));
            AssertTimes(expected, interval);
            Assert.Equal(double.Parse(expected.GetProperty("intervalMax").GetString()!, CultureInfo.InvariantCulture), interval.StatedMax);
            AssertMain(expected.GetProperty("histogram"), interval.Histogram);
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Files))]
    public void Merge_OfTheIntervalsOfATag_GivesTheFiguresOfTheWhole(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        ILookup<string?, LongHistogram> read = ReadVector(vector).ToLookup(interval => interval.Tag, interval => interval.Histogram);
        foreach (JsonElement expected in vector.GetProperty("merged").EnumerateArray())
            AssertMain(expected, HistogramMerging.Merge([.. read[expected.GetProperty("tag").GetString()]]));
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Texts))]
    public void Read_OfText_GivesIntervalsUpToTheFirstBadLine(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        JsonElement expected = vector.GetProperty("expected");
        List<HistogramLogInterval> read = [];
        HistogramFormatException? refused = ReadAll(vector.GetProperty("text").GetString()!, read);
        if (expected.ValueKind == JsonValueKind.String)
        {
            Assert.Equal((vector.GetProperty("line").GetInt32(), vector.GetProperty("intervalsBefore").GetInt32()),
                (refused?.Line ?? 0, read.Count));
            return;
        }

        Assert.Null(refused);
        Assert.Equal(expected.GetArrayLength(), read.Count);
        foreach ((JsonElement interval, HistogramLogInterval found) in expected.EnumerateArray().Zip(read))
        {
            Assert.Equal((interval.GetProperty("tag").GetString(), interval.GetProperty("total").GetInt64()),
                (found.Tag, found.Histogram.TotalCount));
            AssertTimes(interval, found);
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Written))]
    public void WriteInterval_OfVector_IsItsLine(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        using StringWriter text = new();
        (long start, long end) = (vector.GetProperty("startMs").GetInt64(), vector.GetProperty("endMs").GetInt64());
        string? tag = vector.GetProperty("tag").GetString();
        if (!vector.TryGetProperty("linePrefix", out JsonElement prefix))
        {
            Assert.Throws<ArgumentException>(() =>
                HistogramLogWriter.WriteInterval(text, start, end, LongHistogram.CreateForTimes(LatencyUnit.Microseconds), tag));
            return;
        }

        LongHistogram histogram = HistogramVectors.CreateRecorded(vector);
        HistogramLogWriter.WriteInterval(text, start, end, histogram, vector.GetProperty("unitsPerMillisecond").GetInt64(), tag);
        Assert.StartsWith(prefix.GetString()!, text.ToString());
        LongHistogram read = HistogramEncoding.Decompress(Convert.FromBase64String(text.ToString().Split(',')[^1].TrimEnd('\n')),
            histogram.Unit);
        using MemoryStream plain = new();
        HistogramEncoding.WritePlain(plain, read);
        Assert.Equal(vector.GetProperty("canonicalHex").GetString(), Convert.ToHexString(plain.ToArray()), ignoreCase: true);
    }

    [Fact]
    public void WriteHeader_ThenIntervals_HasTheLinesThatWeWrite()
    {
        string[] ours =
            [.. Encoding.UTF8.GetString(File.ReadAllBytes(Path.Combine(VectorFiles.Copies(HistogramVectors.Kind), "ours.hlog"))).Split(
                '\n')];
        using StringWriter text = new();
        HistogramLogWriter.WriteHeader(text, 1_700_000_000_000, LatencyUnit.Microseconds);
        string[] written = text.ToString().Split('\n');
        Assert.Equal(ours[..2], written[..2]);
        Assert.Equal("#[StartTime: 1700000000.000 (seconds since epoch), 2023-11-14T22:13:20.000Z]", written[2]);
        Assert.Equal(ours[3], written[3]);
        Assert.All(written, line => Assert.InRange(line.Length, 0, 126)); // a reader reads a header in pieces of 127
    }

    [Fact]
    public void ReadFile_KeepingOneHistogram_GivesTheSameCountsOneAfterTheOther()
    {
        string path = Path.Combine(VectorFiles.Copies(HistogramVectors.Kind), "java-tags.hlog");
        List<HistogramLogInterval> apart = [.. HistogramLogReader.ReadFile(path)];
        int count = 0;
        HashSet<LongHistogram> seen = [];
        foreach (HistogramLogInterval interval in HistogramLogReader.ReadFile(path, keepsOne: true))
        {
            HistogramAssert.Same(apart[count++].Histogram, interval.Histogram);
            seen.Add(interval.Histogram);
        }

        Assert.Equal((apart.Count, 1), (count, seen.Count));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WrittenIntervals_Merged_AreWhatWasRecordedTogether(bool isNanos)
    {
        LatencyUnit unit = isNanos ? LatencyUnit.Nanoseconds : LatencyUnit.Microseconds;
        LongHistogram together = LongHistogram.CreateForTimes(unit);
        using StringWriter text = new();
        HistogramLogWriter.WriteHeader(text, 1_700_000_000_123, unit);
        Random random = new(14);
        for (int i = 0; i < 20; i++)
        {
            LongHistogram interval = LongHistogram.CreateForTimes(unit);
            for (int n = 0; n < i * 100; n++)
                interval.RecordValue(random.NextInt64(1L << random.Next(1, 40)));
            together.Add(interval);
            HistogramLogWriter.WriteInterval(text, 1_700_000_000_123 + (i * 1000), 1_700_000_001_123 + (i * 1000), interval);
        }

        List<HistogramLogInterval> read = [];
        Assert.Null(ReadAll(text.ToString(), read));
        Assert.Equal(20, read.Count);
        HistogramAssert.Same(together, HistogramMerging.Merge([.. read.Select(interval => interval.Histogram)])!);
    }

    private static List<HistogramLogInterval> ReadVector(JsonElement vector) =>
        [.. HistogramLogReader.ReadFile(Path.Combine(VectorFiles.Folder(HistogramVectors.Kind)!, vector.GetProperty("file").GetString()!))];

    private static HistogramFormatException? ReadAll(string text, List<HistogramLogInterval> read)
    {
        using MemoryStream bytes = new(Encoding.UTF8.GetBytes(text));
        try
        {
            foreach (HistogramLogInterval interval in new HistogramLogReader().Read(bytes))
                read.Add(interval);
            return null;
        }
        catch (HistogramFormatException refused)
        {
            return refused;
        }
    }

    private static void AssertTimes(JsonElement expected, HistogramLogInterval interval)
    {
        Assert.Equal(expected.GetProperty("startMs").GetInt64(), interval.StartMillis);
        Assert.InRange(Math.Abs(expected.GetProperty("endMs").GetInt64() - interval.EndMillis), 0, MillisApart);
    }

    private static void AssertMain(JsonElement expected, LongHistogram? histogram)
    {
        Assert.NotNull(histogram);
        Assert.Equal(
            (expected.GetProperty("total").GetInt64(), expected.GetProperty("min").GetInt64(), expected.GetProperty("max").GetInt64()),
            (histogram.TotalCount, histogram.GetMinValue(), histogram.GetMaxValue()));
        HistogramAssert.Close(expected.GetProperty("mean").GetDouble(), histogram.GetMean());
        foreach (JsonProperty percentile in expected.GetProperty("percentiles").EnumerateObject())
        {
            Assert.Equal(percentile.Value.GetInt64(),
                histogram.GetValueAtPercentile(double.Parse(percentile.Name, CultureInfo.InvariantCulture)));
        }
    }

    private static bool Has(string name, string property) => HistogramVectors.Get(name).TryGetProperty(property, out _);

    private static IEnumerable<string> Named(string property) => HistogramVectors.Names("log").Where(name => Has(name, property));
}
