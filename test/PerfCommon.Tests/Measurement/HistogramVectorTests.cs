using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

[Trait("Category", "Vectors")]
public class HistogramVectorTests
{
    private const double Tolerance = 1e-9;

    public static TheoryData<string> Indexes => new(HistogramVectors.Names("indexes"));

    public static TheoryData<string> Records => new(HistogramVectors.Names("record"));

    public static TheoryData<string> Percentiles => new(HistogramVectors.Names("percentiles"));

    public static TheoryData<string> Sums => new(HistogramVectors.Names("add"));

    public static TheoryData<string> NotBuilt =>
        new(VectorFiles.Discover(HistogramVectors.Kind, "*.hlog").Select(Path.GetFileName)
            .Concat(HistogramVectors.Names("encoding").Concat(HistogramVectors.Names("hgrm")).Concat(HistogramVectors.Names("log"))
                .Select(name => name.Split(' ')[0] + ".json").Distinct())!);

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Indexes))]
    public void Layout_OfVector_HasItsCells(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        if (vector.TryGetProperty("rejected", out _))
        {
            Assert.ThrowsAny<ArgumentException>(() => HistogramVectors.Create(vector));
            return;
        }

        HistogramLayout layout = HistogramVectors.Create(vector).Layout;
        AssertSizes(vector, layout);
        foreach (JsonElement cell in vector.GetProperty("values").EnumerateArray())
        {
            int index = layout.IndexOf(cell.GetProperty("value").GetInt64());
            Assert.Equal(
                (cell.GetProperty("index").GetInt32(), cell.GetProperty("lowest").GetInt64(), cell.GetProperty("highest").GetInt64(),
                    cell.GetProperty("size").GetInt64()),
                (index, layout.LowestOf(index), layout.HighestOf(index), layout.SizeOf(index)));
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Records))]
    public void RecordValue_OfVector_GivesItsFigures(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        LongHistogram histogram = HistogramVectors.CreateRecorded(vector);
        if (vector.TryGetProperty("countsLength", out _))
            AssertSizes(vector, histogram.Layout);
        if (vector.TryGetProperty("expected", out JsonElement expected))
            AssertFigures(expected, histogram);
        if (vector.TryGetProperty("exact", out JsonElement exact))
            AssertExact(exact, vector);
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Percentiles))]
    public void GetValueAtPercentile_OfVector_GivesItsValues(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        LongHistogram histogram = HistogramVectors.CreateRecorded(vector);
        foreach (JsonElement pair in vector.GetProperty("percentiles").EnumerateArray())
            Assert.Equal(pair[1].GetInt64(), histogram.GetValueAtPercentile(pair[0].GetDouble()));
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Sums))]
    public void Add_OfVector_GivesItsFigures(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        LongHistogram histogram = HistogramVectors.CreateRecorded(vector.GetProperty("a"));
        histogram.Add(HistogramVectors.CreateRecorded(vector.GetProperty("b")));
        AssertFigures(vector.GetProperty("expected"), histogram);
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(NotBuilt))]
    public void File_OfLaterPart_IsSkipped(string file) => Assert.Skip($"{file}: encoding, .hlog and .hgrm are not built yet");

    private static void AssertSizes(JsonElement vector, HistogramLayout layout) => Assert.Equal(
        (vector.GetProperty("unitMagnitude").GetInt32(), vector.GetProperty("subBucketCount").GetInt32(),
            vector.GetProperty("bucketCount").GetInt32(), vector.GetProperty("countsLength").GetInt32()),
        (layout.UnitBits, layout.SubBucketCount, layout.BucketCount, layout.Length));

    private static void AssertFigures(JsonElement expected, LongHistogram histogram)
    {
        Assert.Equal(expected.GetProperty("total").GetInt64(), histogram.TotalCount);
        foreach (JsonProperty percentile in expected.GetProperty("percentiles").EnumerateObject())
        {
            double asked = double.Parse(percentile.Name, CultureInfo.InvariantCulture);
            Assert.Equal(percentile.Value.GetInt64(), histogram.GetValueAtPercentile(asked));
        }

        Assert.Equal(Optional(expected, "overflow"), histogram.OverflowCount);
        Assert.Equal(Optional(expected, "negative"), histogram.NegativeCount);
        AssertCells(expected, histogram);
    }

    private static void AssertCells(JsonElement expected, LongHistogram histogram)
    {
        List<(int Index, long Count)> cells = Cells(histogram);
        if (expected.TryGetProperty("counts", out JsonElement counts))
        {
            Assert.Equal(counts.EnumerateArray().Select(c => (c[0].GetInt32(), c[1].GetInt64())), cells);
            return;
        }

        string lines = string.Concat(cells.Select(c => FormattableString.Invariant($"{c.Index}:{c.Count}\n")));
        Assert.Equal(expected.GetProperty("distinct").GetInt32(), cells.Count);
        Assert.Equal(
            expected.GetProperty("countsSha256").GetString(), Convert.ToHexString(SHA256.HashData(Encoding.ASCII.GetBytes(lines))), ignoreCase: true);
    }

    private static void AssertExact(JsonElement exact, JsonElement vector)
    {
        ValueStatistics statistics = new();
        foreach ((long value, long count) in SampleGenerator.Samples(vector.GetProperty("record")).Where(s => s.Value >= 0))
        {
            AddMany(statistics, value, count);
        }

        Assert.Equal(exact.GetProperty("count").GetInt64(), statistics.Count);
        if (statistics.Count == 0)
            return;
        Assert.Equal(exact.GetProperty("min").GetInt64(), statistics.Min);
        Assert.Equal(exact.GetProperty("max").GetInt64(), statistics.Max);
        AssertClose(exact.GetProperty("mean").GetDouble(), statistics.Mean);
        double toPopulation = Math.Sqrt((statistics.Count - 1.0) / statistics.Count);
        AssertClose(exact.GetProperty("stddev").GetDouble(), statistics.StandardDeviation * toPopulation);
    }

    // counts go beyond what can be added one by one: sums of 1, 2, 4.. values
    private static void AddMany(ValueStatistics statistics, long value, long count)
    {
        ValueStatistics power = new();
        power.Add(value);
        for (; count > 0; count >>= 1)
        {
            if ((count & 1) != 0)
                statistics.Merge(power);
            ValueStatistics half = power;
            power = new ValueStatistics();
            power.Merge(half);
            power.Merge(half);
        }
    }

    private static List<(int Index, long Count)> Cells(LongHistogram histogram) =>
        [.. histogram.Counts.ToArray().Select((count, index) => (index, count)).Where(c => c.count > 0)];

    private static long Optional(JsonElement element, string name) => element.TryGetProperty(name, out JsonElement value) ? value.GetInt64() : 0;

    private static void AssertClose(double expected, double actual) =>
        Assert.True(Math.Abs(expected - actual) <= Tolerance * Math.Max(Math.Abs(expected), 1e-300) || expected == actual, $"expected {expected:R}, got {actual:R}");
}
