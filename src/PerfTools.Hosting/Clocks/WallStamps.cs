namespace PerfTools.Hosting.Clocks;

/// <summary>A reading of the wall clock between two of this host's clock, in nanoseconds.</summary>
/// <param name="Before">This host's clock before.</param>
/// <param name="Wall">The wall clock.</param>
/// <param name="After">This host's clock after.</param>
internal readonly record struct WallReading(long Before, long Wall, long After)
{
    private const int Tries = 3;

    /// <summary>Reads both clocks three times, and returns the closest reading.</summary>
    public static WallReading Take(Func<long> now, Func<long> wall)
    {
        WallReading closest = default;
        for (int i = 0; i < Tries; i++)
        {
            WallReading reading = new(now(), wall(), now());
            if (i == 0 || reading.After - reading.Before < closest.After - closest.Before)
                closest = reading;
        }

        return closest;
    }
}

/// <summary>By how much the wall clock was ahead of this host's clock between two readings, in nanoseconds.</summary>
/// <param name="First">The first reading.</param>
/// <param name="Second">The second one.</param>
internal readonly record struct WallLead(WallReading First, WallReading Second)
{
    /// <summary>True when no setting of the wall clock is seen: one amount fits both readings.</summary>
    public bool IsSteady => MinOf(First) <= MaxOf(Second) && MinOf(Second) <= MaxOf(First);

    /// <summary>The earliest time of this host's clock at which a stamp of the wall clock was made.</summary>
    public long EarliestOf(long wall) => wall - Math.Max(MaxOf(First), MaxOf(Second));

    /// <summary>The latest time.</summary>
    public long LatestOf(long wall) => wall - Math.Min(MinOf(First), MinOf(Second));

    /// <summary>True for a stamp that was made between the readings: only there the amount is known.</summary>
    public bool Covers(long wall) => IsSteady && LatestOf(wall) >= First.Before && EarliestOf(wall) <= Second.After;

    private static long MinOf(WallReading reading) => reading.Wall - reading.After;

    private static long MaxOf(WallReading reading) => reading.Wall - reading.Before;
}

/// <summary>Maps stamps of the wall clock to this host's clock, which is never set. One thread.</summary>
/// <remarks>
/// The wall clock and this host's clock are slewed alike, so one is ahead by the same amount until the wall clock is set. The amount is known from a reading
/// before a stamp and one after it, each with the time that it took as its error. So a stamp has an earliest and a latest time, and a bound uses the one
/// that widens it. A setting that is smaller than these errors lies within them.
/// </remarks>
/// <param name="read">Reads both clocks.</param>
internal sealed class WallStamps(Func<WallReading> read)
{
    private WallReading _last = read();

    /// <summary>Reads both clocks, and returns what is known of the time since the reading before.</summary>
    public WallLead Next()
    {
        WallReading before = _last;
        _last = read();
        return new(before, _last);
    }
}
