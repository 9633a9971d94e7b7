using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Options;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>What was used to correct stamps, and how far that was from the truth, is that of each line while it was in force.</summary>
public class LinesInForceTests
{
    private const long Second = Clock.NanosPerSecond;

    private readonly SimulatedClocks _clocks = new(seed: 11);
    private readonly ClockHistory _history = new();
    private readonly LinesInForce _lines;

    public LinesInForceTests()
    {
        foreach (ClockExchange exchange in _clocks.Probe(0, 10))
            _history.Add(exchange);
        _lines = new(_history);
        _lines.Add(Line(-30_000, foundAt: 1)); // too low, then too high
        _lines.Add(Line(50_000, foundAt: 4));
    }

    [Theory]
    [InlineData(2, 3, 0, -30, -30)]
    [InlineData(5, 6, 0, 50, 50)]
    [InlineData(2, 6, 0, -30, 50)]
    [InlineData(2, 3, 30, 0, 0)]
    [InlineData(5, 6, -50, 0, 0)]
    [InlineData(0, 1, 0, -30, -30)] // before the first, that is used
    public void Used_InATime_IsThatOfItsLinesAsMoved(double from, double to, double shiftMicros, double least, double most)
    {
        (long Least, long Most) used = _lines.FindUsed([Span(from, to, shiftMicros)])!.Value;
        Assert.InRange(used.Least - _clocks.OffsetNanos - (least * 1_000), -2, 2);
        Assert.InRange(used.Most - _clocks.OffsetNanos - (most * 1_000), -2, 2);
        double bound = _lines.FindBound(new(_history.CollectWindows()), [Span(from, to, shiftMicros)])!.Value;
        Assert.InRange(bound, Math.Max(Math.Abs(least), Math.Abs(most)) * 1_000, (Math.Max(Math.Abs(least), Math.Abs(most)) * 1_000) + 60_000);
    }

    /// <summary>A line a second, each 1 us above the one before: of a time those count that were in force in a part of it.</summary>
    [Theory]
    [InlineData(30.5, 31.5, 30, 31)]
    [InlineData(30, 31, 30, 30)]
    [InlineData(0, 1, 1, 1)]
    [InlineData(98.5, 200, 98, 99)]
    [InlineData(150, 151, 99, 99)]
    [InlineData(0, 200, 1, 99)]
    public void Used_OfManyLines_IsThatOfThoseInForce(double from, double to, int least, int most)
    {
        LinesInForce lines = new(_history);
        for (int second = 1; second < 100; second++)
            lines.Add(Line(second * 1_000, second));
        (long Least, long Most) used = lines.FindUsed([Span(from, to, 0)])!.Value;
        Assert.InRange(used.Least - _clocks.OffsetNanos - (least * 1_000), -2, 2);
        Assert.InRange(used.Most - _clocks.OffsetNanos - (most * 1_000), -2, 2);
    }

    /// <summary>Each time is moved by its own shift: the bound of all is the greatest of them.</summary>
    [Fact]
    public void Bound_OfSeveralTimes_IsTheGreatest()
    {
        ClockTrack track = new(_history.CollectWindows());
        ClockSpan good = Span(2, 3, 30), bad = Span(5, 6, 0);
        double one = _lines.FindBound(track, [good])!.Value, other = _lines.FindBound(track, [bad])!.Value;
        Assert.InRange(one, 0, other - 10_000);
        Assert.Equal(other, _lines.FindBound(track, [good, bad]));
        Assert.Equal(other, _lines.FindBound(track, [bad, good, Span(7, 7, 900)])); // a time of no length has no latencies
        Assert.Null(_lines.FindBound(track, [good, Span(5, 12, 0)])); // unknown after the last probe
        ClockError error = _lines.FindError(track, Span(2, 3, 30))!.Value;
        Assert.InRange(error.Centre, 15_000, 45_000);
    }

    [Theory]
    [InlineData(50, 1, 50)]
    [InlineData(50, 40, 50)]
    [InlineData(50, 41, 48)]
    [InlineData(50, 64, 31)]
    [InlineData(50, 1_000, 20)]
    [InlineData(1_000, 2, 1_000)]
    [InlineData(1_000, 8, 250)]
    [InlineData(20, 500, 20)]
    public void Rate_OfSeveralProgramsAtOneClock_IsSharedOut(int rate, int programs, int each) => Assert.Equal(each, ClockOptions.RateOfEach(rate, programs));

    private ClockSpan Span(double from, double to, double shiftMicros) =>
        new(At(from), At(to), 0, HasBelowZero: false) { ShiftNanos = (long)(shiftMicros * 1_000) };

    private ClockLine Line(long errorNanos, double foundAt) => ClockLine.Of(At(foundAt), _clocks.OffsetNanos + errorNanos, 0) with { FoundNanos = At(foundAt) };

    private long At(double second) => _history.BaseNanos + (long)(second * Second);
}
