using PerfCommon.Measurement;

namespace UsersPerf;

/// <summary>
/// A number of users requested while the process runs. The highest numbers log in last and log out first.
/// </summary>
/// <param name="Users">Users that should be logged in.</param>
/// <param name="Before">Users before the request.</param>
/// <param name="FromNanos">When it was requested.</param>
/// <param name="Rate">Log-ins, or log-outs, per second of this process.</param>
internal sealed record UserTarget(int Users, int Before, long FromNanos, int Rate)
{
    /// <summary>Returns when a user logs in, or out.</summary>
    /// <param name="own">The user's number in this part, from 0.</param>
    public long DueNanosOf(int own) => FromNanos + (Math.Abs((long)own - Before) * Clock.NanosPerSecond / Rate);
}
