using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class VerdictTests
{
    [Fact]
    public void Of_CompleteConservedAndFast_IsOk() =>
        Assert.Equal(new Verdict("OK", ExitCode.Success, null), Judge(null, SampleFigures.Good, SampleFigures.GoodLinks));

    [Theory]
    [InlineData(99_000, "OK")]
    [InlineData(98_999, "SLOW")]
    [InlineData(101_000, "OK")]
    [InlineData(101_001, "SLOW")]
    public void Of_RateWithinOnePercent_IsOkElseSlow(double reached, string expected) =>
        Assert.Equal(expected, Judge(null, SampleFigures.Good with { RateReached = reached }, SampleFigures.GoodLinks).Result);

    [Fact]
    public void Of_Slow_ExitsWithSixAndSaysHowMuch() => Assert.Equal(
        new Verdict("SLOW", ExitCode.AssertionMissed, "90,000/s reached, 100,000/s asked, 100,000 updates not sent"),
        Judge(null, SampleFigures.Good with { RateReached = 90_000 }, [SampleFigures.GoodLinks[0] with { NotSent = 100_000 }]));

    [Fact]
    public void Of_AnythingNotSent_IsSlowHoweverFast() => Assert.Equal(
        new Verdict("SLOW", ExitCode.AssertionMissed, "100,000/s reached, 100,000/s asked, 0 updates not sent, 1 refreshes not sent"),
        Judge(null, SampleFigures.Good, [SampleFigures.GoodLinks[0], SampleFigures.GoodLinks[2] with { NotSent = 1 }]));

    [Fact]
    public void Of_SlowAndLimitProven_NamesIt()
    {
        SlowCause cause = new() { Workers = [("the worker of the provider", 99.2)] };
        Assert.EndsWith(
            "0 updates not sent: the worker of the provider used 99 % of a core",
            Verdict.Of(null, SampleFigures.Good with { RateReached = 90_000 }, SampleFigures.GoodLinks, cause).Reason,
            StringComparison.Ordinal);
        Assert.Equal("190,000/s reached, 100,000/s asked", // more than asked: nothing was short
            Verdict.Of(null, SampleFigures.Good with { RateReached = 190_000 }, SampleFigures.GoodLinks, cause).Reason);
    }

    [Theory]
    [InlineData(129)]
    [InlineData(130)]
    [InlineData(143)]
    public void Of_Signal_IsInterruptedWithItsCodeWhateverTheRate(int code) => Assert.Equal(
        new Verdict("INTERRUPTED", (ExitCode)code, "ended"),
        Judge(new((ExitCode)code, "ended"), SampleFigures.Good with { RateReached = 1 }, SampleFigures.GoodLinks));

    [Theory]
    [InlineData(true, "ended by Ctrl+C; updates do not add up: 10 sent, 9 received, 0 counted as lost")]
    [InlineData(false, "ended by Ctrl+C; counts are not comparable")]
    public void Of_SignalAndUnequalCounts_SaysSo(bool comparable, string reason) => Assert.Equal(
        new Verdict("INTERRUPTED", ExitCode.Interrupted, reason),
        Judge(new(ExitCode.Interrupted, "ended by Ctrl+C"), SampleFigures.Good,
            [SampleFigures.Link("updates", 10, 9, comparable: comparable)]));

    [Fact]
    public void Of_SignalAndEqualCountsOfACutRun_SaysNothingOfThem() => Assert.Equal(
        new Verdict("INTERRUPTED", ExitCode.Interrupted, "ended by Ctrl+C"),
        Judge(new(ExitCode.Interrupted, "ended by Ctrl+C"), SampleFigures.Good,
            [SampleFigures.Link("updates", 10, 10, comparable: false)]));

    [Theory]
    [InlineData("p99<80us", "OK", null)]
    [InlineData("p50<80us,p99<70us,p99.9<1us", "MISSED", "p99<70us: p99 is 74us")]
    [InlineData("p99.99<1s", "MISSED", "p99.99<1s: p99.99: 10,000 samples, 100,000 needed")]
    [InlineData("rate>=99.9%,images>=100%,images>=10000,cpu<=6.08%,memory<61.5MB,notSent<1,lost<1,sendLagP99<61.1us", "OK", null)]
    [InlineData("cpu<6%", "MISSED", "cpu<6%: cpu is 6.08%")]
    public void With_Thresholds_IsMissedWithTheFirstThatIs(string thresholds, string result, string? reason)
    {
        Verdict verdict = Judge(null, SampleFigures.Good, SampleFigures.GoodLinks).With(Compare(thresholds));
        Assert.Equal((result, reason is null ? ExitCode.Success : ExitCode.AssertionMissed, reason),
            (verdict.Result, verdict.Code, verdict.Reason));
    }

    [Fact]
    public void With_ThresholdsOfASlowRun_TellsBoth()
    {
        Verdict slow = Judge(null, SampleFigures.Good with { RateReached = 90_000 }, SampleFigures.GoodLinks);
        Assert.Equal(slow with { Reason = slow.Reason + "; p99<70us: p99 is 74us" }, slow.With(Compare("p99<70us")));
        Assert.Equal(slow, slow.With(Compare("p99<80us")));
    }

    [Theory]
    [InlineData(999_999, 0)]
    [InlineData(1_000_001, 0)]
    [InlineData(999_999, 2)]
    public void Of_CountsThatDoNotAddUp_IsFailed(long received, long lost)
    {
        Verdict verdict = Judge(null, SampleFigures.Good, [SampleFigures.Link("updates", 1_000_000, received, lost)]);
        Assert.Equal(("FAILED", ExitCode.Incomplete), (verdict.Result, verdict.Code));
        Assert.StartsWith("updates do not add up: 1,000,000 sent, ", verdict.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_LossThatIsCounted_IsOk() =>
        Assert.Equal("OK", Judge(null, SampleFigures.Good, [SampleFigures.Link("updates", 10, 9, 1)]).Result);

    [Fact]
    public void Of_AnyAccountUneven_IsFailed()
    {
        Verdict verdict = Judge(null, SampleFigures.Good, [SampleFigures.Link("updates", 10, 10), SampleFigures.Link("refreshes", 10, 9)]);
        Assert.Equal("refreshes do not add up: 10 sent, 9 received, 0 counted as lost", verdict.Reason);
    }

    [Fact]
    public void Of_NothingReceivedAtARate_IsFailed() =>
        Assert.Equal("no updates were received", Judge(null, SampleFigures.Good, [SampleFigures.Link("updates", 0, 0)]).Reason);

    [Fact]
    public void Of_NothingAskedNothingReceived_IsOk() => Assert.Equal(
        "OK", Judge(null, SampleFigures.Good with { RateAsked = 0, RateReached = 0 }, [SampleFigures.Link("updates", 0, 0)]).Result);

    [Fact]
    public void Of_NoFigures_IsFailed() => Assert.Equal(ExitCode.Incomplete, Judge(null, null, []).Code);

    [Fact]
    public void Of_FailureFirst_Decides() => Assert.Equal(
        new Verdict("FAILED", ExitCode.NotStarted, "no port"),
        Judge(new(ExitCode.NotStarted, "no port"), SampleFigures.Good, SampleFigures.GoodLinks));

    [Fact]
    public void Of_SameKindOnSeveralLinks_NamesTheUnevenOne()
    {
        LinkResult toHub = SampleFigures.Link("updates", 10, 10) with { To = "hub" };
        LinkResult fromHub = SampleFigures.Link("updates", 10, 9) with { From = "hub" };
        Assert.Equal(
            "updates from hub to consumer do not add up: 10 sent, 9 received, 0 counted as lost",
            Judge(null, SampleFigures.Good, [toHub, fromHub]).Reason);
    }

    [Fact]
    public void Of_SenderThatIsNotOurs_IsJudgedByWhatIsKnown()
    {
        RunFigures figures = SampleFigures.Good with { RateAsked = null, RateReached = 17 };
        Assert.Equal("OK", Judge(null, figures, [SampleFigures.Link("updates", null, 170, comparable: false)]).Result);
    }

    /// <summary>Messages without a watcher are counted as lost on their link, and not for a threshold.</summary>
    [Theory]
    [InlineData(195, 195, true)]
    [InlineData(196, 195, false)]
    [InlineData(1, 0, false)]
    public void Compare_LostWithoutAWatcher_IsNoLoss(long lost, long unwatched, bool isKept)
    {
        LinkResult passed = SampleFigures.Link("passed on", 1_000 + lost, 1_000, lost) with { Unwatched = unwatched };
        Assert.True(passed.Balanced);
        ThresholdResult found = Assert.Single(new RunAssertions(SampleFigures.Good, [.. SampleFigures.GoodLinks, passed], [])
            .Compare(Threshold.TryParseList("lost<1", Threshold.Metrics)!));
        Assert.Equal((isKept, (double?)(lost - unwatched)), (found.IsKept, found.Figure.Value));
    }

    private static IReadOnlyList<ThresholdResult> Compare(string thresholds) => new RunAssertions(
        SampleFigures.Good with { LatencyMicros = SampleFigures.Good.LatencyMicros! with { P9999 = null } }, SampleFigures.GoodLinks,
        SampleFigures.Run.Roles)
        .Compare(Threshold.TryParseList(thresholds, Threshold.Metrics)!);

    private static Verdict Judge(RunFailure? failure, RunFigures? figures, IReadOnlyList<LinkResult> links) =>
        Verdict.Of(failure, figures, links, new SlowCause());
}
