using PerfTools.Scenarios;

namespace PerfTools.ScenarioFiles;

/// <summary>The runs that a scenario file asks for.</summary>
/// <param name="Name">Of the file, in names of folders.</param>
/// <param name="Summary">What it is, in a line; null where the file does not say.</param>
/// <param name="Runs">The runs, at least one, in their order.</param>
internal sealed record ScenarioPlan(string Name, string? Summary, IReadOnlyList<PlannedRun> Runs);

/// <summary>One run of a scenario file: a scenario, and what is asked of it.</summary>
/// <param name="Name">Of the entry among the runs of the file; null where it is the only one.</param>
/// <param name="Scenario">The scenario.</param>
/// <param name="Options">What is asked of it.</param>
internal sealed record PlannedRun(string? Name, Scenario Scenario, ScenarioOptions Options)
{
    private const int MaxFolderName = 120;

    /// <summary>What the matrix of the file varies, with the value of this run.</summary>
    public IReadOnlyList<(string Name, string Value)> Varied { get; init; } = [];

    /// <summary>What tells it from the others of the file; empty for the only one.</summary>
    public string Title => string.Join(", ", new[] { Name }.OfType<string>().Concat(Varied.Select(one => $"{one.Name} {one.Value}")));

    /// <summary>The name of its folder within that of all.</summary>
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
