using System.Diagnostics;

namespace PerfCommon.Transport;

/// <summary>Stopwatch time in nanoseconds, the clock of every wait and time-out here.</summary>
internal static class MonotonicTime
{
    public const long NanosPerSecond = 1_000_000_000;
    public const long NanosPerMilli = 1_000_000;

    public static long NowNanos =>
        Stopwatch.Frequency == NanosPerSecond
            ? Stopwatch.GetTimestamp()
            : (long)((Int128)Stopwatch.GetTimestamp() * NanosPerSecond / Stopwatch.Frequency);
}
