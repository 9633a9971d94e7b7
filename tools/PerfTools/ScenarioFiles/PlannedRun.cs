using PerfTools.Scenarios;

namespace PerfTools.ScenarioFiles;

/// <summary>The runs that a scenario file requests.</summary>
/// <param name="Name">The name of the file, for the names of folders.</param>
/// <param name="Summary">Its description in a line; null where the file has none.</param>
/// <param name="Runs">The runs, at least one, in their order.</param>
internal sealed record ScenarioPlan(string Name, string? Summary, IReadOnlyList<PlannedRun> Runs);

/// <summary>One run of a scenario file: a scenario with its options.</summary>
/// <param name="Name">The name of its entry among the runs of the file; null where it is the only one.</param>
/// <param name="Scenario">The scenario.</param>
/// <param name="Options">The options.</param>
internal sealed record PlannedRun(string? Name, Scenario Scenario, ScenarioOptions Options)
{
    private const int MaxFolderName = 120;

    /// <summary>The options that the matrix of the file varies, with their values in this run.</summary>
    public IReadOnlyList<(string Name, string Value)> Varied { get; init; } = [];

    /// <summary>The text that distinguishes it from the others of the file; empty for the only one.</summary>
    public string Title => string.Join(", ", new[] { Name }.OfType<string>().Concat(Varied.Select(one => $"{one.Name} {one.Value}")));

    /// <summary>The name of its folder within that of all runs.</summary>
    public string Folder
    {
        get
        {
            string name = string.Join('_', new[] { Name }.OfType<string>().Concat(Varied.Select(one => $"{one.Name}-{one.Value}")));
            string safe = string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || "-_.".Contains(c, StringComparison.Ordinal) ? c : '-')).TrimStart('.');
            return safe.Length == 0 ? "run" : safe[..Math.Min(safe.Length, MaxFolderName)];
        }
    }
}
