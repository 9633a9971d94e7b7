using PerfCommon.Measurement;
using PerfTools.Results.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

[Trait("Category", "Fast")]
public class RunComparisonTests
{
    [Fact]
    public void Of_SlowerRuns_SaysWorseOfWhatIsWorse()
    {
        RunComparison comparison = Compare(Runs(5), Runs(5, cpu: 1.1, latency: 1.5));
        Assert.Equal("worse", comparison.Verdict);
        Assert.Equal(["avg", "p50", "p90", "p99", "cpu", "cpu.consumer"], Names(comparison, ChangeWord.Worse));
        Assert.Equal(["rate", "images", "memory"], Names(comparison, ChangeWord.Same));
    }

    [Theory]
    [InlineData(1.1, true)]
    [InlineData(0.9, false)]
    public void Of_LatencyThatChangesByLessThanBothBounds_IsTheSame(double change, bool isWorse)
    {
        FigureChange p50 = Find(Compare(Runs(5), Runs(5, latency: 1.5)), "p50");
        double bound = (p50.B!.Value - p50.A!.Value) / 2 / change;
        (RunSet a, RunSet b) = (RecordedRuns.Set("A", Runs(5), null, bound), RecordedRuns.Set("B", Runs(5, cpu: 1.1, latency: 1.5), null, bound));
        FigureChange corrected = Find(RunComparison.Of(a, b), "p50");
        Assert.Equal(isWorse ? (ChangeWord.Worse, null) : (ChangeWord.Same, "within the clock's bound"), (corrected.Word, corrected.Reason));
        Assert.Equal(ChangeWord.Worse, Find(RunComparison.Of(a, b), "cpu").Word);
    }

    [Fact]
    public void Of_FasterRunsThatCostMore_IsMixed()
    {
        RunComparison comparison = Compare(Runs(5), Runs(5, cpu: 1.1, rate: 1.1));
        Assert.Equal("mixed", comparison.Verdict);
        Assert.Equal(["rate"], Names(comparison, ChangeWord.Better));
    }

    [Theory]
    [InlineData(1.015, 1.04)]
    [InlineData(1 / 1.015, 1 / 1.04)]
    public void Of_ChangesBelowTwoAndFivePercent_IsTheSame(double cpu, double latency) =>
        Assert.Equal("same", Compare(Runs(10), Runs(10, cpu: cpu, latency: latency)).Verdict);

    [Fact]
    public void Of_LargeChangeWithinTheNoise_IsTheSameAndSaysHowMuchNoise()
    {
        FigureChange change = Find(Compare(Runs(3, spread: 0.3), Runs(3, cpu: 1.3, spread: 0.3)), "cpu");
        Assert.Equal(ChangeWord.Same, change.Word);
        Assert.True(change.NoisePercent > change.ChangePercent);
        FigureChange back = Find(Compare(Runs(3, cpu: 1.3, spread: 0.3), Runs(3, spread: 0.3)), "cpu");
        Assert.InRange(back.NoisePercent!.Value, -back.ChangePercent!.Value, 100); // a figure cannot fall by more
    }

    [Fact]
    public void Of_PercentilesOfRepeatedRuns_AreThoseOfTheirSum()
    {
        MeasuredSegment[] runs = [Piece(latency: Times(1_000, 10, 20)), Piece(latency: Times(9_000, 100, 20))];
        Assert.Equal(98, Find(Compare(runs, runs), "p50").A);
        Assert.Equal((9_000 * 100 + 1_000 * 10) / 10_000.0, Find(Compare(runs, runs), "avg").A!.Value, 1.0);
    }

    [Fact]
    public void Of_TooFewSamples_IsNotComparableAndSaysWhy()
    {
        FigureChange change = Find(Compare(Runs(2), Runs(2)), "p99.9");
        Assert.Equal((ChangeWord.NotComparable, null, "A has 2,000 samples, 10,000 needed"), (change.Word, change.A, change.Reason));
    }

