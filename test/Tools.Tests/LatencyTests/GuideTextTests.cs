using System.Globalization;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public class GuideTextTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Row_OfTheGuide_IsItsToTheCharacter(bool hasCommaCulture)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            if (hasCommaCulture)
                CultureInfo.CurrentCulture = CommaCulture();
            Assert.Equal("    16,   45.5,  114.0,   91.5,  104.0,  135.0,  210.0, 1790.0, 2078.5\n", GuideText.Row(GuidesSize()));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void Counted_TenSizesOfAThousand_AreTheGuides10011()
    {
        SubscriberCounts counts = new() { Received = 10_010, Replied = 10_010 };
        Assert.Equal("Test successful: 10011 messages received, 10011 replies sent.\n", GuideText.Counted(counts, echoes: true));
        Assert.Equal("Test successful: 10011 messages received, 0 replies sent.\n",
            GuideText.Counted(counts with { Replied = 0 }, echoes: false));
    }

    [Fact]
    public void Remarks_OfLosses_HideNothing()
    {
        RoundCounts counts = new() { Lost = 3, Late = 2, LongestLateNanos = 1_204_331_000, Resent = 4, Duplicates = 5 };
        PublisherResult result = new()
        {
            Sizes = [GuidesSize() with { Counts = counts }],
            Subscribers =
            [
                new SubscriberCounts { Lost = 7, Duplicates = 9 }, new SubscriberCounts { Late = 8, KernelDrops = 11 }, new SubscriberCounts(), null,
                new SubscriberCounts { Lost = 10, CpuMicros = 440_000, Placement = new(0, 2) },
            ],
            Placement = new(0, 0),
            Cpu = new CpuUse(0, 1_000_000_000, 451_000_000),
            Foreign = 6,
        };
        Assert.Equal(
            "99.99%: 1 of 10000 samples lie beyond it\nlost 3 (no reply within 1000 ms), late 2 (longest 1204331.0 us)\nresent 4\nduplicates 5\n"
            + "subscriber with cookie 1: lost 7, duplicates 9\nsubscriber with cookie 2: late 8, dropped by the kernel 11\n"
            + "foreign datagrams 6\nProcessors: publisher 0, echoer 0 (moved 0, 2 times)\nCPU (percent of one core): publisher 45.1, echoer 44.0\n",
            GuideText.Remarks(new LatencyPerfOptions(), result));
    }

    [Fact]
    public void OneWay_OfOne_IsHalfBeforeRounding()
    {
        OneWayTime half = OneWayTimes.HalfOf(GuidesSize());
        Assert.Equal((57.0, 45.75, 52.0), (half.Average, half.Min, half.P50));
        Assert.Equal("\nbytes, ave us, min us, 50% us\n-----\n    16,   57.0,   45.8,   52.0\n",
            GuideText.OneWay([half], isByBaseline: false));
    }

    [Fact]
    public void OneWay_ByBaseline_IsWhatTheWayBackLeaves()
    {
        Baseline baseline = new(new Dictionary<int, BaselineSize> { [16] = new(100, 90), [64] = new(500, null) });
        Assert.Equal((64.0, null, 59.0), Of(OneWayTimes.Beyond(GuidesSize(), baseline)));
        Assert.Equal((null, null, null), Of(OneWayTimes.Beyond(GuidesSize() with { Bytes = 32 }, baseline)));
        Assert.Equal((null, null, null), Of(OneWayTimes.Beyond(GuidesSize() with { Bytes = 64 }, baseline)));
    }

    [Theory]
    [InlineData(16, 8192, "16,32,64,128,256,512,1024,2048,4096,8192")]
    [InlineData(16, 100, "16,32,64,100")]
    [InlineData(50, 50, "50")]
    public void Of_MinAndMax_DoublesAndEndsWithTheLargest(int min, int max, string sizes) =>
        Assert.Equal(sizes, string.Join(',', SizeSweep.Of(min, max)));

    [Fact]
    public void Record_CoarseClock_LeavesOutWhatTookNoTime()
    {
        SizeFigures figures = new(keepsIntervals: false);
        figures.Begin(0);
        for (int i = 0; i < 198; i++)
            figures.Record(0, 1_000_000);
        figures.Record(5, 5);
        figures.Record(5, 4);
        Assert.False(figures.IsClockTooCoarse);
        figures.Record(5, 5);
        Assert.True(figures.IsClockTooCoarse);

        SizeResult size = figures.Finish(16, default, 1);
        Assert.Equal((198L, 3L, 1000.0), (size.Trips.Count, size.Counts.NotPositive, size.Trips.Min));
    }

    [Fact]
    public void Finish_Percentiles_AreNotAboveTheMaximum()
    {
        SizeFigures figures = new(keepsIntervals: true);
        figures.Begin(0);
        for (int i = 1; i <= 3; i++)
            figures.Record(0, 1_234_567_891);
        SizeResult size = figures.Finish(16, default, 10);
        Assert.All(new[] { size.P50, size.P90, size.P99, size.P9999 }, value => Assert.True(value <= size.Trips.Max));
        Assert.Null(size.Trips.P9999);
        Assert.Equal(3, size.Intervals.Sum(interval => interval.Trips.TotalCount));
    }

    private static (double?, double?, double?) Of(OneWayTime time) => (time.Average, time.Min, time.P50);

    private static SizeResult GuidesSize() => new()
    {
        Bytes = 16,
        Trips = new LatencyFigures { Count = 10_000, Deviation = 45.5, Average = 114, Min = 91.5, Max = 2078.5 },
        P50 = 104,
        P90 = 135,
        P99 = 210,
        P9999 = 1790,
    };

    private static CultureInfo CommaCulture()
    {
        CultureInfo culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        culture.NumberFormat.NumberDecimalSeparator = ",";
        return culture;
    }
}
