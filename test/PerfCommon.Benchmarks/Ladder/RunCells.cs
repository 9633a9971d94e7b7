using System.Globalization;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Results.Documents;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Formats the cells of one run, all for its window.</summary>
internal static class RunCells
{
    private const double Percent = 100;

    /// <summary>Formats its latency.</summary>
    public static string LatencyCell(this RunReport report) =>
        Invariant($"p50 {report.Window?.Client.P50Micros:F1} us, p99 {report.Window?.Client.P99Micros:F1} us");

    /// <summary>Formats processor time of the roles for each message, and as a part of one core; their peak memory.</summary>
    public static string CostCell(this RunReport report) => string.Join(", ",
        List(report.Window?.Roles, role => Invariant($"{role.NanosPerMessage:F1}")) + " ns",
        List(report.Window?.Roles, role => Invariant($"{Percent * role.CpuSeconds / role.Seconds:F1}")) + " %",
        List(report.Roles, (RoleResult role) => Invariant($"{role.MemoryMegabytes ?? 0:F0}")) + " MB");

    /// <summary>Formats the state of the machine; a load of other programs that invalidates the figure is marked.</summary>
    public static string StateCell(this RunReport report) => report.Window is { } window
        ? Invariant($"loop {window.PassNanos:F0} ns, foreign {window.ForeignShare * Percent:F0} %{(window.IsDisturbed ? " DISTURBED" : "")}")
        : "";

    private static string List<T>(IReadOnlyList<T>? roles, Func<T, string> show) =>
        roles is null ? "-" : string.Join(" / ", roles.Select(show));

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
