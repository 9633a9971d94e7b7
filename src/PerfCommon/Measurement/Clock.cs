using System.Diagnostics;

namespace PerfCommon.Measurement;

/// <summary>The one clock of all programs: monotonic, comparable between processes of one host.</summary>
/// <remarks>On Linux it is CLOCK_MONOTONIC, so stamps of C and Java tools on the same host compare with ours.
/// Only loops ask it; schedules and statistics take the time as an argument.</remarks>
public static class Clock
{
    /// <summary>Nanoseconds in one second.</summary>
    public const long NanosPerSecond = 1_000_000_000;

    internal const long NanosPerMilli = 1_000_000;

    internal const long NanosPerMicro = 1_000;
    private static readonly bool CountsNanos = Stopwatch.Frequency == NanosPerSecond;

    /// <summary>Nanoseconds since an arbitrary point in the past (boot on Linux).</summary>
    public static long NowNanos => CountsNanos ? Stopwatch.GetTimestamp() : ConvertedNanos();

    /// <summary>Microseconds since the same point.</summary>
    public static long NowMicros => NowNanos / NanosPerMicro;

    private static long ConvertedNanos() => (long)((Int128)Stopwatch.GetTimestamp() * NanosPerSecond / Stopwatch.Frequency);
}
