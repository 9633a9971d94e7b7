using PerfTools.Machine;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios.Users;

/// <summary>Computes the CPU use of foreign processes on this machine in each step.</summary>
internal static class StepLoads
{
    private const double Percent = 100;

    /// <summary>Computes it for each period that is over.</summary>
    /// <param name="load">The samples of the machine's CPU use.</param>
    /// <param name="startAt">The time of the first log-in.</param>
    /// <param name="schedule">The periods.</param>
    /// <param name="roles">The roles of this machine.</param>
    /// <returns>In percent of all processors; null where unknown.</returns>
    public static IReadOnlyList<double?> Read(LoadLog load, DateTime startAt, RampSchedule schedule, IReadOnlyList<UsersRole> roles)
    {
        IReadOnlyList<RoleInterval>[] lines = [.. roles.Select(role => role.Intervals)];
        return [.. schedule.Periods.Select(period => ReadPeriod(load, startAt.AddSeconds(period.From), startAt.AddSeconds(period.To), lines))];
    }

    /// <summary>Finds it for one period.</summary>
    /// <param name="load">How busy the machine was at each look.</param>
    /// <param name="begin">When the period began.</param>
    /// <param name="end">When it ended.</param>
    /// <param name="lines">The collections of each role of this machine.</param>
    /// <returns>In percent of all processors; null where it cannot be known.</returns>
    public static double? ReadPeriod(LoadLog load, DateTime begin, DateTime end, IReadOnlyList<IReadOnlyList<RoleInterval>> lines) =>
        Percent * load.ForeignShare(begin, end, (from, to) => lines.Sum(own => CpuSeconds(own, from, to)));

    /// <summary>Takes the maximum over several machines.</summary>
    public static IReadOnlyList<double?> Merge(IEnumerable<IReadOnlyList<double?>> machines)
    {
        IReadOnlyList<double?>[] all = [.. machines];
        return [.. Enumerable.Range(0, all.Select(one => one.Count).DefaultIfEmpty().Max())
            .Select(step => all.Where(one => step < one.Count).Max(one => one[step]))];
    }

    // Collections report the processor time used so far; between two of them it is interpolated linearly.
    private static double CpuSeconds(IReadOnlyList<RoleInterval> lines, DateTime from, DateTime to) =>
        CpuSecondsAt(lines, to) - CpuSecondsAt(lines, from);

    private static double CpuSecondsAt(IReadOnlyList<RoleInterval> lines, DateTime time)
    {
        double before = 0;
        foreach (RoleInterval line in lines)
        {
            double now = line.View.Number("process.cpuSeconds") ?? before;
            DateTime begin = line.Utc.AddSeconds(-line.Seconds);
            if (time < line.Utc)
                return before + ((now - before) * Math.Clamp((time - begin).TotalSeconds / line.Seconds, 0, 1));
            before = now;
        }

        return before;
    }
}
