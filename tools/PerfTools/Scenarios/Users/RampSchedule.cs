namespace PerfTools.Scenarios.Users;

/// <summary>Computes the periods of a ramp from its options and the time of its first log-in, as UsersPerf does.</summary>
/// <param name="options">Log-ins per second, times.</param>
/// <param name="totals">Users at the end of each step.</param>
internal sealed class RampSchedule(UsersOptions options, IReadOnlyList<int> totals)
{
    /// <summary>From the first log-in to the end of the last period, in seconds.</summary>
    public double Seconds => Periods.Count > 0 ? Periods[^1].To : 0;

    /// <summary>Begin and end of each period, in seconds from the first log-in.</summary>
    public IReadOnlyList<(double From, double To)> Periods { get; } = [.. Find(options, totals)];

    private static IEnumerable<(double From, double To)> Find(UsersOptions options, IReadOnlyList<int> totals)
    {
        double at = options.Warmup;
        int before = 0;
        foreach (int total in totals)
        {
            double from = at + Math.Ceiling((total - before) / (double)options.Logins) + options.Settle;
            (before, at) = (total, from + options.Period);
            yield return (from, at);
        }
    }
}
