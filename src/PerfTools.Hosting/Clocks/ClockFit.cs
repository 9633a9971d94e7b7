namespace PerfTools.Hosting.Clocks;

/// <summary>All straight lines above every lower and below every upper bound of the difference of two clocks.</summary>
/// <remarks>
/// The set is convex, so the extremes at a time are a guarantee while the clocks drift evenly; the middle is only the best guess.
/// An example: bounds of [10, 40] us at 0 s and [12, 44] us at 1 s allow slopes from -28 to 34 ppm and, at 0.5 s, 11 to 42 us.
/// </remarks>
internal sealed class ClockFit
{
    /// <summary>Maximum drift of two clocks; faster ones are considered faulty. 500 ppm of slewing on each side, and as much again.</summary>
    public const double MaxSlope = 2_000e-6;

    private const double RoundingNanos = 1;

    private readonly ClockPoint[] _lower;
    private readonly ClockPoint[] _upper;

    private ClockFit(ClockPoint[] lower, ClockPoint[] upper, double minSlope, double maxSlope)
    {
        (_lower, _upper, MinSlope, MaxSlopeFound) = (lower, upper, minSlope, maxSlope);
        (double from, double to) = (Math.Min(lower[0].At, upper[0].At), Math.Max(lower[^1].At, upper[^1].At));
        (Middle, Seconds) = ((from + to) / 2, (to - from) / PerfCommon.Measurement.Clock.NanosPerSecond);
        Slope = (minSlope + maxSlope) / 2;
        OffsetAtMiddle = (Lowest(Slope, Middle) + Highest(Slope, Middle)) / 2;
    }

    /// <summary>The minimum slope of all lines.</summary>
    public double MinSlope { get; }

    /// <summary>The maximum slope of all lines.</summary>
    public double MaxSlopeFound { get; }

    /// <summary>The slope of the line in the middle of the set.</summary>
    public double Slope { get; }

    /// <summary>The middle of the time covered by the bounds.</summary>
    public double Middle { get; }

    /// <summary>The offset of the line in the middle of the set at <see cref="Middle"/>.</summary>
    public double OffsetAtMiddle { get; }

    /// <summary>The length of the time covered by the bounds.</summary>
    public double Seconds { get; }

    /// <summary>Returns the offset of the middle line at a time.</summary>
    public double OffsetAt(double at) => OffsetAtMiddle + (Slope * (at - Middle));

    /// <summary>Finds the lines; null when there are none, or a side has no bound.</summary>
    public static ClockFit? TryFit(ReadOnlySpan<ClockWindow> windows)
    {
        List<ClockPoint> below = [], above = [];
        foreach (ClockWindow window in windows)
        {
            below.AddRange(window.Lower);
            above.AddRange(window.Upper);
        }

        (ClockPoint[] lower, ClockPoint[] upper) = (ClockPoint.Hull(below, 1), ClockPoint.Hull(above, -1));
        return lower.Length > 0 && upper.Length > 0 && FindSlopes(lower, upper) is { } slopes
            ? new ClockFit(lower, upper, slopes.Min, slopes.Max) : null;
    }

    /// <summary>Returns the minimum and the maximum offset of all lines at a time.</summary>
    public (double Low, double High) RangeAt(double at) => (
        Lowest(Math.Clamp(BestSlope(_lower, at, double.PositiveInfinity), MinSlope, MaxSlopeFound), at),
        Highest(Math.Clamp(BestSlope(_upper, at, double.NegativeInfinity), MinSlope, MaxSlopeFound), at));

    // Each pair of a lower and an upper bound limits the slope from one side.
    private static (double Min, double Max)? FindSlopes(ClockPoint[] lower, ClockPoint[] upper)
    {
        (double min, double max) = (-MaxSlope, MaxSlope);
        foreach (ClockPoint low in lower)
        {
            foreach (ClockPoint high in upper)
            {
                (double time, double gap) = (high.At - low.At, high.Offset - low.Offset + RoundingNanos);
                if (time > 0)
                    max = Math.Min(max, gap / time);
                else if (time < 0)
                    min = Math.Max(min, gap / time);
                else if (gap < 0)
                    return null;
            }
        }

        return min <= max ? (min, max) : null;
    }

    // At a time inside the bounds, the lowest line over all lower bounds follows the hull; outside it has the maximum slope.
    private static double BestSlope(ClockPoint[] hull, double at, double whenBefore)
    {
        if (at < hull[0].At)
            return whenBefore;
        for (int i = 1; i < hull.Length; i++)
        {
            if (at <= hull[i].At && hull[i].At > hull[i - 1].At)
                return (hull[i].Offset - hull[i - 1].Offset) / (hull[i].At - hull[i - 1].At);
        }

        return -whenBefore;
    }

    private double Lowest(double slope, double at) => _lower.Max(low => low.Offset - (slope * (low.At - at)));

    private double Highest(double slope, double at) => _upper.Min(high => high.Offset - (slope * (high.At - at)));
}
