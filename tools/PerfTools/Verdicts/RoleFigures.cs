using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;

namespace PerfTools.Verdicts;

/// <summary>Finds figures of single roles that a threshold names, by the roles' catalogues.</summary>
internal static class RoleFigures
{
    // The factor from a unit to that of a threshold: times are in microseconds, memory in megabytes.
    private static readonly Dictionary<string, double> Sizes = new()
    {
        ["us"] = 1,
        ["ms"] = 1_000,
        ["s"] = 1_000_000,
        ["MB"] = 1,
        ["KB"] = 1 / 1_024.0,
        ["bytes"] = 1 / 1_048_576.0,
    };

    /// <summary>Finds the figure, in the unit of the limit.</summary>
    /// <param name="roles">The roles of the run.</param>
    /// <param name="threshold">A threshold that names a role.</param>
    public static AssertedFigure Find(IReadOnlyList<RoleResult> roles, Threshold threshold)
    {
        if (roles.FirstOrDefault(role => role.Name == threshold.Role) is not { } role)
            return new(null) { Problem = $"the {threshold.Role} took no part" };
        if (RoleFigure.Find(role.Figures, threshold.Metric) is not { } found)
            return new(null) { Problem = role.Figures.Count == 0 ? $"the {role.Name} left no figures" : $"the {role.Name} has no such figure" };
        return Scale(found.Figure, threshold.Unit.Name) is { } scale
            ? new(found.Value * scale, found.Samples) : new(null) { Problem = $"its unit is {found.Figure.Unit ?? "none"}" };
    }

    // A limit without a unit has the unit of the figure.
    private static double? Scale(RoleFigure figure, string unit) => (unit, figure.Kind) switch
    {
        ("", _) => 1,
        (Threshold.Share, "share") => 1,
        ("MB", "memory") or ("ns" or "us" or "ms" or "s", "time") => Sizes[figure.Unit!],
        _ => null,
    };
}
