using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

[Trait("Category", "Vectors")]
public class HistogramVectorTests
{
    public static TheoryData<string> Indexes => new(HistogramVectors.Names("indexes"));

    public static TheoryData<string> Records => new(HistogramVectors.Names("record"));

    public static TheoryData<string> Percentiles => new(HistogramVectors.Names("percentiles"));

    public static TheoryData<string> Merges => new(HistogramVectors.Names("merge"));

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
                    cell.GetProperty("median").GetInt64(), cell.GetProperty("size").GetInt64()),
                (index, layout.LowestOf(index), layout.HighestOf(index), layout.MedianOf(index), layout.SizeOf(index)));
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
            HistogramAssert.HasFigures(expected, histogram);
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
        foreach (JsonElement pair in vector.GetProperty("below").EnumerateArray())
            HistogramAssert.Close(pair[1].GetDouble(), histogram.GetPercentileAtOrBelowValue(pair[0].GetInt64()));
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Merges))]
    public void Merge_OfVector_GivesItsFigures(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        LongHistogram histogram = HistogramVectors.CreateRecorded(vector.GetProperty("a"));
        if (!vector.TryGetProperty("rejected", out _))
        {
            HistogramAssert.HasFigures(vector.GetProperty("expected"), Apply(vector, histogram));
            return;
        }

        LongHistogram before = histogram.Copy();
        Assert.Throws<HistogramException>(() => Apply(vector, histogram));
        Assert.Equal(HistogramAssert.Cells(before), HistogramAssert.Cells(histogram));
    }

    private static LongHistogram Apply(JsonElement vector, LongHistogram histogram)
    {
        JsonElement b = vector.GetProperty("b");
        switch (vector.GetProperty("op").GetString())
        {
            case "add":
                histogram.Add(HistogramVectors.CreateRecorded(b));
                return histogram;
            case "subtract":
                histogram.Subtract(HistogramVectors.CreateRecorded(b));
                return histogram;
            case "recordWithExpectedInterval":
                histogram.RecordValueWithExpectedInterval(b.GetProperty("value").GetInt64(), b.GetProperty("expectedInterval").GetInt64());
                return histogram;
            case "copyCorrected":
                return histogram.CopyCorrectedForCoordinatedOmission(b.GetProperty("expectedInterval").GetInt64());
            default:
                throw new NotSupportedException(vector.GetProperty("op").GetString());
        }
    }

    private static void AssertSizes(JsonElement vector, HistogramLayout layout) => Assert.Equal(
        (vector.GetProperty("unitMagnitude").GetInt32(), vector.GetProperty("subBucketCount").GetInt32(),
            vector.GetProperty("bucketCount").GetInt32(), vector.GetProperty("countsLength").GetInt32()),
        (layout.UnitBits, layout.SubBucketCount, layout.BucketCount, layout.Length));

    private static void AssertExact(JsonElement exact, JsonElement vector)
    {
        ValueStatistics statistics = new();
        foreach ((long value, long count) in SampleGenerator.Samples(vector.GetProperty("record")).Where(s => s.Value >= 0))
        {
            if (count == 1)
                statistics.Add(value);
            else
                statistics.Add(value, count);
        }

        Assert.Equal(exact.GetProperty("count").GetInt64(), statistics.Count);
        if (statistics.Count == 0)
            return;
        Assert.Equal(exact.GetProperty("min").GetInt64(), statistics.Min);
        Assert.Equal(exact.GetProperty("max").GetInt64(), statistics.Max);
        HistogramAssert.Close(double.Parse(exact.GetProperty("sum").GetString()!, CultureInfo.InvariantCulture), statistics.Sum);
        HistogramAssert.Close(exact.GetProperty("mean").GetDouble(), statistics.Mean);
        HistogramAssert.Close(exact.GetProperty("stddev").GetDouble(), statistics.PopulationDeviation);
    }
}
