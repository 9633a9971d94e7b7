using PerfTools.Hosting.Reporting;
using PerfTools.Results;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public class VerdictTests
{
    [Fact]
    public void Of_CompleteConservedAndFast_IsOk() =>
        Assert.Equal(new Verdict("OK", ExitCode.Success, null), Verdict.Of(null, SampleFigures.Good, SampleFigures.GoodLinks));

    [Theory]
    [InlineData(99_000, "OK")]
    [InlineData(98_999, "SLOW")]
    [InlineData(1_000_000, "OK")]
    public void Of_RateWithinOnePercent_IsOkElseSlow(double reached, string expected) =>
        Assert.Equal(expected, Verdict.Of(null, SampleFigures.Good with { RateReached = reached }, SampleFigures.GoodLinks).Result);

    [Fact]
    public void Of_Slow_ExitsWithSixAndSaysHowMuch() => Assert.Equal(
        new Verdict("SLOW", ExitCode.AssertionMissed, "90,000/s reached, 100,000/s asked, 100,000 updates not sent"),
        Verdict.Of(null, SampleFigures.Good with { RateReached = 90_000 }, [SampleFigures.GoodLinks[0] with { NotSent = 100_000 }]));

    [Theory]
    [InlineData(999_999, 0)]
    [InlineData(1_000_001, 0)]
    [InlineData(999_999, 2)]
    public void Of_CountsThatDoNotAddUp_IsFailed(long received, long lost)
    {
        Verdict verdict = Verdict.Of(null, SampleFigures.Good, [SampleFigures.Link("updates", 1_000_000, received, lost)]);
        Assert.Equal(("FAILED", ExitCode.Incomplete), (verdict.Result, verdict.Code));
        Assert.StartsWith("updates do not add up: 1,000,000 sent, ", verdict.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_LossThatIsCounted_IsOk() =>
        Assert.Equal("OK", Verdict.Of(null, SampleFigures.Good, [SampleFigures.Link("updates", 10, 9, 1)]).Result);

    [Fact]
    public void Of_AnyAccountUneven_IsFailed()
    {
        Verdict verdict = Verdict.Of(null, SampleFigures.Good, [SampleFigures.Link("updates", 10, 10), SampleFigures.Link("refreshes", 10, 9)]);
        Assert.Equal("refreshes do not add up: 10 sent, 9 received, 0 counted as lost", verdict.Reason);
    }

    [Fact]
    public void Of_NothingReceivedAtARate_IsFailed() =>
        Assert.Equal("no updates were received", Verdict.Of(null, SampleFigures.Good, [SampleFigures.Link("updates", 0, 0)]).Reason);

    [Fact]
    public void Of_NothingAskedNothingReceived_IsOk() => Assert.Equal(
        "OK", Verdict.Of(null, SampleFigures.Good with { RateAsked = 0, RateReached = 0 }, [SampleFigures.Link("updates", 0, 0)]).Result);

    [Fact]
    public void Of_NoFigures_IsFailed() => Assert.Equal(ExitCode.Incomplete, Verdict.Of(null, null, []).Code);

    [Fact]
    public void Of_FailureFirst_Decides() => Assert.Equal(
        new Verdict("FAILED", ExitCode.NotStarted, "no port"), Verdict.Of(new(ExitCode.NotStarted, "no port"), SampleFigures.Good, SampleFigures.GoodLinks));

    [Fact]
    public void Of_SameKindOnSeveralLinks_NamesTheUnevenOne()
    {
        LinkResult toHub = SampleFigures.Link("updates", 10, 10) with { To = "hub" };
        LinkResult fromHub = SampleFigures.Link("updates", 10, 9) with { From = "hub" };
        Assert.Equal(
            "updates from hub to consumer do not add up: 10 sent, 9 received, 0 counted as lost", Verdict.Of(null, SampleFigures.Good, [toHub, fromHub]).Reason);
    }

    [Fact]
    public void Of_SenderThatIsNotOurs_IsJudgedByWhatIsKnown()
    {
        RunFigures figures = SampleFigures.Good with { RateAsked = null, RateReached = 17 };
        Assert.Equal("OK", Verdict.Of(null, figures, [SampleFigures.Link("updates", null, 170, comparable: false)]).Result);
    }
}
