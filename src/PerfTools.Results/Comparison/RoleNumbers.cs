using PerfTools.Results.Documents;

namespace PerfTools.Results.Comparison;

/// <summary>The figures of single roles, by which measurements are compared on request; their catalogues describe them.</summary>
internal static class RoleNumbers
{
    /// <summary>Used in place of names: every figure.</summary>
    public const string All = "all";

    private const double MinChange = 0.02;
    private const double MinTimeChange = 0.05;

    /// <summary>Returns their values by name.</summary>
    public static IReadOnlyDictionary<string, double> ReadAll(RunDocument run) =>
        Name(run).DistinctBy(number => number.Name).ToDictionary(number => number.Name, number => number.Value);

    /// <summary>Finds the requested figures of a run, in the run's order.</summary>
    /// <param name="run">The run.</param>
    /// <param name="names">Their names, <c>role.figure</c>, or <see cref="All"/>.</param>
    public static IReadOnlyList<ComparedFigure> Find(RunDocument run, IReadOnlyList<string> names) =>
        names.Count == 0 ? [] : [.. Name(run).Where(number => names.Contains(All) || names.Contains(number.Name)).Select(Create)];

    private static IEnumerable<(string Name, RoleResult Role, RoleFigure Figure, double Value)> Name(RunDocument run) =>
        from role in run.Roles
        from figure in role.Figures
        from number in figure.Numbers()
        select ($"{role.Name}.{number.Name}", role, figure, number.Value);

    private static ComparedFigure Create((string Name, RoleResult Role, RoleFigure Figure, double Value) number) => new()
    {
        Name = number.Name,
        Title = number.Figure.Samples is null ? $"{number.Role.Name}: {number.Figure.Title}"
            : $"{number.Role.Name}: {number.Figure.Words} {number.Name[(number.Role.Name.Length + number.Figure.Name.Length + 2)..]}, {number.Figure.Unit}",
        MinChange = number.Figure.Kind == "time" ? MinTimeChange : MinChange,
        IsGain = number.Figure.Better == "higher",
        IsNeutral = number.Figure.Better == "none",
        IsOfRole = true,
        Read = sum => sum.RoleNumber(number.Name),
    };
}
