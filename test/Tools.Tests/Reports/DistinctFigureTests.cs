using System.Text.Json;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>Checks that the figures of <see cref="DistinctFigures"/> are distinct: else an exchange of two would change no text.</summary>
[Trait("Category", "Fast")]
public class DistinctFigureTests
{
    private static readonly Dictionary<string, Report> Reports =
        new[] { WrittenReports.BusyConsumer, WrittenReports.BusyProvider, WrittenReports.Publisher, WrittenReports.Hub, WrittenReports.Users,
            WrittenReports.Transport }.ToDictionary(report => report.Tool);

    public static TheoryData<string> Tools => new(Reports.Keys);

    [Theory, MemberData(nameof(Tools))]
    public void LineOfACollection_OfEachTool_HasNoTwoEqualFiguresAndNoneThatIsNothing(string tool)
    {
        string line = WrittenReports.Write(stream => Reports[tool].WriteInterval(stream, DistinctFigures.Run, [DistinctFigures.Run]));
        using JsonDocument document = JsonDocument.Parse(line);
        double[] figures = [.. Numbers(document.RootElement.GetProperty("overall"))];
        Assert.InRange(figures.Length, 20, 400);
        Assert.DoesNotContain(0, figures);
        Assert.Empty(figures.GroupBy(figure => figure).Where(group => group.Count() > 1).Select(group => group.Key));
    }

    /// <summary>The counts of the samples for the other files: those of a busy run are distinct and complete.</summary>
    [Fact]
    public void BusySamples_OfEachTool_HaveADifferentCountInEveryRow()
    {
        Dictionary<string, CounterSnapshot> samples = new()
        {
            ["ConsPerf"] = ConsumerSamples.BusyCounts,
            ["ProvPerf"] = ProviderSamples.BusyCounts,
            ["NIProvPerf"] = PublisherSamples.BusyCounts,
            ["HubPerf"] = HubSamples.BusyCounts,
            ["UsersPerf"] = UsersSamples.BusyCounts,
            ["TransportPerf"] = TransportSamples.BusyCounts,
        };
        Assert.Equal(Reports.Keys.Order(), samples.Keys.Order());
        foreach ((string tool, CounterSnapshot counts) in samples)
        {
            long[] shown = [.. Reports[tool].Table.Rows.Where(row => row.Value.Counters.Count > 0 && row.FinalName is not null)
                .Select(row => row.Value.Counters.Sum(counter => counts[counter]))];
            Assert.DoesNotContain(0, shown);
            Assert.Equal(shown.Distinct(), shown);
        }
    }

    private static IEnumerable<double> Numbers(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(member => Numbers(member.Value)),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(Numbers),
        JsonValueKind.Number => [element.GetDouble()],
        _ => [],
    };
}
