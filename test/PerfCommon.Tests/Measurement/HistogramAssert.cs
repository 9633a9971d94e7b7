using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

/// <summary>Compares histograms with the expectations of a vector, and with each other.</summary>
internal static class HistogramAssert
{
    private const double Tolerance = 1e-9;

    public static void HasFigures(JsonElement expected, LongHistogram histogram)
    {
        Assert.Equal(expected.GetProperty("total").GetInt64(), histogram.TotalCount);
        Assert.Equal(expected.GetProperty("min").GetInt64(), histogram.GetMinValue());
        Assert.Equal(expected.GetProperty("max").GetInt64(), histogram.GetMaxValue());
        JsonElement minNonZero = expected.GetProperty("minNonZero");
        Assert.Equal(minNonZero.ValueKind == JsonValueKind.Null ? null : minNonZero.GetInt64(), histogram.GetMinNonZeroValue());
        Close(expected.GetProperty("mean").GetDouble(), histogram.GetMean());
        Close(expected.GetProperty("stddev").GetDouble(), histogram.GetStdDeviation());
        foreach (JsonProperty percentile in expected.GetProperty("percentiles").EnumerateObject())
        {
            double asked = double.Parse(percentile.Name, CultureInfo.InvariantCulture);
            Assert.Equal(percentile.Value.GetInt64(), histogram.GetValueAtPercentile(asked));
        }

        Assert.Equal(Optional(expected, "overflow"), histogram.OverflowCount);
        Assert.Equal(Optional(expected, "negative"), histogram.NegativeCount);
        HasCells(expected, histogram);
    }

    public static void HasCells(JsonElement expected, LongHistogram histogram)
    {
        List<(int Index, long Count)> cells = Cells(histogram);
        if (expected.TryGetProperty("counts", out JsonElement counts))
        {
            SameCells([.. counts.EnumerateArray().Select(c => (c[0].GetInt32(), c[1].GetInt64()))], cells);
            return;
        }

        string lines = string.Concat(cells.Select(c => FormattableString.Invariant($"{c.Index}:{c.Count}\n")));
        Assert.Equal(expected.GetProperty("distinct").GetInt32(), cells.Count);
        Assert.Equal(
            expected.GetProperty("countsSha256").GetString(), Convert.ToHexString(SHA256.HashData(Encoding.ASCII.GetBytes(lines))),
            ignoreCase: true);
    }

    /// <summary>Asserts that both have the same cells, counts and unit.</summary>
    public static void Same(LongHistogram expected, LongHistogram actual)
    {
        Assert.Equal((expected.Layout, expected.Unit, expected.TotalCount), (actual.Layout, actual.Unit, actual.TotalCount));
        SameCells(Cells(expected), Cells(actual));
    }

    public static List<(int Index, long Count)> Cells(LongHistogram histogram) =>
        [.. Enumerable.Range(0, histogram.LastUsed + 1).Select(i => (i, histogram.CountAt(i))).Where(c => c.Item2 > 0)];

    // The framework's comparison of thousands of tuples is slower than all else: it is used only to report the difference.
    private static void SameCells(List<(int Index, long Count)> expected, List<(int Index, long Count)> actual)
    {
        if (!expected.SequenceEqual(actual))
            Assert.Equal(expected, actual);
    }

    private static long Optional(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value) ? value.GetInt64() : 0;

    public static void Close(double expected, double actual) =>
        Assert.True(Math.Abs(expected - actual) <= Tolerance * Math.Max(Math.Abs(expected), 1e-300) || expected == actual,
            $"expected {expected:R}, got {actual:R}");
}
