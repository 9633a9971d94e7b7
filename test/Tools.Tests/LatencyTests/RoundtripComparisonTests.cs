using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Verdicts;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Runs of round trips side by side: a word for each size and figure, curves over sizes, and placement.</summary>
[Trait("Category", "Fast")]
public sealed class RoundtripComparisonTests : IDisposable
{
    private readonly RunDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Compare_OneSizeSlower_SaysSoOfThatSizeAlone()
    {
        RunComparison comparison = Compare(WriteRuns("a", 5), WriteRuns("b", 5, slow64: 1.5));
        Assert.Equal(["avg@64", "p50@64", "p90@64", "p99@64"], Names(comparison, ChangeWord.Worse));
        Assert.Equal(["avg@16", "p50@16", "p90@16", "p99@16"],
            Names(comparison, ChangeWord.Same).Where(name => name.EndsWith("@16", StringComparison.Ordinal)));
        Assert.Equal("round trip p99, 64 bytes, us", comparison.Figures.Single(change => change.Figure.Name == "p99@64").Figure.Title);
        Assert.EndsWith("5 runs, noise from their repeats; on one processor", comparison.A.NoiseText, StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_OneRunEach_TakesItsNoiseFromItsIntervals()
    {
        RunComparison comparison = Compare(WriteRuns("a", 1), WriteRuns("b", 1, slow64: 3));
        Assert.Equal("1 run, noise from 5 parts of it and from what runs usually differ by; on one processor", comparison.A.NoiseText);
        Assert.Contains("p50@64", Names(comparison, ChangeWord.Worse));
        Assert.Contains("p50@16", Names(comparison, ChangeWord.Same));
    }

    [Fact]
    public void Compare_OtherPlacement_IsNoComparison()
    {
        RunComparison comparison = Compare(WriteRuns("a", 2), WriteRuns("b", 2, echoer: 1));
        Assert.Equal(("not comparable", "placement: A on one processor and B on two processors"), (comparison.Verdict, comparison.Reason));
    }

    [Fact]
    public void Compare_OtherDomain_IsTheSameConfiguration()
    {
        RunComparison comparison = Compare(WriteRuns("a", 2, domain: 7), WriteRuns("b", 2, domain: 8));
        Assert.Equal("same", comparison.Verdict);
    }

    [Fact]
    public void Read_RepeatedRuns_HasThePercentilesOfAllSamples()
    {
        IReadOnlyList<SizedTimes> one = SizedTimes.Read(WriteRuns("one", 1)), three = SizedTimes.Read(WriteRuns("three", 3, slow64: 2));
        Assert.Equal([new(16, 10, 40), new(64, 20, 40)], one.Select(size => size with { P99Micros = 40, OneWayMicros = null }));
        Assert.Equal([16, 64], three.Select(size => size.Bytes));
        Assert.All(three.Zip([10.0, 40.0]), pair => Assert.InRange(pair.First.P50Micros!.Value, 0.98 * pair.Second, 1.02 * pair.Second));
        Assert.All(three.Zip([10.5, 42.0]), pair => Assert.InRange(pair.First.P99Micros!.Value, 0.98 * pair.Second, 1.01 * pair.Second));
        Assert.Empty(SizedTimes.Read(_folder.File("nothing")));
    }

    /// <summary>A run that failed, or one of another kind, has no times of sizes.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_RunWithoutRoundTrips_HasNoTimes(bool hasFigures)
    {
        RunDocument run = SampleFigures.Of(RoundtripScenario.Roundtrip);
        string folder = WriteRuns("empty", 1);
        File.WriteAllText(Path.Combine(folder, RunFile.Name),
            RunFile.CreateText(run with { Figures = hasFigures ? run.Figures! with { RoundTrips = null } : null }));
        Assert.Empty(SizedTimes.Read(folder));
    }

    [Theory]
    [InlineData("p99@64>+10%", true)]
    [InlineData("avg@16<-2%", true)]
    [InlineData("p98@64>+10%", false)]
    [InlineData("p99@>+10%", false)]
    [InlineData("p99@0>+10%", false)]
    public void TryParseList_FigureOfASize_IsALimit(string text, bool isLimit) =>
        Assert.Equal(isLimit, ChangeLimit.TryParseList(text) is not null);

    [Fact]
    public void Reports_OfARunAndOfTwo_HaveACurveOverSizes()
    {
        string a = WriteRuns("a", 1), b = WriteRuns("b", 1);
        ReportContent run = RunPage.Create(RecordedRun.Read(a));
        Assert.Equal(["16", "64"], run.Charts[0].X.Ticks.Select(tick => tick.Text));
        Assert.Equal((0.0, 1.0), (run.Charts[0].X.Place(16), run.Charts[0].X.Place(64)));
        Assert.Equal(["p50", "p99", "p99.99", "max"], run.Charts[0].Lines.Select(line => line.Label));
        TextTable table = run.Figures.Single(figures => figures.Title == "Round trips, us");
        Assert.Equal(("figures.roundTrips.1.p50Micros", 20.0), (table.Rows[1][1].Figure, table.Rows[1][1].Value));
        ReportContent both = ComparisonPage.Create(Compare(a, b), []);
        Assert.Equal(["A p50", "A p99", "B p50", "B p99"], both.Charts[0].Lines.Select(line => line.Label));
        using StringWriter markdown = new();
        RunMarkdown.Write(markdown, [("", RecordedRun.Read(a).Document)], null);
        Assert.Contains("| round trip of 64 bytes: p50, p99, max, us | 20, ", markdown.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0, "OK", null)]
    [InlineData(101, 0, "OK", "101 of 10,101 rounds lost")]
    [InlineData(0, 100, "OK", "100 of 10,000 data from publisher to subscriber1 lost")]
    [InlineData(102, 0, "SLOW", "more than one percent lost: 102 of 10,102 rounds lost")]
    [InlineData(0, 101, "SLOW", "more than one percent lost: 101 of 10,000 data from publisher to subscriber1 lost")]
    public void Verdict_OfLosses_IsOkUpToOnePercent(long rounds, long data, string verdict, string? sentence)
    {
        RunFigures figures = SampleFigures.Of(RoundtripScenario.Roundtrip).Figures!;
        figures = figures with { RateAsked = null, RoundTrips = [figures.RoundTrips![0] with { Lost = rounds }] };
        LinkResult link = SampleFigures.Link("data", 10_000, 10_000 - data, data) with { From = "publisher", To = "subscriber1" };
        Verdict judged = Verdict.Of(null, figures, [link], new SlowCause());
        Assert.Equal((verdict, verdict == "OK" ? ExitCode.Success : ExitCode.AssertionMissed), (judged.Result, judged.Code));
        Assert.Equal(sentence, judged.Reason ?? RoundTripLosses.Describe(figures, [link]));
    }

    private static RunComparison Compare(string a, string b) => RunComparison.Of(RunSet.Read("A", a), RunSet.Read("B", b));

    private static IEnumerable<string> Names(RunComparison comparison, ChangeWord word) =>
        comparison.Figures.Where(change =>
            change.Word == word && change.Figure.Name.Contains('@', StringComparison.Ordinal)).Select(change => change.Figure.Name);

    // A folder as a run leaves it, or one with several; each a little other than the one before.
    private string WriteRuns(string name, int count, double slow64 = 1, int echoer = 0, int domain = 7)
    {
        for (int i = 1; i <= count; i++)
        {
            string folder = Directory.CreateDirectory(_folder.File(count == 1 ? name : $"{name}/run-{i}")).FullName;
            RoundTripFigures[] sizes = [WriteSize(folder, 16, 10, i), WriteSize(folder, 64, 20 * slow64, i)];
            File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(CreateRun(sizes, echoer, domain)));
        }

        return _folder.File(name);
    }

    private static RunDocument CreateRun(RoundTripFigures[] sizes, int echoer, int domain)
    {
        RunDocument run = SampleFigures.Of(RoundtripScenario.Roundtrip);
        JsonElement final =
            JsonSerializer.SerializeToElement(new { processor = 0, moves = 0, told = new[] { new { processor = echoer, moves = 0 } } });
        return run with
        {
            Inputs = new Dictionary<string, JsonElement>(run.Inputs) { ["domain"] = JsonSerializer.SerializeToElement(domain) },
            Figures = run.Figures! with { RoundTrips = sizes },
            Roles = [run.Roles[0] with { Name = RoleNames.Publisher, Files = new("p.log", "p.jsonl", "p"), Final = final }],
            Links = [],
        };
    }

    private static RoundTripFigures WriteSize(string folder, int bytes, double typicalMicros, int seed)
    {
        const int intervals = 5, each = 2_000;
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);
        Random random = new(seed + bytes);
        using StreamWriter log = new(Path.Combine(folder, $"p-rtt-{bytes}.hlog")) { NewLine = "\n" };
        HistogramLogWriter.WriteHeader(log, 0, LatencyUnit.Nanoseconds);
        for (int second = 0; second < intervals; second++)
        {
            histogram.Reset();
            for (int i = 0; i < each; i++)
                histogram.RecordValue((long)(1_000 * typicalMicros * (0.95 + (0.1 * random.NextDouble()))));
            HistogramLogWriter.WriteInterval(log, second * 1_000, (second + 1) * 1_000, histogram);
        }

        return SampleFigures.Of(RoundtripScenario.Roundtrip).Figures!.RoundTrips![0] with
        {
            Bytes = bytes,
            Samples = intervals * each,
            P50Micros = typicalMicros
        };
    }
}
