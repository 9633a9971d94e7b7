using System.Globalization;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>Determines how soon, and how often, a lost connection is retried.</summary>
internal static class RecoveryPace
{
    /// <summary>Creates the dialer that connects a session.</summary>
    /// <param name="session">The session.</param>
    /// <param name="connect">Address of its peer.</param>
    /// <param name="recovery">The pace; null for one attempt a second.</param>
    /// <param name="lostNanos">When the session before it was lost; null for the first, which connects at once.</param>
    /// <param name="waitNanos">The wait from then on, which doubles after the next failure; null for the first wait.</param>
    public static Dialer CreateDialer(
        Connection session, ConnectOptions connect, RecoveryOptions? recovery, long? lostNanos = null, long? waitNanos = null) =>
        new(session, connect, givesUpWhenRefused: false, recovery is null ? RetryPace.EverySecond : Of(recovery, lostNanos, waitNanos));

    /// <summary>Converts a time to nanoseconds.</summary>
    public static long Nanos(TimeSpan time) => (long)(time.TotalSeconds * Clock.NanosPerSecond);

    private static RetryPace Of(RecoveryOptions recovery, long? lostNanos, long? waitNanos)
    {
        long first = Nanos(recovery.FirstRetry), max = Nanos(recovery.MaxRetry);
        return new(
            lostNanos is { } lost ? lost + (waitNanos ?? first) : 0, Math.Min(waitNanos * 2 ?? first, max), max,
            string.Create(CultureInfo.InvariantCulture, $"{recovery.FirstRetry.TotalSeconds} to {recovery.MaxRetry.TotalSeconds} s"));
    }
}
