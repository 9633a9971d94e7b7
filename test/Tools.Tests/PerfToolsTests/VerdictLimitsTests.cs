using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Verdicts and causes exactly at their limits, one below and one above, and the order in which they are looked for.</summary>
[Trait("Category", "Fast")]
public class VerdictLimitsTests
{
    private const string Reader = "the output buffers were used up, as the reader had a backlog";
    private const string Paced = "the output buffers were used up, as the connection took no more, though its reader had room";
    private const string Bbr = "; the congestion control of this machine, bbr, paces what it sends";

    private static readonly RateStep Step = new() { RateAsked = 1_000, RateReached = 1_000, Seconds = 3, LatencyMicros = null };

    // Proves nothing: one worker, and room for a tick.
    private static readonly SlowCause Nothing = new() { Workers = [("the worker of the provider", 60)], OutputBuffers = 50, BuffersPerTick = 50 };

    [Theory]
    [InlineData(990, 3, true)]
    [InlineData(989.9, 3, false)]
    [InlineData(1_010, 3, true)]
    [InlineData(1_010.1, 3, false)]
    [InlineData(0, 3, false)]
    [InlineData(0, 0, true)] // no whole collection: nothing is known of it
    public void Of_AStep_IsKeptWithinOnePercent(double reached, double seconds, bool isKept)
    {
        RunFigures figures = SampleFigures.Good with { RateAsked = null, RateSteps = [Step, Step with { RateReached = reached, Seconds = seconds }, Step] };
        Verdict verdict = Verdict.Of(null, figures, SampleFigures.GoodLinks, new SlowCause());
        Assert.Equal(isKept ? RunVerdict.Ok : RunVerdict.Slow, verdict.Result);
        Assert.Equal(isKept, verdict.Reason is null);
    }

    [Fact]
    public void Of_SeveralMissedSteps_NamesTheFirstAndItsCause()
    {
        RunFigures figures = SampleFigures.Good with { RateAsked = null, RateSteps = [Step, Step with { RateReached = 900 }, Step with { RateReached = 800 }] };
        Assert.Equal("step 2: 900/s reached, 1,000/s asked: the worker of the provider used 99 % of a core",
            Verdict.Of(null, figures, SampleFigures.GoodLinks, Nothing with { Workers = [("the worker of the provider", 99)] }).Reason);
    }

    /// <summary>What is worse decides: a failure, no figures, counts that differ, nothing received, then the rate.</summary>
    [Fact]
    public void Of_SeveralFaults_IsOfTheWorst()
    {
        RunFailure failure = new(ExitCode.NotStarted, "no port");
        RunFigures slow = SampleFigures.Good with { RateReached = 1 };
        LinkResult none = SampleFigures.Link("updates", 0, 0), uneven = SampleFigures.Link("refreshes", 10, 9);
        Assert.Equal("no port", Judge(failure, null, [none, uneven]).Reason);
        Assert.Equal("the roles left no final figures", Judge(null, null, [none, uneven]).Reason);
        Assert.Equal("refreshes do not add up: 10 sent, 9 received, 0 counted as lost", Judge(null, slow, [none, uneven]).Reason);
        Assert.Equal("no updates were received", Judge(null, slow, [none]).Reason);
        Assert.Equal((RunVerdict.Slow, "1/s reached, 100,000/s asked, 0 updates not sent"),
            (Judge(null, slow, [SampleFigures.Link("updates", 1, 1)]).Result, Judge(null, slow, [SampleFigures.Link("updates", 1, 1)]).Reason));
    }

    [Theory]
    [InlineData(0.0)]
    [InlineData(null)]
    public void Of_NothingReceivedWithoutARequestedRate_IsNoFailure(double? asked) => Assert.Equal(RunVerdict.Ok,
        Judge(null, SampleFigures.Good with { RateAsked = asked, RateReached = 0 }, [SampleFigures.Link("updates", 0, 0)]).Result);

    [Fact]
    public void Of_NothingReceivedOnAFurtherLink_IsNoFailure() => Assert.Equal(RunVerdict.Ok,
        Judge(null, SampleFigures.Good, [SampleFigures.Link("updates", 10, 10), SampleFigures.Link("posts", 0, 0)]).Result);

    [Fact]
    public void OfPart_OfARank_JudgesItsFailureAlone()
    {
        Assert.Equal(new Verdict(RunVerdict.Ok, ExitCode.Success, null), Verdict.OfPart(null));
        foreach (ExitCode code in Enum.GetValues<ExitCode>())
        {
            bool isOfSignal = code is ExitCode.HungUp or ExitCode.Interrupted or ExitCode.Terminated;
            Assert.Equal(new Verdict(isOfSignal ? RunVerdict.Interrupted : RunVerdict.Failed, code, "why"), Verdict.OfPart(new(code, "why")));
        }
    }

