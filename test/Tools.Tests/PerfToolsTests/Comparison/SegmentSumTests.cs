using PerfCommon.Measurement;
using PerfTools.Results.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

/// <summary>Pieces of measurements added up: counts are added, means are of all, and what one piece lacks is unknown.</summary>
[Trait("Category", "Fast")]
public sealed class SegmentSumTests
{
    private static readonly MeasuredSegment First = Piece(seconds: 2, messages: 100, cpu: 0.5, memory: 10, images: 1, lost: 3, latencies: [10, 20, 30],
        lags: [1]);
    private static readonly MeasuredSegment Second = Piece(seconds: 3, messages: 500, cpu: 0.25, memory: 30, images: 4, lost: 5, latencies: [40], lags: [7, 9]);

    [Fact]
    public void Sum_OfTwoPieces_HasTheFiguresOfBoth()
    {
        SegmentSum sum = SegmentSum.Of([First, Second]);
        Assert.Equal((5.0, 600.0, 20.0, 2.5, 4.0), (sum.Seconds, sum.Messages, sum.MemoryMegabytes, sum.ImageSeconds, sum.RoleNumber("hub.lost")));
        Assert.Equal(0.75e9 / 600, sum.CpuNanosPerMessage("hub"));
        Assert.Equal((4L, 25.0, 40.0), (sum.Latency.Count, sum.Latency.Mean, sum.Latency.ValueAt(100)));
        Assert.Equal((3L, 9.0), (sum.SendLag.Count, sum.SendLag.ValueAt(100)));
        Assert.Equal(["hub"], sum.Roles);
        Assert.Equal([16, 64], sum.Sizes);
        Assert.Equal((1L, 5.0, 1L, 6.0, 0L), (sum.RoundTripsOf(64).Count, sum.RoundTripsOf(64).Mean, sum.RoundTripsOf(16).Count, sum.RoundTripsOf(16).Mean,
            sum.RoundTripsOf(7).Count));
    }

    /// <summary>A percentile is one of the sum of the histograms, and never above the exact maximum.</summary>
    [Theory]
    [InlineData(25, 10.0)]
    [InlineData(50, 20.0)]
    [InlineData(75, 30.0)]
    [InlineData(76, 40.0)]
    public void ValueAt_OfTwoPieces_IsThatOfAllSamples(double percentile, double value) =>
        Assert.Equal(value, SegmentSum.Of([First, Second]).Latency.ValueAt(percentile));

    [Fact]
    public void Sum_WhereOnePieceLacksAFigure_DoesNotKnowIt()
    {
        MeasuredSegment bare = new() { Seconds = 1, Messages = 10 };
        SegmentSum sum = SegmentSum.Of([First, bare]);
        Assert.Equal((3.0, 110.0, null, null, null), (sum.Seconds, sum.Messages, sum.MemoryMegabytes, sum.ImageSeconds, sum.RoleNumber("hub.lost")));
        Assert.Null(sum.CpuNanosPerMessage("hub"));
        Assert.Empty(sum.Roles);
        Assert.Equal(3, sum.Latency.Count); // samples are those that there are
        Assert.Null(SegmentSum.Of([bare]).Latency.Mean);
        Assert.Null(SegmentSum.Of([bare]).Latency.ValueAt(50));
        Assert.Null(SegmentSum.Of([First with { Messages = 0 }]).CpuNanosPerMessage("hub"));
        SegmentSum none = SegmentSum.Of([]);
        Assert.Equal((0.0, 0.0, null, 0L), (none.Seconds, none.Messages, none.MemoryMegabytes, none.Latency.Count));
        Assert.Empty(none.Roles);
    }

    /// <summary>A whole run keeps the double that it recorded, which its messages divided by its seconds may miss by a bit.</summary>
    [Fact]
    public void Rate_OfOneWholeRun_IsTheRecordedOne()
    {
        const double rate = 1_999.525859, seconds = 2.06;
        MeasuredSegment whole = new() { Seconds = seconds, Messages = rate * seconds, RecordedRate = rate };
        Assert.Equal(rate, SegmentSum.Of([whole]).Rate);
        Assert.NotEqual(rate, SegmentSum.Of([whole with { RecordedRate = null }]).Rate);
        Assert.Equal(600 / 5.0, SegmentSum.Of([First with { RecordedRate = 1 }, Second with { RecordedRate = 2 }]).Rate);
        Assert.Null(SegmentSum.Of([whole with { Seconds = 0 }]).Rate);
    }

    [Fact]
    public void Sums_OfPieces_LeaveOutEachOnce()
    {
        SegmentSums sums = new([First, Second, First]);
        Assert.Equal((3, false, 700.0), (sums.Count, sums.IsOneRun, sums.All.Messages));
        Assert.Equal([600, 200, 600], sums.Without.Select(sum => sum.Messages));
        Assert.Same(sums.All, sums.Whole);
        SegmentSums run = new([First, Second], Second);
        Assert.Equal((true, 500.0, 600.0), (run.IsOneRun, run.Whole.Messages, run.All.Messages));
        Assert.Equal((0, 1), (new SegmentSums([First]).Without.Count, new SegmentSums([First]).Count));
    }

