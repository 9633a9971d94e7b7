using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>Reads the figures of a period from the collections of a role that keeps running.</summary>
internal static class PeriodIntervals
{
    private const double BytesPerMegabyte = 1_048_576;

    /// <summary>True when the middle of a collection is in the period.</summary>
    public static bool IsIn(RoleInterval interval, DateTime from, DateTime to) =>
        interval.Utc.AddSeconds(-interval.Seconds / 2) is var middle && middle > from && middle < to;

    /// <summary>The mean of a figure over time; null without a collection.</summary>
    public static double? Mean(IReadOnlyList<RoleInterval> intervals, string path)
    {
        double seconds = intervals.Sum(interval => interval.Seconds);
        return seconds > 0 ? intervals.Sum(interval => interval.View.Number(path) * interval.Seconds) / seconds : null;
    }

    /// <summary>Describes the role over its collections of the period.</summary>
    /// <param name="name">The name of the role.</param>
    /// <param name="tool">Its program.</param>
    /// <param name="files">The files that it writes.</param>
    /// <param name="intervals">Its collections of the period.</param>
    /// <param name="final">Further figures, in the form of a final line.</param>
    public static RoleResult Describe(string name, string tool, RoleFiles? files, IReadOnlyList<RoleInterval> intervals, JsonElement? final = null) => new()
    {
        Name = name,
        Tool = tool,
        Command = "",
        ExitCode = null,
        CpuCorePercent = Mean(intervals, "process.coreCpuPercent"),
        MemoryMegabytes = intervals.Max(interval => interval.View.Number("process.workingSetBytes")) / BytesPerMegabyte,
        Files = files,
        Final = final,
    };
}