    [Theory]
    [InlineData(49, "49 output buffers are fewer than the 50 that a tick fills; -outputBufs 50 is needed")]
    [InlineData(50, Reader)]
    [InlineData(51, Reader)]
    [InlineData(null, Reader)]
    public void Find_BuffersOfATick_AreTooFewBelowIt(int? buffers, string expected) =>
        Assert.Equal(expected, (Nothing with { Stopped = 1, OutputBuffers = buffers }).Find());

    /// <summary>Too few buffers go before a busy worker, that before a reader with a backlog, and that before late ticks.</summary>
    [Fact]
    public void Find_SeveralLimits_IsTheFirst()
    {
        SlowCause all = Nothing with
        {
            Stopped = 1,
            OutputBuffers = 49,
            Workers = [("the first", 94.9), ("the second", 95), ("the third", 99)],
            MaxLagMicros = 200_000,
        };
        Assert.StartsWith("49 output buffers", all.Find(), StringComparison.Ordinal);
        SlowCause noBuffers = all with { OutputBuffers = 50 };
        Assert.Equal("the second used 95 % of a core", noBuffers.Find());
        SlowCause noWorker = noBuffers with { Workers = [("the first", 94.9)] };
        Assert.Equal(Reader, noWorker.Find());
        SlowCause noReader = noWorker with { Stopped = 0 };
        Assert.Equal("ticks started up to 200 ms late though no worker used a whole core", noReader.Find());
        Assert.Equal("ticks started up to 200 ms late", (noReader with { Workers = [] }).Find());
        Assert.Null((noReader with { MaxLagMicros = 99_999 }).Find());
    }

    [Theory]
    [InlineData(19.9, "")]
    [InlineData(20.0, ", and other programs used 20 % of the machine")]
    [InlineData(null, "")]
    public void Find_OtherPrograms_AreNamedFromTwentyPercentOn(double? foreign, string more)
    {
        Assert.Equal(Reader + more, (Nothing with { Stopped = 1, ForeignPercent = foreign }).Find());
        Assert.Equal("ticks started up to 100 ms late though no worker used a whole core" + more,
            (Nothing with { MaxLagMicros = 100_000, ForeignPercent = foreign }).Find());
    }

    /// <summary>Pacing is named where reader, workers and machine had time, each below its limit.</summary>
    [Theory]
    [InlineData(49.9, 89.9, 19.9, Paced + Bbr)]
    [InlineData(49.9, 89.9, null, Paced + Bbr)]
    [InlineData(50.0, 89.9, 19.9, Reader)]
    [InlineData(null, 89.9, 19.9, Reader)]
    [InlineData(49.9, 90.0, 19.9, Paced)]
    [InlineData(49.9, 89.9, 20.0, Paced + ", and other programs used 20 % of the machine")]
    public void Find_Pacing_EndsAtEachLimit(double? peerLimited, double core, double? foreign, string expected) => Assert.Equal(expected, (Nothing with
    {
        Stopped = 1,
        PeerLimitedPercent = peerLimited,
        Workers = [("the worker of the consumer", 1), ("the worker of the provider", core)],
        ForeignPercent = foreign,
        Circumstances = new() { CongestionControl = "bbr" },
    }).Find());

    [Fact]
    public void Find_PacingWithTooFewBuffers_IsNotNamed() => Assert.DoesNotContain("bbr", (Nothing with
    {
        Stopped = 1,
        OutputBuffers = 49,
        PeerLimitedPercent = 10,
        Circumstances = new() { CongestionControl = "bbr" },
    }).Find(), StringComparison.Ordinal);

    /// <summary>A link is as fast as its card from nine tenths of it on.</summary>
    [Theory]
    [InlineData(56_250_000, true)] // 90 Mbit/s
    [InlineData(56_249_000, false)]
    [InlineData(62_500_000, true)]
    public void Find_LinkAtTheSpeedOfItsCard_NamesTheCard(long bytes, bool isNamed) => Assert.Equal(isNamed, (Nothing with
    {
        Stopped = 1,
        PeerLimitedPercent = 10,
        Path = new()
        {
            Role = "provider",
            Local = "10.1.2.1",
            Peer = "10.1.2.3",
            Card = "eth0",
            CardMegabits = 100,
            Connections = 1,
            MinRoundTripMicros = 120,
            RoundTripMicros = 25_500,
            PathMtuBytes = 1_500,
            SegmentsSent = 4_200,
            SegmentsResent = 21,
            BytesSent = bytes,
            BytesResent = 0,
            BusySeconds = 5,
        },
    }).Find()!.Contains("as its card eth0 has 100 Mbit/s", StringComparison.Ordinal));

    private static Verdict Judge(RunFailure? failure, RunFigures? figures, IReadOnlyList<LinkResult> links) =>
        Verdict.Of(failure, figures, links, new SlowCause());
}
