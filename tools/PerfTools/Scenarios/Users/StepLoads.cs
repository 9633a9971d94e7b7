using PerfTools.Machine;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios.Users;

/// <summary>How much of this machine processes used in each step that are none of the run's.</summary>
internal static class StepLoads
{
    private const double Percent = 100;

    /// <summary>Finds it for each period that is over.</summary>
    /// <param name="load">How busy the machine was at each look.</param>
    /// <param name="startAt">When the first user logged in.</param>
    /// <param name="schedule">When the periods are.</param>
    /// <param name="roles">The roles of this machine.</param>
    /// <returns>In percent of all processors; null where it cannot be known.</returns>
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

    /// <summary>Of several machines the busiest counts.</summary>
    public static IReadOnlyList<double?> Merge(IEnumerable<IReadOnlyList<double?>> machines)
    {
        IReadOnlyList<double?>[] all = [.. machines];
        return [.. Enumerable.Range(0, all.Select(one => one.Count).DefaultIfEmpty().Max())
            .Select(step => all.Where(one => step < one.Count).Max(one => one[step]))];
    }

    // Collections tell the processor time used so far; between two of them it grows evenly.
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
