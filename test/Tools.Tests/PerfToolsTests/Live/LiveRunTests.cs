using PerfTools.Hosting.Options;
using PerfTools.Live;
using PerfTools.Ranks;
using PerfTools.Reports;
using PerfTools.Reports.Charts;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Live;

/// <summary>The content of a live page from the collections of a run.</summary>
[Trait("Category", "Fast")]
public class LiveRunTests
{
    private static readonly DateTime Start = SampleFigures.Run.StartUtc;
    private static readonly ScenarioOptions Options = new() { Rate = 100_000, Seconds = 10 };

    [Fact]
    public void Create_BeforeAnyCollection_SaysThatItStarts()
    {
        ReportContent content = CreateRun(Options).Create(Start.AddSeconds(1));
        Assert.Equal(("RUNNING", "starting"), (content.Verdict, content.Sentence));
        Assert.Empty(content.Charts);
    }

    [Fact]
    public void Create_WithCollections_HasTheirFiguresAndChartsOfTheReport()
    {
        LiveRun run = CreateRun(Options);
        Feed(run, seconds: 4);
        ReportContent content = run.Create(Start.AddSeconds(4.5));
        Assert.Equal(("OK so far", "measuring, 4 of 10 s"), (content.Verdict, content.Sentence));
        Dictionary<string, double?> figures = content.Figures.SelectMany(table => table.Rows).SelectMany(row => row)
            .Where(cell => cell.Figure is not null).ToDictionary(cell => cell.Figure!, cell => cell.Value);
        (string, double)[] expected =
        [
            ("live.asked", 100_000), ("live.sent", 100_000), ("live.received", 99_900), ("live.consumer.latency.p50", 31.5),
            ("live.consumer.latency.p99", 74.25), ("live.consumer.latency.max", 812.5), ("live.provider.lag.p50", 7.25),
            ("live.provider.lag.p99", 40), ("live.provider.lag.max", 91.5), ("live.provider.cpu", 12.5), ("live.consumer.cpu", 9.75),
            ("live.provider.memory", 50), ("live.consumer.memory", 100), ("live.links.0.sent", 400_000), ("live.links.0.received", 399_900),
        ];
        Assert.All(expected, figure => Assert.Equal(figure.Item2, figures[figure.Item1]));
        Assert.Equal(["Latency over time, us", "Rate, messages/s", "Send lag over time, us", "CPU, % of one core", "Memory in use, MB"],
            content.Charts.Select(chart => chart.Title));
        Assert.Equal(["reached", "sent", "asked"], content.Charts[1].Lines.Select(line => line.Label));
    }

    [Fact]
    public void Create_MessagesNotSent_IsSlowSoFarAndThresholdsStandBeside()
    {
        LiveRun run = CreateRun(Options with
        {
            Thresholds = Threshold.TryParseList("notSent<1,rate>=99%,p99<100us", Threshold.Metrics)!,
        });
        Feed(run, seconds: 3, notSent: 7);
        ReportContent content = run.Create(Start.AddSeconds(3));
        Assert.Equal("SLOW so far", content.Verdict);
        Assert.Contains("21 updates not sent", content.Sentence, StringComparison.Ordinal);
        Assert.Equal(["missed so far", "kept so far", "at the end"],
            content.Figures.Single(table => table.Title == "Assertions").Rows.Select(row => row[0].Text));
    }

