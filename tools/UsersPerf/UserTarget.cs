using PerfCommon.Measurement;

namespace UsersPerf;

/// <summary>
/// How many users of this process should be in because somebody asked for it while it ran; the highest numbers log in last and out first.
/// </summary>
/// <param name="Users">So many.</param>
/// <param name="Before">How many there were.</param>
/// <param name="FromNanos">When it was asked for.</param>
/// <param name="Rate">Log-ins, or log-outs, a second of this process.</param>
internal sealed record UserTarget(int Users, int Before, long FromNanos, int Rate)
{
    /// <summary>When a user logs in, or out.</summary>
    /// <param name="own">His number in this part, from 0.</param>
    public long DueNanosOf(int own) => FromNanos + (Math.Abs((long)own - Before) * Clock.NanosPerSecond / Rate);
}
