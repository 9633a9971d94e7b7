using System.Globalization;
using PerfTools.Results;
using PerfTools.Search;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>What one run says in a cell of the table.</summary>
internal static class RunCells
{
    private const double PercentOfNanos = 1e7; // one percent of a core, in nanoseconds a second

    /// <summary>Its latency.</summary>
    public static string LatencyCell(this RunReport report) =>
        Invariant($"mean {report.Latency?.Average ?? 0:F0} us, p50 {report.Latency?.P50 ?? 0:F0} us, p99 {report.Latency?.P99 ?? 0:F0} us");

    /// <summary>Processor time of the roles for each message, and as a part of one core; their peak memory.</summary>
    public static string CostCell(this RunReport report) => string.Join(", ",
        List(report, role => Invariant($"{Nanos(report, role):F0}")) + " ns",
        List(report, role => Invariant($"{role.CpuCorePercent ?? 0:F1}")) + " %",
        List(report, role => Invariant($"{role.MemoryMegabytes ?? 0:F0}")) + " MB");

    private static string List(RunReport report, Func<RoleResult, string> show) => string.Join(" / ", report.Roles.Select(show));

    private static double Nanos(RunReport report, RoleResult role) =>
        report.Rate > 0 ? (role.CpuCorePercent ?? 0) * PercentOfNanos / report.Rate : 0;

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
