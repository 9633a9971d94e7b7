using System.Diagnostics;

namespace PerfCommon.Measurement;

/// <summary>The one clock of all programs: monotonic, comparable between processes of one host.</summary>
/// <remarks>On Linux it is CLOCK_MONOTONIC, so stamps of C and Java tools on the same host compare with ours.
/// Only loops read it; schedules and statistics receive the time as an argument.</remarks>
public static class Clock
{
    /// <summary>Nanoseconds in one second.</summary>
    public const long NanosPerSecond = 1_000_000_000;

    /// <summary>Nanoseconds per millisecond.</summary>
    public const long NanosPerMilli = 1_000_000;

    internal const long NanosPerMicro = 1_000;

    /// <summary>Name under which a test stores, before the program begins, the function that makes another host's clock of this one.</summary>
    internal const string OtherClockName = "TestClock";

    private static readonly bool CountsNanos = Stopwatch.Frequency == NanosPerSecond;
    private static readonly Func<long, long>? OtherClock = AppContext.GetData(OtherClockName) as Func<long, long>;

    /// <summary>Nanoseconds since an arbitrary point in the past (boot on Linux).</summary>
    public static long NowNanos => OtherClock is null ? OwnNanos : OtherClock(OwnNanos);

    private static long OwnNanos => CountsNanos ? Stopwatch.GetTimestamp() : ConvertedNanos();

    /// <summary>Microseconds since the same point.</summary>
    public static long NowMicros => NowNanos / NanosPerMicro;

    /// <summary>Converts a time or a span of this clock to the unit of stamps, rounded down as a stamp is.</summary>
    public static long Convert(long nanos, LatencyUnit unit) => unit.FromNanos(nanos);

    private static long ConvertedNanos() => (long)((Int128)Stopwatch.GetTimestamp() * NanosPerSecond / Stopwatch.Frequency);
}
