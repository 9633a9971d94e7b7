using System.Globalization;
using PerfTools.Results.Comparison;
using PerfTools.Results.History;
using Tools.Tests.PerfToolsTests.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests.History;

/// <summary>The forty recorded runs of a busy machine in many orders: real noise instead of a formula's.</summary>
public class RecordedHistoryTests
{
    private static readonly DateTime First = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private static readonly IReadOnlyList<IReadOnlyList<HistoryValue>> Values = [.. RecordedRuns.All.Select(run => ReadAll(run.Whole))];

    [Fact]
    public void Of_RecordedRunsInTwoHundredOrders_ShowsAChangeInTenAtMost() =>
        Assert.InRange(Enumerable.Range(0, 200).Count(seed => Of(Shuffle(seed)).Changes.Count > 0), 0, 10);

    [Theory]
    [InlineData("cpu", 1.3, 36)]
    [InlineData("p50", 2, 40)]
    public void Of_RecordedRunsWithAChangeAboveTheirNoise_FindsIt(string figure, double factor, int minFound) =>
        Assert.InRange(Enumerable.Range(0, 40).Count(seed => Of(Plant(Shuffle(seed), factor)).Changes.Any(change =>
            change.Figure.Name == figure && change.Word == ChangeWord.Worse && change.First.Folder is "18" or "19" or "20" or "21" or "22")), minFound, 40);

    private static HistoryValue[][] Plant(IReadOnlyList<IReadOnlyList<HistoryValue>> runs, double factor) =>
        [.. runs.Select((run, i) => run.Select(value => i < 20 ? value : value with { Value = value.Value * factor }).ToArray())];

    private static IReadOnlyList<HistoryValue>[] Shuffle(int seed)
    {
        IReadOnlyList<HistoryValue>[] runs = [.. Values];
        new Random(seed).Shuffle(runs);
        return runs;
    }

    private static RunHistory Of(IReadOnlyList<IReadOnlyList<HistoryValue>> runs) => RunHistory.Of(runs.Select((values, i) =>
        HistoryRun.Of(i.ToString(CultureInfo.InvariantCulture), SampleFigures.Run with { StartUtc = First.AddDays(i) }) with { Values = values }));

    private static HistoryValue[] ReadAll(MeasuredSegment run)
    {
        SegmentSum sum = SegmentSum.Of([run]);
        return [.. ComparedFigure.Of(sum.Roles).Where(figure => figure.Read(sum) > 0).Select(figure => new HistoryValue(figure, figure.Read(sum)!.Value))];
    }
}
