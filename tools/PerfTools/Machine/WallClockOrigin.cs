namespace PerfTools.Machine;

/// <summary>The wall clock's time when the monotonic clock was at 0: by it an offset of two monotonic clocks is one of the wall clocks.</summary>
/// <param name="UnixMicros">Microseconds since 1970.</param>
/// <param name="ErrorMicros">The maximum error of the reading.</param>
internal readonly record struct WallClockOrigin(double UnixMicros, double ErrorMicros)
{
    private const int Readings = 5;
    private const double NanosPerMicro = 1_000;

    // The time of .NET has steps of a tick; a number of microseconds since 1970 is exact to an eighth of one.
    private const double StepMicros = 0.1 + 0.125;

    /// <summary>Reads both clocks several times, the monotonic one before and after the other; the tightest reading counts.</summary>
    /// <param name="nowNanos">Reads the monotonic clock.</param>
    /// <param name="utcNow">Reads the wall clock.</param>
    public static WallClockOrigin Read(Func<long> nowNanos, Func<DateTime> utcNow) =>
        Enumerable.Range(0, Readings).Select(_ => ReadOnce(nowNanos, utcNow)).MinBy(reading => reading.ErrorMicros);

    private static WallClockOrigin ReadOnce(Func<long> nowNanos, Func<DateTime> utcNow)
    {
        long before = nowNanos();
        long wall = (utcNow() - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;
        long half = (nowNanos() - before + 1) / 2;
        return new((wall - before - half) / NanosPerMicro, (half / NanosPerMicro) + StepMicros);
    }
}
