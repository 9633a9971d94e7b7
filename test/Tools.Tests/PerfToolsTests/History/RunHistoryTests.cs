using System.Globalization;
using System.Text.Json;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.History;
using Xunit;

namespace Tools.Tests.PerfToolsTests.History;

public class RunHistoryTests
{
    private const int Runs = 40;
    private const int Histories = 40;
    private const int MaxOff = 2;

    [Theory]
    [InlineData(6)]
    [InlineData(20)]
    [InlineData(34)]
    public void Of_LatencyThatGrewByEightPercent_IsWorseWithinTwoRunsInEveryHistory(int at)
    {
        for (int seed = 0; seed < Histories; seed++)
        {
            HistoryChange[] changes = [.. Of(new SimulatedRuns(seed).Make(Runs, i => i < at ? 1 : 1.08)).Changes];
            Assert.Contains(changes, change => change.Figure.Name is "avg" or "p50" or "p90" && change.Word == ChangeWord.Worse
                && change.IsStanding && Math.Abs(IndexOf(change) - at) <= MaxOff && change.Percent is > 5 and < 11);
        }
    }

    [Fact]
    public void Of_LatencyThatGrewInTheMiddle_FindsAlmostEveryFigureOfIt()
    {
        HistoryChange[] changes = [.. Enumerable.Range(0, Histories).SelectMany(seed =>
            Of(new SimulatedRuns(seed).Make(Runs, i => i < 20 ? 1 : 1.08)).Changes).Where(change => change.Figure.Name is "avg" or "p50" or "p90")];
        Assert.InRange(changes.Length, 3 * Histories * 95 / 100, 3 * Histories);
        Assert.InRange(changes.Count(change => Math.Abs(IndexOf(change) - 20) > MaxOff), 0, changes.Length * 5 / 100);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0.3, 0)]
    [InlineData(0.5, 0)]
    [InlineData(0, 20)]
    public void Of_TwoHundredHistoriesWithoutChange_ShowsOneInTenAtMost(double likeness, int outlierEvery)
    {
        int alarms = Enumerable.Range(0, 200).Count(seed =>
            Of(new SimulatedRuns(seed) { Likeness = likeness, OutlierEvery = outlierEvery }.Make(Runs)).Changes.Count > 0);
        Assert.InRange(alarms, 0, 10);
    }

    [Fact]
    public void Of_ALatencyThatRecovered_HasTwoChangesAndNoneThatStands()
    {
        RunHistory history = Of(new SimulatedRuns(1).Make(Runs, i => i is >= 14 and < 26 ? 1.15 : 1));
        HistoryChange[] median = [.. history.Changes.Where(change => change.Figure.Name == "p50").OrderBy(IndexOf)];
        Assert.Equal([ChangeWord.Worse, ChangeWord.Better], median.Select(change => change.Word));
        Assert.All(median.Zip([14, 26]), pair => Assert.InRange(IndexOf(pair.First), pair.Second - MaxOff, pair.Second + MaxOff));
        Assert.DoesNotContain(history.Changes, change => change.IsStanding);
    }

    [Fact]
    public void Of_OneRunThatIsFarOff_IsNoChange() =>
        Assert.Empty(Of(new SimulatedRuns(2).Make(Runs, i => i == 20 ? 3 : 1)).Changes);

    [Theory]
    [InlineData("machine")]
    [InlineData("option")]
    [InlineData("placement")]
    [InlineData("scenario")]
    public void Of_RunsThatDiffer_AreNeverJoined(string what)
    {
        RunDocument[] runs = [.. new SimulatedRuns(3).Make(Runs, i => i < 20 ? 1 : 1.5).Select((run, i) => i < 20 ? run : Change(run, what))];
        RunHistory history = RunHistory.Of(runs.Select((run, i) => HistoryRun.Of(Name(i), run) is var point && what == "placement" && i >= 20
            ? point with { Placement = "on one processor" } : HistoryRun.Of(Name(i), run)));
        Assert.Equal([20, 20], history.Series.Select(series => series.Runs.Count));
        Assert.Equal("", history.Series[0].Differences);
        string? difference = what switch
        {
            "machine" => "processors: 8 and 128",
            "option" => "pack: 1 and 30",
            "placement" => $"placement: {NothingIfEmpty(history.Series[0].Placement)} and on one processor",
            _ => null, // another scenario is no second series of this one
        };
        Assert.Equal(difference ?? "", history.Series[1].Differences);
        Assert.Empty(history.Changes);
    }

    [Fact]
    public void Of_AMachineThatComesBack_GoesOnWithItsSeries()
    {
        RunDocument[] runs = [.. new SimulatedRuns(4).Make(Runs).Select((run, i) => i % 2 == 0 ? run : Change(run, "machine"))];
        RunHistory history = Of(runs);
        Assert.Equal([("direct 1", 20, ""), ("direct 2", 20, "processors: 8 and 128")],
            history.Series.Select(series => (series.Name, series.Runs.Count, series.Differences)));
    }

    [Fact]
    public void Of_RunsThatFailedOrWereChanged_LeavesThemOut()
    {
        RunDocument[] runs = [.. new SimulatedRuns(5).Make(3)];
        runs[1] = runs[1] with { Verdict = RunVerdict.Failed, Reason = "lost", Figures = null };
        RunChange change = new() { Utc = default, Role = "provider", Name = "mark", Value = "here" };
        runs[0] = runs[0] with { Changes = [change] };
        runs[2] = runs[2] with { Changes = [change, change with { Name = "rate" }] };
        RunHistory history = Of(runs);
        Assert.Equal(1, history.RunCount);
        Assert.Equal([("1", "FAILED"), ("2", "the load was changed by hand")], history.LeftOut.Select(run => (run.Folder, run.Problem!)));
    }

    [Fact]
    public void Of_Last_LooksAtTheNewestOnly()
    {
        RunHistory history = RunHistory.Of(new SimulatedRuns(6).Make(Runs, i => i < 20 ? 1 : 1.5).Select((run, i) => HistoryRun.Of(Name(i), run)), 15);
        Assert.Equal(15, history.RunCount);
        Assert.Equal("25", history.Series[0].Runs[0].Folder);
        Assert.Empty(history.Changes);
    }

    /// <summary>A figure of 0 is no point of its series: levels are logarithms.</summary>
    [Fact]
    public void Of_FigureOfZero_HasNoPoint()
    {
        RunDocument run = new SimulatedRuns(7).Make(1).Single();
        string[] all = Names(run), without = Names(run with { Figures = run.Figures! with { LatencyMicros = run.Figures.LatencyMicros! with { P50 = 0 } } });
        Assert.Equal(["p50"], all.Except(without));
        Assert.Empty(without.Except(all));

        static string[] Names(RunDocument run) => [.. HistoryRun.Of("", run).Values.Select(value => value.Figure.Name)];
    }

    private static string NothingIfEmpty(string placement) => placement.Length == 0 ? "nothing" : placement;

    private static RunDocument Change(RunDocument run, string what) => what switch
    {
        "machine" => run with { Machine = run.Machine with { Processors = 128 } },
        "option" => run with { Inputs = new Dictionary<string, JsonElement>(run.Inputs) { ["pack"] = JsonSerializer.SerializeToElement(30) } },
        "scenario" => run with { Scenario = "hub-direct" },
        _ => run,
    };

    private static int IndexOf(HistoryChange change) => int.Parse(change.First.Folder, CultureInfo.InvariantCulture);

    private static string Name(int index) => index.ToString(CultureInfo.InvariantCulture);

    private static RunHistory Of(IEnumerable<RunDocument> runs) => RunHistory.Of(runs.Select((run, i) => HistoryRun.Of(Name(i), run)));
}