    /// <summary>Every figure of a comparison: its name, whether more is better, and its value of two pieces.</summary>
    [Fact]
    public void Figures_OfAComparison_AreThoseOfTheSum()
    {
        SegmentSum sum = SegmentSum.Of([First, Second]);
        Assert.Equal(
            ["rate 120 +", "avg 25 - one way", "p50 20 - one way", "p90 40 - one way", "p99 40 - one way", "p99.9 40 - one way", "sendLagP99 9 -",
                "images 2.5 -", "memory 20 -",
                "cpu 1250000 -", "cpu.hub 1250000 -"],
            ComparedFigure.Of(["hub"]).Select(figure => FormattableString.Invariant(
                $"{figure.Name} {figure.Read(sum):0.###} {(figure.IsGain ? '+' : '-')}{(figure.IsOneWay ? " one way" : "")}")));
        Assert.Equal([0.02, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.02, 0.02, 0.02, 0.02], ComparedFigure.Of(["hub"]).Select(figure => figure.MinChange));
        Assert.Null(ComparedFigure.Common[0].Read(SegmentSum.Of([First with { Seconds = 0 }])));
        Assert.Null(ComparedFigure.Of(["hub", "other"]).Single(figure => figure.Name == "cpu").Read(sum));
        ComparedFigure capacity = ComparedFigure.OfCapacity("users");
        Assert.Equal(("capacity", "capacity, users", true), (capacity.Name, capacity.Title, capacity.IsGain));
    }

    [Theory]
    [InlineData("p99>+10%", "p99", true, 10.0)]
    [InlineData("rate<-2.5%", "rate", false, -2.5)]
    [InlineData(" cpu.hub > 5% ", "cpu.hub", true, 5.0)]
    [InlineData("p99@64>1%", "p99@64", true, 1.0)]
    [InlineData("consumer.counts.itemsLost>0%", "consumer.counts.itemsLost", true, 0.0)]
    public void TryParseList_OfALimit_HasItsParts(string text, string figure, bool isAbove, double percent)
    {
        ChangeLimit limit = Assert.Single(ChangeLimit.TryParseList(text)!);
        Assert.Equal((figure, isAbove, percent, text.Trim()), (limit.Figure, limit.IsAbove, limit.Percent, limit.Text));
        Assert.Equal(2, ChangeLimit.TryParseList(text + ",avg>3%")!.Count);
        Assert.Null(ChangeLimit.TryParseList(text + ",avg"));
    }

    [Theory]
    [InlineData("p99>10")]
    [InlineData("p99=10%")]
    [InlineData("p98>10%")]
    [InlineData("p99@0>1%")]
    [InlineData("p98@64>1%")]
    [InlineData("p99>NaN%")]
    [InlineData("p99>1e999%")]
    [InlineData("x.y>1%")] // a role has more than a letter
    [InlineData("Hub.y>1%")]
    [InlineData("hub.>1%")]
    [InlineData("")]
    public void TryParseList_OfOtherText_IsNone(string text) => Assert.Null(ChangeLimit.TryParseList(text));

    /// <summary>A limit is kept up to its value; a change that chance explains keeps any, one that is unknown none.</summary>
    [Theory]
    [InlineData("avg>25%", nameof(ChangeWord.Worse), 250.0, true)]
    [InlineData("avg>25%", nameof(ChangeWord.Worse), 250.1, false)]
    [InlineData("avg<-25%", nameof(ChangeWord.Better), 150.0, true)]
    [InlineData("avg<-25%", nameof(ChangeWord.Better), 149.9, false)]
    [InlineData("avg>10%", nameof(ChangeWord.Same), 900.0, true)]
    [InlineData("avg>10%", nameof(ChangeWord.Changed), 900.0, false)]
    [InlineData("avg>10%", nameof(ChangeWord.NotComparable), 200.0, false)]
    public void IsKept_OfAChange_IsByItsWordAndItsPercent(string limit, string word, double b, bool isKept)
    {
        ChangeLimit parsed = ChangeLimit.TryParseList(limit)![0];
        FigureChange change = new()
        {
            Figure = ComparedFigure.Common[1],
            A = 200,
            B = b,
            Word = Enum.Parse<ChangeWord>(word),
            Reason = "why",
            NoisePercent = 2
        };
        Assert.Equal(isKept, new ChangeLimitResult(parsed, change).IsKept);
        Assert.Equal((false, $"{limit}: not comparable (neither run has it), missed"), (new ChangeLimitResult(parsed, null).IsKept,
            new ChangeLimitResult(parsed, null).Line));
    }

    [Fact]
    public void Text_OfEachWord_IsItsOwn() =>
        Assert.Equal(["same", "better", "worse", "not comparable", "changed"], Enum.GetValues<ChangeWord>().Select(word => word.Text()));

    private static MeasuredSegment Piece(double seconds, double messages, double cpu, double memory, double images, double lost, long[] latencies,
        long[] lags) => new()
        {
            Seconds = seconds,
            Messages = messages,
            CpuSeconds = new Dictionary<string, double> { ["hub"] = cpu },
            MemoryMegabytes = memory,
            ImageSeconds = images,
            RoleNumbers = new Dictionary<string, double> { ["hub.lost"] = lost },
            Latency = Histogram(latencies),
            MaxLatencyMicros = latencies.Max(),
            SendLag = Histogram(lags),
            MaxSendLagMicros = lags.Max(),
            RoundTrips = new Dictionary<int, SizedSamples> { [latencies.Length == 1 ? 16 : 64] = new(Histogram([latencies.Length == 1 ? 6 : 5]), 9) },
        };

    private static LongHistogram Histogram(long[] micros)
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        foreach (long value in micros)
            histogram.RecordValue(value);
        return histogram;
    }
}
