using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>What widens the bound of a line: the time between two looks at it, and the slopes of the parts of its segment.</summary>
public class ClockAllowanceTests
{
    private const double Second = Clock.NanosPerSecond;
    private const double Picosecond = 1e-3;
    private const int LooksOfSecond = 20;

    private readonly ClockHistory _history = new();

    public ClockAllowanceTests()
    {
        foreach (ClockExchange exchange in new SimulatedClocks(seed: 12) { Ppm = 50 }.Probe(0, 12))
            _history.Add(exchange);
    }

    /// <summary>Between two looks the difference may leave what it is at both, by the allowance in half of the time, in either direction.</summary>
    [Fact]
    public void Error_AtATime_IsWiderByTheAllowanceInHalfAStep()
    {
        const double Line = 7_000, At = 5.3 * Second;
        ClockTrack track = new(_history.CollectWindows());
        double between = track.SegmentAt(At)!.AllowanceAt(At) * Second / LooksOfSecond / 2;
        (double low, double high) = track.RangeAt(At)!.Value;
        ClockError error = track.FindError(_ => Line, At, At)!.Value;
        Assert.InRange(between, 100, 100_000);
        Assert.Equal(high - Line + between, error.Above, Picosecond);
        Assert.Equal(Line - low + between, error.Below, Picosecond);
    }

    /// <summary>Parts are looked at from two seconds each on: they would show a bend over which a line fits.</summary>
    [Theory]
    [InlineData(31, false)]
    [InlineData(32, true)]
    [InlineData(40, true)]
    public void Allowance_OfASegment_IsThatOfItsPartsWhereTheyAreLongEnough(int windows, bool hasParts)
    {
        ClockWindow[] all = _history.CollectWindows()[..windows];
        ClockSegment segment = Assert.Single(new ClockTrack(all).Segments);
        int quarter = windows / 4;
        ClockFit?[] parts = [.. Enumerable.Range(0, 4).Select(i => ClockFit.TryFit(all.AsSpan(i * quarter, i == 3 ? windows - (3 * quarter) : quarter)))];
        double own = OffBy(segment.Fit!), most = parts.Max(part => OffBy(part!));
        Assert.InRange(most, 2 * own, 1);
        Assert.Equal(5e-6 + (hasParts ? most : own), segment.Allowance, 1e-12);

        double OffBy(ClockFit fit) => Math.Max(fit.MaxSlopeFound - segment.Fit!.Slope, segment.Fit.Slope - fit.MinSlope);
    }
}