    [Fact]
    public void Of_SingleRun_HasNoNoiseOfWhatItHasOnce()
    {
        MeasuredSegment[] parts = [.. Runs(5).Select(part => part with { MemoryMegabytes = null, ImageSeconds = null })];
        RunSet side = RecordedRuns.Set("A", parts, Piece());
        RunComparison comparison = RunComparison.Of(side, side);
        Assert.Equal("A has one value of it; --repeat makes several", Find(comparison, "images").Reason);
        Assert.Equal(ChangeWord.Same, Find(comparison, "cpu").Word);
        Assert.Equal("1 run, noise from 5 parts of it and from what runs usually differ by", side.NoiseText);
    }

    [Theory]
    [InlineData("p99>+10%", true, "p99>+10%: 0.0 % (same, noise 1.0 %), kept")]
    [InlineData("cpu>5%", false, "cpu>5%: +10.0 % (worse, noise 1.0 %), missed")]
    [InlineData("cpu>+20%", true, "cpu>+20%: +10.0 % (worse, noise 1.0 %), kept")]
    [InlineData("cpu.consumer<-1%", true, "cpu.consumer<-1%: +10.0 % (worse, noise 1.0 %), kept")]
    [InlineData("p99.9>1%", false, "p99.9>1%: not comparable (A has 5,000 samples, 10,000 needed), missed")]
    public void Compare_WithALimit_KeepsOrMissesIt(string text, bool isKept, string line)
    {
        ChangeLimitResult result = Assert.Single(ChangeLimit.TryParseList(text)!).Compare(Compare(Runs(5), Runs(5, cpu: 1.1)));
        Assert.Equal((isKept, line.Split("noise")[0]), (result.IsKept, result.Line.Split("noise")[0]));
    }

    [Theory]
    [InlineData("p99>10")]
    [InlineData("p98>10%")]
    [InlineData("p99=10%")]
    [InlineData("p99>x%")]
    [InlineData("")]
    public void TryParseList_NoLimit_IsRefused(string text) => Assert.Null(ChangeLimit.TryParseList(text));

    private static RunComparison Compare(IReadOnlyList<MeasuredSegment> a, IReadOnlyList<MeasuredSegment> b) =>
        RunComparison.Of(RecordedRuns.Set("A", a), RecordedRuns.Set("B", b));

    private static FigureChange Find(RunComparison comparison, string name) =>
        comparison.Figures.First(change => change.Figure.Name == name);

    private static IEnumerable<string> Names(RunComparison comparison, ChangeWord word) =>
        comparison.Figures.Where(change => change.Word == word).Select(change => change.Figure.Name);

    // Runs that differ a little from each other.
    private static MeasuredSegment[] Runs(int count, double rate = 1, double cpu = 1, double latency = 1, double spread = 0.002) =>
    [
        .. Enumerable.Range(0, count).Select(i => i % 2 == 0 ? 1 + spread : 1 - spread).Select((factor, i) => Piece() with
        {
            Messages = 100_000 * rate * (1 + (spread * i / 10)),
            CpuSeconds = new Dictionary<string, double> { ["consumer"] = 0.2 * cpu * rate * factor },
            Latency = Times(1_000, 200 * latency * factor, 40 * latency),
            MemoryMegabytes = 60 * factor,
            ImageSeconds = 0.02 * factor,
        }),
    ];

    private static MeasuredSegment Piece(LongHistogram? latency = null) => new()
    {
        Seconds = 1,
        Messages = 100_000,
        CpuSeconds = new Dictionary<string, double> { ["consumer"] = 0.2 },
        Latency = latency ?? Times(1_000, 200, 40),
        MaxLatencyMicros = double.PositiveInfinity,
        MemoryMegabytes = 60,
        ImageSeconds = 0.02,
    };

    private static LongHistogram Times(int count, double typical, double width)
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        for (int i = 0; i < count; i++)
            histogram.RecordValue((long)(typical + (width * ((i % 100 / 100.0) - 0.5))));
        return histogram;
    }
}
