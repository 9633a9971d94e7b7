using System.Reflection;
using PerfTools.Hosting.Options;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Search;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>When the run of a value counts as kept, and when it does not count at all: each verdict, and each limit from both sides.</summary>
[Trait("Category", "Fast")]
public class CandidateLimitsTests
{
    // Each verdict of a run that kept its rate and its thresholds.
    private static readonly Dictionary<string, bool> Verdicts = new()
    {
        [RunVerdict.Ok] = true,
        [RunVerdict.Slow] = true, // messages that were not sent, which the thresholds permit
        [RunVerdict.Missed] = false,
        [RunVerdict.Interrupted] = false,
        [RunVerdict.Failed] = false,
    };

    // Each figure of a step that a threshold can name.
    private static readonly Dictionary<string, string> OfAStep = new()
    {
        ["avg"] = "11",
        ["max"] = "99",
        ["p50"] = "12",
        ["p90"] = "13",
        ["p99"] = "14",
        ["p99.9"] = "15",
        ["rate"] = "55",
        ["rate%"] = "27.5%",
        ["lost"] = "16",
        ["notSent"] = "17",
        ["cpu"] = "18",
        ["memory"] = "19",
        ["sendLagP99"] = "21",
    };

    [Fact]
    public void Read_RunOfEachVerdict_IsKeptOrNotWithItsReason()
    {
        Assert.Equal(typeof(RunVerdict).GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => (string)field.GetRawConstantValue()!).Order(),
            Verdicts.Keys.Order()); // a new verdict wants a row
        foreach ((string verdict, bool isKept) in Verdicts)
        {
            SearchSample sample = Read(SampleFigures.Run with { Verdict = verdict, Reason = "why" });
            Assert.Equal((verdict, isKept, isKept ? null : "why"), (verdict, sample.IsKept, sample.Reason));
        }
    }

    /// <summary>The rate is kept within one percent, unless a threshold names it.</summary>
    [Theory]
    [InlineData(99_000, "p99<1ms", true)]
    [InlineData(98_999, "p99<1ms", false)]
    [InlineData(101_000, "p99<1ms", true)]
    [InlineData(101_001, "p99<1ms", false)]
    [InlineData(0, "p99<1ms", false)]
    [InlineData(50_000, "p99<1ms,rate>=10", true)]
    [InlineData(50_000, "rate>=10%", true)]
    [InlineData(0, "rate>=0%", true)]
    public void Read_SlowRun_IsKeptByItsRateOrByTheThresholdThatNamesIt(double reached, string until, bool isKept) => Assert.Equal(isKept,
        Read(SampleFigures.Run with { Verdict = RunVerdict.Slow, Reason = "slow", Figures = SampleFigures.Good with { RateReached = reached } }, until).IsKept);

    [Theory]
    [InlineData("p99<1ms")]
    [InlineData("rate>=10%")]
    public void Read_SlowRunThatMissedAThreshold_IsMissed(string until)
    {
        AssertionResult kept = new() { Assertion = "a", Kept = true, Figure = 1, Line = "" };
        RunDocument run = SampleFigures.Run with { Verdict = RunVerdict.Slow, Reason = "slow", Assertions = [kept, kept with { Kept = false }, kept] };
        Assert.False(Read(run, until).IsKept);
        Assert.True(Read(run with { Assertions = [kept, kept] }, until).IsKept);
        Assert.True(Read(run with { Assertions = [] }, until).IsKept);
    }

    [Fact]
    public void Read_SlowRunWithoutARequestedRate_IsKept()
    {
        RunFigures figures = SampleFigures.Good with { RateAsked = null, RateReached = 1 };
        Assert.True(Read(SampleFigures.Run with { Verdict = RunVerdict.Slow, Reason = "slow", Figures = figures }).IsKept);
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData(0.0, null)]
    [InlineData(20.0, null)]
    [InlineData(20.4, "machine busy: other programs used 20 %")]
    [InlineData(100.0, "machine busy: other programs used 100 %")]
    public void Read_RunOnABusyMachine_IsDisturbedAboveTwentyPercent(double? foreign, string? disturbance)
    {
        SearchSample sample = Read(SampleFigures.Run with { Machine = SampleFigures.Run.Machine with { ForeignPercent = foreign } });
        Assert.Equal((disturbance, true), (sample.Disturbance, sample.IsKept));
    }

    [Fact]
    public void Read_Run_HasItsFigures()
    {
        LinkResult updates = SampleFigures.Link("updates", 10, 10) with { NotSent = 5 }, posts = SampleFigures.Link("posts", 7, 7) with { NotSent = null };
        RunDocument run = SampleFigures.Run with { Links = [updates, posts] };
        SearchSample sample = Read(run);
        Assert.Equal((1_000, 7.0, "01"), (sample.Value, sample.Seconds, sample.Folder));
        Assert.Equal((100_000.4, 31.0, 74.0, 410.0), (sample.Figures!.Rate, sample.Figures.P50, sample.Figures.P99, sample.Figures.P999));
        Assert.Equal((10L, 5L), (sample.Figures.Sent, sample.Figures.NotSent));
        Assert.Equal([new RoleUse("provider", 6.08, 61.4), new RoleUse("consumer", 4.96, 57.6)], sample.Figures.Roles);
        Assert.Null(Read(run with { Links = [run.Links[1]] }).Figures!.NotSent);
        Assert.Null(Read(run with { Figures = null }).Figures);
        Assert.Null(Read(run with { Figures = SampleFigures.Good with { LatencyMicros = null } }).Figures!.P99);
    }

    [Fact]
    public void Read_Step_JudgesEachThresholdByItsFigure()
    {
        Assert.Equal(UsersCandidateReader.Metrics.Order(), OfAStep.Keys.Order()); // a new figure wants a row
        foreach ((string metric, string figure) in OfAStep)
        {
            string until = metric.EndsWith('%') ? $"{metric[..^1]}<0%" : $"{metric}<0";
            Assert.Equal($"{until}: {metric} is {figure}", ReadStep(until, Distinct).Reason);
        }
    }

    [Theory]
    [InlineData("avg<100ms", 100_000, false)]
    [InlineData("avg<100ms", 99_999, true)]
    [InlineData("avg<=100ms", 100_000, true)]
    [InlineData("avg<=100ms", 100_001, false)]
    public void Read_StepAtItsThreshold_IsKeptAsTheSignSays(string until, long micros, bool isKept) =>
        Assert.Equal(isKept, ReadStep(until, step => step with { Samples = 1, SumMicros = micros }).IsKept);

    [Theory]
    [InlineData("avg<1s", "avg<1s: avg is not known")]
    [InlineData("max<1s", "max<1s: max is not known")]
    [InlineData("rate<1,avg<1s", "rate<1: rate is 55")] // the first that is not kept
    [InlineData("lost<17,rate<1", "rate<1: rate is 55")]
    public void Read_StepWithoutSamples_MissesWhatIsNotKnown(string until, string reason) =>
        Assert.Equal(reason, ReadStep(until, step => Distinct(step) with { Samples = 0, SumMicros = 0 }).Reason);

    private static SearchSample Read(RunDocument run, string until = "p99<1ms") =>
        new CandidateReader(DirectScenario.Direct, Threshold.TryParseList(until, Threshold.Metrics)!).Read(1_000, new(), run, "01", 7);

    private static SearchSample ReadStep(string until, Func<StepRow, StepRow> change) =>
        new UsersCandidateReader(Threshold.TryParseList(until, UsersCandidateReader.Metrics)!).Read(500, UsersSearchTests.RunOf(500, change), "01", 7);

    private static StepRow Distinct(StepRow step) => step with
    {
        Seconds = 4,
        Samples = 4,
        SumMicros = 44,
        MaxMicros = 99,
        P50 = 12,
        P90 = 13,
        P99 = 14,
        P999 = 15,
        Received = 220,
        Expected = 800,
        Lost = 16,
        NotSent = 17,
        Hub = step.Hub with { CpuPercent = 18, MemoryMegabytes = 19 },
        SendLagP99 = 21,
    };
}
