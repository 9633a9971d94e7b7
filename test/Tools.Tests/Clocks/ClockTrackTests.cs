using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>The interval in which the difference of two clocks lies is a guarantee: the truth lies in it every time.</summary>
public class ClockTrackTests
{
    private const int Seeds = 2_500; // of each of four kinds
    private const int Seconds = 8;
    private const double StepNanos = 73e6;
    private const double RoundingNanos = 2;

    [Theory]
    [InlineData(0, 20)] // a steady drift of up to 500 ppm
    [InlineData(100, 20)] // a bend somewhere
    [InlineData(100, 200)] // the same, and one way slower than the other
    [InlineData(300, 20)]
    public void Range_RandomClocksAndDelays_HoldsTheTruthEveryTime(double bendPpm, double minMicros)
    {
        (int known, int unknown) = (0, 0);
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedClocks clocks = CreateRandom(seed, bendPpm, minMicros);
            ClockHistory history = Collect(clocks.Probe(0, Seconds));
            ClockTrack track = new(history.CollectWindows());
            for (double at = 0; at < track.LastPoint; at += StepNanos)
            {
                if (track.RangeAt(at) is not { } range)
                {
                    unknown++;
                    continue;
                }

                double truth = clocks.TrueOffset(history, at);
                Assert.True(truth >= range.Low - RoundingNanos && truth <= range.High + RoundingNanos,
                    $"seed {seed} at {at}: {truth} is not in {range.Low}..{range.High}");
                known++;
            }
        }

