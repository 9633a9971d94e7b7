using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Segments of clocks whose drift grows evenly: a line fits over a minute of it, not over two.</summary>
public class ClockSegmentTests
{
    private const double Second = Clock.NanosPerSecond;
    private const double Growth = 1_000; // nanoseconds per second and second
    private const double HalfWidth = 500_000; // of the bounds; over a minute the drift is off by 450 us of the nearest line

    [Fact]
    public void SegmentAt_TimeWithoutWindows_IsTheOneWhoseMiddleIsNearest()
    {
        ClockTrack track = new([.. Windows(0, 78), .. Windows(83, 120)]);
        Assert.True(track.Segments.Count >= 3);
        foreach (double second in (double[])[78.5, 80, 82.5])
        {
            ClockSegment[] covering = [.. track.Segments.Where(segment => segment.Covers(second * Second))];
            Assert.Equal(2, covering.Length);
            Assert.Same(covering.MinBy(segment => Math.Abs(segment.Middle - (second * Second))), track.SegmentAt(second * Second));
        }

        Assert.Contains(track.SegmentAt(78.5 * Second), track.Segments.Skip(1));
    }

    /// <summary>A window is in two segments that overlap by half.</summary>
    [Fact]
    public void SegmentAt_TimeOfAWindow_IsTheOneWhoseMiddleIsNearest()
    {
        ClockTrack track = new([.. Windows(0, 120)]);
        Assert.True(track.Segments.Count >= 3);
        foreach (ClockWindow window in Windows(0, 120))
        {
            double at = (window.Number + 0.5) * ClockWindow.Nanos;
            Assert.Equal(track.Segments.Min(segment => Math.Abs(segment.Middle - at)), Math.Abs(track.SegmentAt(at)!.Middle - at));
        }
    }

    [Fact]
    public void SegmentAt_EndOfASegment_IsThatSegment()
    {
        ClockTrack track = new([.. Windows(0, 2), .. Windows(20, 22, epoch: 1)]);
        Assert.Equal(2, track.Segments.Count);
        Assert.Same(track.Segments[0], track.SegmentAt(2 * Second));
        Assert.Null(track.SegmentAt((2 * Second) + 1));
        Assert.Same(track.Segments[1], track.SegmentAt(22 * Second));
        Assert.Equal(0, new ClockTrack([]).LastPoint);
    }

    /// <summary>The neighbours of a segment are two on each side: those next to it overlap it by half.</summary>
    [Fact]
    public void Allowance_OfTheLastSegment_IsThatOfTheSecondBeforeIt()
    {
        IReadOnlyList<ClockSegment> segments = new ClockTrack([.. Windows(0, 180)]).Segments;
        (ClockFit last, ClockFit before) = (segments[^1].Fit!, segments[^3].Fit!);
        double apart = Math.Max(before.MaxSlopeFound - last.Slope, last.Slope - before.MinSlope);
        Assert.InRange(apart * 1e6, 120, 140);
        Assert.Equal(ClockTrack.Unsteadiness + apart, segments[^1].Allowance, 1e-12);
    }

    [Fact]
    public void Hull_PointsOnOrBelowALine_AreLeftOut()
    {
        ClockPoint first = new(0, 0), last = new(2, 2);
        Assert.Equal([first, last], ClockPoint.Hull([first, new(1, 0), last], 1));
        Assert.Equal([first, last], ClockPoint.Hull([first, new(1, 1), last], 1));
        Assert.Equal([first, new(1, 0), last], ClockPoint.Hull([first, new(1, 0), last], -1));
    }

    // One exchange in the middle of each window.
    private static IEnumerable<ClockWindow> Windows(int fromSecond, int toSecond, int epoch = 0)
    {
        for (int number = fromSecond * ClockWindow.PerSecond; number < toSecond * ClockWindow.PerSecond; number++)
        {
            double at = (number + 0.5) * ClockWindow.Nanos, seconds = at / Second, offset = Growth * seconds * seconds;
            yield return new(epoch, number, [new(at, offset - HalfWidth)], [new(at, offset + HalfWidth)]);
        }
    }
}
