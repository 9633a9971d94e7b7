using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>Every name of a figure in <c>--assert</c>, of a run and of a size of round trips: it is that figure and no other.</summary>
[Trait("Category", "Fast")]
public class DistinctRunTests
{
    private static readonly Dictionary<string, double> OfTheRun = new()
    {
        ["avg"] = 30.5,
        ["max"] = 90.5,
        ["p50"] = 20.5,
        ["p90"] = 50.5,
        ["p99"] = 60.5,
        ["p99.9"] = 70.5,
        ["p99.99"] = 80.5,
        ["rate"] = 98_002.5,
        ["rate%"] = 100 * 98_002.5 / 100_001,
        ["images"] = 10_003,
        ["images%"] = 100.0 * 1_002_060 / 1_001_100,
        ["cpu"] = 24.96,
        ["memory"] = 257.6,
        ["notSent"] = 20 + 21 + 22,
        ["lost"] = 40 + 41 + 42,
        ["sendLagP99"] = 61.5,
    };

    private static readonly RoundTripFigures RoundTrip = new()
    {
        Bytes = 16,
        Samples = 1_001,
        MinMicros = 1.5,
        P50Micros = 2.5,
        AverageMicros = 3.5,
        StdevMicros = 4.5,
        P90Micros = 5.5,
        P99Micros = 6.5,
        P999Micros = 7.5,
        P9999Micros = 8.5,
        MaxMicros = 9.5,
        Lost = 11,
        Late = 12,
        Resent = 13,
        NotPositive = 14,
        OneWayMicros = 15.5,
    };

    private static readonly Dictionary<string, (double Figure, long? Samples)> OfASize = new()
    {
        ["avg"] = (3.5, 1_001),
        ["max"] = (9.5, 1_001),
        ["p50"] = (2.5, 1_001),
        ["p90"] = (5.5, 1_001),
        ["p99"] = (6.5, 1_001),
        ["p99.9"] = (7.5, 1_001),
        ["p99.99"] = (8.5, 1_001),
        [Threshold.Lost] = (11, null),
        [SizedThresholds.Resent] = (13, null),
    };

    [Fact]
    public void Threshold_OfEveryName_IsThatFigureOfTheRun()
    {
        Assert.Equal(Threshold.Metrics.Order(), OfTheRun.Keys.Order()); // a new name wants a row
        foreach (ThresholdResult result in DistinctRun.Assert(DistinctRun.Document))
        {
            Assert.Equal(OfTheRun[result.Threshold.Metric], result.Figure.Value!.Value, 9);
            Assert.Equal(result.Threshold.Sign == ">=", result.IsKept);
        }
    }

    [Fact]
    public void Threshold_OfEveryName_HasNoFigureWithoutOne()
    {
        foreach (ThresholdResult result in new RunAssertions(null, [],
            [new() { Name = "r", Tool = null, Command = "", ExitCode = null, CpuCorePercent = null, MemoryMegabytes = null, Final = null }])
            .Compare([.. Threshold.Metrics.Where(metric => !metric.EndsWith('%'))
                .Select(metric => Threshold.TryParseList(metric + ">=0", Threshold.Metrics)![0])]))
        {
            Assert.Equal((null, false), (result.Figure.Value, result.IsKept));
        }
    }

    [Fact]
    public void Threshold_OfASize_IsThatFigureOfIt()
    {
        foreach ((string metric, (double figure, long? samples)) in OfASize)
            Assert.Equal(new AssertedFigure(figure, samples), RunAssertions.FindSized(RoundTrip, metric));
        foreach (string metric in (string[])[.. Threshold.Latencies, Threshold.Lost, SizedThresholds.Resent])
        {
            Assert.Contains(metric, OfASize.Keys);
            Assert.True(SizedThresholds.IsOfSizes(SizedThresholds.TryParse(metric + "<1")![0]));
        }

        RoundTripFigures none = RoundTrip with { Samples = 0 };
        Assert.Equal((null, null), (RunAssertions.FindSized(none, "avg").Value, RunAssertions.FindSized(none, "max").Value));
    }

    [Theory]
    [InlineData("<", 1, false)]
    [InlineData("<", 2, false)]
    [InlineData("<", 3, true)]
    [InlineData("<=", 1, false)]
    [InlineData("<=", 2, true)]
    [InlineData("<=", 3, true)]
    [InlineData(">", 1, true)]
    [InlineData(">", 2, false)]
    [InlineData(">", 3, false)]
    [InlineData(">=", 1, true)]
    [InlineData(">=", 2, true)]
    [InlineData(">=", 3, false)]
    public void Threshold_OfEachSign_HoldsOnItsSideAndAtItsLimit(string sign, int limit, bool isKept) =>
        Assert.Equal(isKept, Threshold.TryParseList($"p99{sign}{limit}us", Threshold.Metrics)![0].IsKeptBy(2));

    [Theory]
    [InlineData("p99<1s", 1_000_000)]
    [InlineData("p99<1ms", 1_000)]
    [InlineData("p99<1us", 1)]
    [InlineData("p99<1", 1)]
    [InlineData("p99<1ns", 0.001)]
    [InlineData("memory<3MB", 3)]
    [InlineData("cpu<4%", 4)]
    [InlineData("sendLagP99<5ms", 5_000)]
    public void Threshold_OfEachUnit_IsInThatOfItsFigure(string text, double limit) =>
        Assert.Equal(limit, Threshold.TryParseList(text, Threshold.Metrics)![0].Limit, 9);

    /// <summary>The parts of a latency are weighted by their number of samples.</summary>
    [Fact]
    public void Latencies_AddedUp_WeighBySamples()
    {
        RunLatency one = DistinctRun.Document.Figures!.LatencyMicros! with { Count = 1, Average = 100, Min = 50, Max = 500 };
        RunLatency nine = one with { Count = 9, Average = 200, Min = 60, Max = 400 };
        RunLatency sum = RunLatency.Add([one, nine], samples: null)!;
        Assert.Equal((10L, 190.0, 50.0, 500.0, null), (sum.Count, sum.Average, sum.Min, sum.Max, sum.P50));
        Assert.Null(RunLatency.Add([one with { Count = 0 }], null));
        LongHistogram samples = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        foreach (int value in Enumerable.Range(1, 1_000))
            samples.RecordValue(value);
        RunLatency known = RunLatency.Add([one with { Count = 1_000, Max = 1_000 }], samples)!;
        Assert.Equal((500.0, 900.0, 990.0, null, null), (known.P50, known.P90, known.P99, known.P999, known.P9999));
    }
}