        Assert.InRange(unknown, 0, bendPpm == 0 ? 0 : known / 5); // around a bend nothing may be known
    }

    [Fact]
    public void Error_DriftOfFiftyPpmOverAnHour_IsWithinTheBoundEverySecond()
    {
        const int Hour = 3_600;
        SimulatedClocks clocks = new(seed: 5) { Ppm = 50 };
        ClockHistory history = Collect(clocks.Probe(0, Hour));
        ClockTrack track = new(history.CollectWindows());
        ClockSegment segment = Assert.Single(track.Segments);
        Assert.InRange(segment.Fit!.Slope * 1e6, 49.9, 50.1);
        for (double second = 0; second < Hour - 1; second++)
        {
            double from = second * Clock.NanosPerSecond;
            double bound = track.FindError(segment.Fit.OffsetAt, from, from + Clock.NanosPerSecond)!.Value.Max;
            for (double at = from; at <= from + Clock.NanosPerSecond; at += Clock.NanosPerSecond / 4.0)
                Assert.InRange(Math.Abs(segment.Fit.OffsetAt(at) - clocks.TrueOffset(history, at)), 0, bound);
            Assert.InRange(bound, 0, 100_000);
        }
    }

    /// <summary>A run of any length has its bound: windows are counted by their time, which is a quarter of a second each.</summary>
    [Fact]
    public void CollectSince_TimeInALongRun_HasEveryWindowFromItOn()
    {
        const double Second = Clock.NanosPerSecond;
        ClockHistory history = Collect(new SimulatedClocks(seed: 7) { Ppm = 50 }.Probe(0, 100));
        long last = history.CollectWindows()[^1].Number;
        foreach (int second in (int[])[-15, 0, 1, 30, 98])
        {
            ClockWindow[] windows = history.CollectSince(second * Second);
            Assert.Equal((Math.Max(0, second) * (long)ClockWindow.PerSecond, last), (windows[0].Number, windows[^1].Number));
        }

        ClockTrack track = new(history.CollectSince(15 * Second));
        Assert.NotNull(track.FindError(track.Last!.Fit!.OffsetAt, 15 * Second, 98 * Second));
        Assert.Null(new ClockTrack(history.CollectWindows(most: 75)).FindError(track.Last.Fit.OffsetAt, 15 * Second, 98 * Second)); // 19 s of them
    }

    /// <summary>
    /// A line found before later probes is moved to the middle of what they allow: then its bound is smaller, and still holds at every moment.
    /// </summary>
    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    public void Error_OfALineThatWasMoved_IsWithinASmallerBound(double bendPpm)
    {
        int smaller = 0;
        for (int seed = 0; seed < 300; seed++)
        {
            SimulatedClocks clocks = CreateRandom(seed, bendPpm, minMicros: 20);
            ClockHistory history = Collect(clocks.Probe(0, 4));
            if (new ClockTrack(history.CollectWindows()) is not { Segments: [{ Fit: { } early }] })
                continue;
            foreach (ClockExchange exchange in clocks.Probe(4, Seconds))
                history.Add(exchange);
            (double from, double to) = (4.0 * Clock.NanosPerSecond, 5.0 * Clock.NanosPerSecond);
            if (new ClockTrack(history.CollectWindows()).FindError(early.OffsetAt, from, to) is not { } error)
                continue;
            double bound = error.Moved(error.Centre).Max;
            Assert.InRange(bound, 0, error.Max);
            smaller += bound < 0.9 * error.Max ? 1 : 0;
            for (double at = from; at <= to; at += StepNanos)
            {
                double truth = clocks.TrueOffset(history, at);
                Assert.InRange(Math.Abs(early.OffsetAt(at) - truth), 0, error.Max + RoundingNanos);
                Assert.InRange(Math.Abs(early.OffsetAt(at) + error.Centre - truth), 0, bound + RoundingNanos);
            }
        }

        Assert.InRange(smaller, 30, 300);
    }

    [Fact]
    public void Error_Moved_IsOfBothDirections()
    {
        ClockError error = new(Above: 30, Below: -10), both = error.Beside(new(5, 12));
        Assert.Equal((30, 20, new ClockError(10, 10)), (error.Max, error.Centre, error.Moved(20)));
        Assert.Equal((new ClockError(30, 12), 9.0), (both, both.Centre));
        Assert.Equal((0, error, false), (ClockError.None.Max, ClockError.None.Beside(error), double.IsFinite(ClockError.None.Centre)));
    }

    [Fact]
    public void Error_OneWaySlowerByTwoHundredMicros_IsWithinTheBound()
    {
        SimulatedClocks clocks = new(seed: 6) { MinMicros = (208, 8) };
        ClockHistory history = Collect(clocks.Probe(0, Seconds));
        ClockTrack track = new(history.CollectWindows());
        Func<double, double> line = Assert.Single(track.Segments).Fit!.OffsetAt;
        double middle = Seconds / 2.0 * Clock.NanosPerSecond;
        double error = Math.Abs(line(middle) - clocks.TrueOffset(history, middle));
        Assert.InRange(error, 90_000, 110_000); // half of it: no probe can see that
        Assert.InRange(track.FindError(line, middle, middle)!.Value.Max, error, 150_000);
    }

    [Fact]
    public void Fit_LineThatIsKnown_HasItsBoundsAndSlopes()
    {
        ClockWindow window = new(0, 0, [new(0, 10), new(1_000, 12)], [new(0, 40), new(1_000, 44)]);
        ClockFit? none = ClockFit.TryFit([window with { Upper = [new(0, 9), new(1_000, 5)] }]);
        ClockFit far = ClockFit.TryFit([new(0, 0, [new(0, 10), new(1e6, 12)], [new(0, 40), new(1e6, 44)])])!;
        Assert.Null(none);
        Assert.Equal((11, 42), far.RangeAt(0.5e6));
        Assert.Equal((-29e-6, 35e-6), (Math.Round(far.MinSlope, 9), Math.Round(far.MaxSlopeFound, 9))); // 1 ns for rounding
    }

    [Fact]
    public void Range_HostSuspended_HasALineOnEachSide()
    {
        SimulatedClocks before = new(seed: 7), after = new(seed: 8) { OffsetNanos = 4_000 * Clock.NanosPerSecond };
        ClockHistory history = Collect(before.Probe(0, 5));
        history.Break();
        foreach (ClockExchange exchange in after.Probe(6, 11))
            history.Add(exchange);
        ClockTrack track = new(history.CollectWindows());
        Assert.Equal(2, track.Segments.Count);
        foreach ((SimulatedClocks clocks, double second) in new[] { (before, 2.0), (after, 8.0) })
        {
            (double low, double high) = track.RangeAt(second * Clock.NanosPerSecond)!.Value;
            Assert.InRange(clocks.TrueOffset(history, second * Clock.NanosPerSecond), low, high);
        }

        Assert.Null(track.RangeAt(5.5 * Clock.NanosPerSecond)); // between them
        Assert.Null(track.FindError(at => 0, 2.0 * Clock.NanosPerSecond, 8.0 * Clock.NanosPerSecond));
        Assert.Equal(5, history.CollectWindows(onlyLastEpoch: true).Count(window => window.Number % ClockWindow.PerSecond == 1));
    }

    [Fact]
    public void Range_NothingAnsweredForLong_IsUnknown()
    {
        SimulatedClocks clocks = new(seed: 9);
        ClockHistory history = Collect(clocks.Probe(0, 3).Concat(clocks.Probe(40, 43)));
        ClockTrack track = new(history.CollectWindows());
        Assert.NotNull(track.RangeAt(2.0 * Clock.NanosPerSecond));
        Assert.Null(track.RangeAt(20.0 * Clock.NanosPerSecond));
        Assert.Null(track.FindError(at => 0, 0, 42.0 * Clock.NanosPerSecond));
    }

    [Fact]
    public void Track_ClockThatIsSlewed_IsSplitAndTellsWhereNothingIsKnown()
    {
        SimulatedClocks clocks = new SimulatedClocks(seed: 10).Bend(31.3, 400);
        ClockHistory history = Collect(clocks.Probe(0, 60));
        ClockTrack track = new(history.CollectWindows());
        Assert.InRange(track.Segments.Count, 3, 40);
        Assert.NotNull(track.FindError(at => clocks.TrueOffset(history, at), 2e9, 20e9));
        Assert.Null(track.FindError(at => clocks.TrueOffset(history, at), 20e9, 40e9));
        Assert.NotNull(track.FindError(at => clocks.TrueOffset(history, at), 40e9, 58e9));
    }

    [Fact]
    public void History_ExchangeWhoseStampsGoBack_IsLeftOut()
    {
        ClockHistory history = new();
        history.Add(new ClockExchange(100, 50, 60, 90));
        history.Add(new ClockExchange(100, 60, 50, 120));
        Assert.Equal(0, history.Count);
        Assert.Empty(history.CollectWindows());
        Assert.Empty(new ClockTrack([]).Segments);
    }

    [Theory]
    [InlineData(5_000_000_000_000, 50)]
    [InlineData(-5_000_000_000_000, -500)]
    [InlineData(9_000_000_000_000_000, 500)] // a host that is up for a hundred days longer
    public void Line_StampOfThePeer_IsTheTimeOfThisHost(long offset, double ppm)
    {
        const long At = 777_000_000_000;
        ClockLine line = ClockLine.Of(At, offset, ppm * 1e-6);
        Func<double, double> relative = line.RelativeTo(At, offset);
        for (long own = At - 100_000_000_000; own < At + 3_600_000_000_000; own += 99_999_999_999)
        {
            long peer = own + offset + (long)Math.Round((own - At) * ppm * 1e-6);
            Assert.InRange(line.ToOwn(peer) - own, -2, 2);
            Assert.InRange(relative(own - At) - ((own - At) * ppm * 1e-6), -1, 1);
        }
    }

    [Fact]
    public void Bound_LineThatIsOld_Grows() => Assert.Equal((1_000, 1_000, 3_000), (Bound(-5), Bound(0), Bound(2)));

    private static double Bound(long seconds) => new ClockLine(0, 0, 0) { FoundNanos = Clock.NanosPerSecond, BoundNanos = 1_000, BoundGrowth = 1e-6 }
        .BoundAt(Clock.NanosPerSecond * (seconds + 1));

    private static SimulatedClocks CreateRandom(int seed, double bendPpm, double minMicros)
    {
        Random random = new(seed);
        double ppm = (random.NextDouble() * 1_000) - 500;
        SimulatedClocks clocks = new(seed)
        {
            Ppm = ppm,
            OffsetNanos = (random.Next(20_000) - 10_000) * Clock.NanosPerSecond,
            MinMicros = (2 + (random.NextDouble() * minMicros), 2 + (random.NextDouble() * 20)),
            JitterMicros = 5 + (random.NextDouble() * 60),
            Loss = random.NextDouble() * 0.3,
            ProbesPerSecond = 50,
        };
        return bendPpm > 0 ? clocks.Bend(1 + (random.NextDouble() * (Seconds - 2)), ppm + (((random.NextDouble() * 2) - 1) * bendPpm)) : clocks;
    }

    private static ClockHistory Collect(IEnumerable<ClockExchange> exchanges)
    {
        ClockHistory history = new();
        foreach (ClockExchange exchange in exchanges)
            history.Add(exchange);
        return history;
    }
}
