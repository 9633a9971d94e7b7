namespace PerfTools.Hosting.Clocks;

/// <summary>
/// A bound of the difference of two clocks at a time, both relative to the first exchange so that a double resolves every nanosecond.
/// </summary>
/// <param name="At">Nanoseconds of this host's clock since the first exchange.</param>
/// <param name="Offset">The peer's clock minus this host's, minus that difference at the first exchange; nanoseconds.</param>
internal readonly record struct ClockPoint(double At, double Offset)
{
    /// <summary>Reduces points in the order of time to those that a line over all of them (1), or below all of them (-1), can touch.</summary>
    public static ClockPoint[] Hull(IEnumerable<ClockPoint> points, int side)
    {
        List<ClockPoint> hull = [];
        foreach (ClockPoint point in points)
        {
            while (hull.Count >= 2 && !LiesOutside(hull[^2], hull[^1], point, side))
                hull.RemoveAt(hull.Count - 1);
            hull.Add(point);
        }

        return [.. hull];
    }

    private static bool LiesOutside(ClockPoint before, ClockPoint middle, ClockPoint after, int side) =>
        side * (((middle.Offset - before.Offset) * (after.At - before.At)) - ((after.Offset - before.Offset) * (middle.At - before.At))) > 0;
}

/// <summary>The bounds that remain of the exchanges of a quarter of a second.</summary>
/// <param name="Epoch">Number of interruptions of one of the clocks before: no line spans one.</param>
/// <param name="Number">Whole quarters of a second of this host's clock since the first exchange.</param>
/// <param name="Lower">Upper hull of the lower bounds.</param>
/// <param name="Upper">Lower hull of the upper bounds.</param>
internal sealed record ClockWindow(int Epoch, long Number, ClockPoint[] Lower, ClockPoint[] Upper)
{
    /// <summary>Windows per second.</summary>
    public const int PerSecond = 4;

    /// <summary>Length of a window.</summary>
    public const double Nanos = (double)PerfCommon.Measurement.Clock.NanosPerSecond / PerSecond;

    /// <summary>Returns the window of a time that is relative to the first exchange.</summary>
    public static long NumberAt(double at) => (long)Math.Floor(at / Nanos);
}
