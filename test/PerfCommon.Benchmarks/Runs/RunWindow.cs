using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Scenarios;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>Results and cost of a run's roles after start-up and compiling, and the machine's state meanwhile.</summary>
/// <param name="Roles">The roles in the order of the scenario.</param>
/// <param name="ForeignShare">The part of the machine that other programs used, from 0 to 1; null where it is unknown.</param>
/// <param name="PassNanos">Time of a pass of the reference loop, the mean of before and after the run.</param>
internal sealed record RunWindow(IReadOnlyList<RoleWindow> Roles, double? ForeignShare, double PassNanos)
{
    /// <summary>The role that measures, in every scenario of two roles.</summary>
    public RoleWindow Client => Roles[^1];

    /// <summary>Processor time of all roles for one message.</summary>
    public double NanosPerMessage => Roles.Sum(role => role.NanosPerMessage);

    /// <summary>True when other load disturbed the run.</summary>
    public bool IsDisturbed => ForeignShare > MachineDescription.MaxForeignShare;

    /// <summary>
    /// Reads the window from the JSON lines of a run's folder: from a second of the last role's run to its last collection.
    /// </summary>
    /// <returns>Null when a role left no whole interval in it.</returns>
    public static RunWindow? Read(string folder, Scenario scenario, int fromSecond, LoadLog load, double passNanos)
    {
        CollectionLine[][] lines = [.. scenario.Roles.Select(role => ReadLines(Path.Combine(folder, role.JsonFile), role.Name))];
        CollectionLine[] within = [.. lines[^1].SkipWhile(line => line.Second < fromSecond)];
        if (within.Length < 2)
            return null;
        (DateTime from, DateTime to) = (within[0].Utc, within[^1].Utc);
        RoleWindow[] roles = [.. lines.Select(role => RoleWindow.Between(role, from, to)).OfType<RoleWindow>()];
        return roles.Length == lines.Length
            ? new RunWindow(roles, load.ForeignShare(from, to, roles.Sum(role => role.CpuSeconds)), passNanos)
            : null;
    }

    private static CollectionLine[] ReadLines(string path, string role) => RoleCounts.Of(role) is { } names
        ? [.. new JsonLinesReader(path).ReadNew().Select(line => CollectionLine.Read(new(line), names)).OfType<CollectionLine>()]
        : [];
}
