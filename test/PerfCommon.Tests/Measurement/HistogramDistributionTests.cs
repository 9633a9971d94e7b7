using System.Text.Json;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

[Trait("Category", "Vectors")]
public class HistogramDistributionTests
{
    public static TheoryData<string> Distributions => new(HistogramVectors.Names("hgrm"));

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Distributions))]
    public void Levels_OfVector_AreThose(string name)
    {
        JsonElement vector = HistogramVectors.Get(name);
        IEnumerable<(long, double, long)> expected =
            vector.GetProperty("levels").EnumerateArray().Select(level => (level[0].GetInt64(), level[1].GetDouble(), level[2].GetInt64()));
        Assert.Equal(expected, HistogramVectors.CreateRecorded(vector).Levels(Ticks(vector)));
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Distributions))]
    public void WriteDistribution_OfVector_IsItsText(string name) => ExpectText(name, "text", HistogramDistribution.WriteDistribution);

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Distributions))]
    public void WriteDistributionCsv_OfVector_IsItsText(string name) => ExpectText(name, "csv", HistogramDistribution.WriteDistributionCsv);

    [Fact]
    public void WriteDistribution_ValuesAboveTheRange_EndsBelowThemAndCountsThem()
    {
        LongHistogram samples = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        samples.RecordValueWithCount(100, 9);
        samples.RecordValueWithCount(5_000_000_000, 1);
        using StringWriter text = new();
        samples.WriteDistribution(text);

        string[] lines = text.ToString().Split('\n');
        Assert.All(samples.Levels(), level => Assert.Equal((100, 9), (level.Value, level.Count)));
        Assert.DoesNotContain(lines.Where(line => !line.StartsWith('#')), line => line.Contains("360", StringComparison.Ordinal));
        Assert.Contains("#[Above the range = 1: levels that would lie there are left out]", lines);
    }

    private static void ExpectText(string name, string property, Action<LongHistogram, TextWriter, double, int> write)
    {
        JsonElement vector = HistogramVectors.Get(name);
        using StringWriter text = new();
        write(HistogramVectors.CreateRecorded(vector), text, vector.GetProperty("scale").GetDouble(), Ticks(vector));
        Assert.Equal(vector.GetProperty(property).GetString(), text.ToString());
    }

    private static int Ticks(JsonElement vector) => vector.GetProperty("ticksPerHalfDistance").GetInt32();
}