    [Fact]
    public void Create_Steps_SaysWhichIsThePresent()
    {
        LiveRun run = CreateRun(new() { Schedules = new(RateSchedule.TryParseSteps("50000,100000:5"), null) });
        Feed(run, seconds: 8);
        Assert.Contains("step 2 of 2, 100,000/s asked", run.Create(Start.AddSeconds(8)).Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Create_MarkByHand_IsALineOfTheCharts()
    {
        LiveRun run = CreateRun(Options);
        Feed(run, seconds: 3);
        run.Receive("provider", [LiveLines.OfChange(Start, 2, "here")]);
        Assert.All(run.Create(Start.AddSeconds(3)).Charts, chart => Assert.Equal([new ChartMark(2, "2.0 s, provider: mark here")], chart.Marks));
    }

    /// <summary>The last collection of a run is short and may have no samples: the latencies shown are those of the last one that has.</summary>
    [Fact]
    public void Create_LastCollectionWithoutSamples_HasTheLatenciesBeforeIt()
    {
        LiveRun run = CreateRun(Options);
        run.Receive("consumer", [LiveLines.OfConsumerAtTheEnd(Start, 0.5)]);
        Assert.DoesNotContain(Cells(run), cell => cell.Figure?.Contains(".latency.", StringComparison.Ordinal) == true);
        Feed(run, seconds: 3);
        run.Receive("consumer", [LiveLines.OfConsumerAtTheEnd(Start, 3.4)]);
        Assert.Equal([31.5, 74.25, 812.5], Cells(run).Where(cell => cell.Figure?.StartsWith("live.consumer.latency.", StringComparison.Ordinal) == true)
            .Select(cell => cell.Value));
        Assert.Equal([0.0], Cells(run).Where(cell => cell.Figure == "live.received").Select(cell => cell.Value));

        static IEnumerable<Cell> Cells(LiveRun run) => run.Create(Start.AddSeconds(3.5)).Figures.SelectMany(table => table.Rows).SelectMany(row => row);
    }

    [Fact]
    public void Create_AfterTheEnd_HasTheVerdictAndWhereTheReportIs()
    {
        LiveRun run = CreateRun(Options);
        Feed(run, seconds: 3);
        run.End(SampleFigures.Run with { Verdict = RunVerdict.Slow, Reason = "too slow" }, "report.html is in the folder /runs/a");
        ReportContent content = run.Create(Start.AddSeconds(9));
        Assert.Equal(("SLOW", "too slow", "report.html is in the folder /runs/a"), (content.Verdict, content.Sentence, content.Next));
    }

    [Fact]
    public void Create_Roundtrip_SaysThatFiguresComeAtTheEnd()
    {
        ScenarioOptions options = RoundtripScenario.Roundtrip.Defaults;
        LiveRun run = new(LivePlan.Of(RoundtripScenario.Roundtrip, options, "/runs/a"), Start);
        Assert.StartsWith("running: ", run.Create(Start.AddSeconds(3)).Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Add_FarMoreThanFit_KeepsMeansAndMaximaInFewerPoints()
    {
        const int count = 10_000;
        LiveSeries series = new();
        for (int i = 1; i <= count; i++)
            series.Add(new(Start.AddSeconds(i), 1) { Received = i, Latency = new(i == 777 ? null : 1, 2, i == 777 ? 5_000 : 3) });
        Assert.InRange(series.Points.Count, LiveSeries.MaxPoints / 2, LiveSeries.MaxPoints);
        Assert.Equal(count, series.Points.Sum(point => point.Seconds));
        Assert.Equal((count + 1) / 2.0, series.Points.Sum(point => point.Received * point.Seconds) / count);
        Assert.Equal(5_000, series.Points.Max(point => point.Latency!.Max));
        Assert.Equal(count, series.Latest!.Received);
    }

    /// <summary>The consumers are of two machines, the second of which is 1,000 s ahead.</summary>
    [Fact]
    public void Create_RolesOfTwoClocks_HaveTheTimesOfTheFirst()
    {
        RankPlacement place = RankPlacement.TryParse("provider=0,consumer=0-1", ["provider", "consumer"])!;
        LiveRun run = new(LivePlan.Of(RepeatedRoles.Of(DirectScenario.Direct, place), Options, "/runs/a"), Start);
        for (int second = 1; second <= 4; second++)
        {
            run.Receive("provider", [LiveLines.OfProvider(Start, second, sent: 200_000)]);
            run.Receive("consumer-1", [LiveLines.OfConsumer(Start, second, hasImages: second == 1)]);
            run.Receive("consumer-2", [LiveLines.OfConsumer(Start, 1_000 + second, hasImages: second == 1)], TimeSpan.FromSeconds(1_000));
        }

        ReportContent content = run.Create(Start.AddSeconds(4.5));
        Assert.StartsWith("measuring, 4 of 10 s", content.Sentence, StringComparison.Ordinal);
        Assert.InRange(content.Charts[0].Lines[0].X[^1], 3, 6);
        Cell[] cells = [.. content.Figures.SelectMany(table => table.Rows).SelectMany(row => row)];
        Assert.Equal([800_000, 800_000], cells.Where(cell => cell.Figure is "live.links.0.sent" or "live.links.0.received").Select(cell => cell.Value));
    }

    private static LiveRun CreateRun(ScenarioOptions options) => new(LivePlan.Of(DirectScenario.Direct, options, "/runs/a"), Start);

    private static void Feed(LiveRun run, int seconds, int notSent = 0)
    {
        for (int second = 1; second <= seconds; second++)
        {
            run.Receive("provider", [LiveLines.OfProvider(Start, second, notSent: notSent)]);
            run.Receive("consumer", [LiveLines.OfConsumer(Start, second + 0.1, second == seconds ? 99_900 : 100_000, hasImages: second == 1)]);
        }
    }
}
