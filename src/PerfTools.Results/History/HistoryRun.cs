using System.Globalization;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;

namespace PerfTools.Results.History;

/// <summary>A figure of one run.</summary>
/// <param name="Figure">The figure: the same as in a comparison.</param>
/// <param name="Value">The value, above 0.</param>
internal sealed record HistoryValue(ComparedFigure Figure, double Value)
{
    /// <summary>The interval of the value; null where it is unknown.</summary>
    public (double Low, double High)? Interval { get; init; }
}

/// <summary>A recorded run as one point in time.</summary>
internal sealed record HistoryRun
{
    private const string NotChosen = "the load was changed by hand";
    private const int ShownCommitChars = 10;

    /// <summary>Its folder, relative to the folder of all runs.</summary>
    public required string Folder { get; init; }

    /// <summary>The scenario's name.</summary>
    public required string Scenario { get; init; }

    /// <summary>When it began.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>Its verdict.</summary>
    public required string Verdict { get; init; }

    /// <summary>Version of the tools; null when unknown.</summary>
    public required string? ToolsVersion { get; init; }

    /// <summary>Commit of the tools; null when unknown.</summary>
    public required string? Commit { get; init; }

    /// <summary>Options and machine, which a comparison requires to be the same.</summary>
    public required Conditions Conditions { get; init; }

    /// <summary>The processors of its connected roles, and the machines of its ranks; empty when unknown.</summary>
    public required string Placement { get; init; }

    /// <summary>Its figures in the order of a comparison.</summary>
    public required IReadOnlyList<HistoryValue> Values { get; init; }

    /// <summary>Why it is no point of a series, as the end of a sentence; null when it is one.</summary>
    public required string? Problem { get; init; }

    /// <summary>True for a search, whose only value is its result.</summary>
    public bool IsSearch { get; init; }

    /// <summary>Returns the interval of a figure; null where it has none.</summary>
    public (double Low, double High)? IntervalOf(ComparedFigure figure) => Values.FirstOrDefault(value => value.Figure.Name == figure.Name)?.Interval;

    /// <summary>The commit as it is displayed; the version where there is none.</summary>
    public string Build => Commit is { Length: > 0 } commit ? commit[..Math.Min(commit.Length, ShownCommitChars)] : ToolsVersion ?? "unknown";

    /// <summary>The time as it is displayed.</summary>
    public string Time => StartUtc.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);

    /// <summary>Reads the parts of a run that a history needs; the rest may be released.</summary>
    public static HistoryRun Of(string folder, RunDocument run) => new()
    {
        Folder = folder,
        Scenario = run.Scenario,
        StartUtc = run.StartUtc,
        Verdict = run.Verdict,
        ToolsVersion = run.Machine.ToolsVersion,
        Commit = run.Machine.Commit,
        Conditions = Conditions.Of(run),
        Placement = string.Join("; ", new[] { DescribePlacement(run), DescribeRanks(run) }.Where(text => text.Length > 0)),
        Values = HistoryFigures.ReadAll(run),
        Problem = run is { Verdict: RunVerdict.Failed or RunVerdict.Interrupted } or { Figures: null } ? run.Verdict
            : run.Changes?.Any(change => change.IsOfLoad) == true ? NotChosen : null,
    };

    private static string DescribePlacement(RunDocument run) =>
        RunPlacement.TryRead(run) is { Pairs.Count: > 0 } placement ? RunPlacement.Describe([placement]) : "";

    // machine in run.json is that of the first rank alone
    private static string DescribeRanks(RunDocument run) => string.Join(", ", (run.Ranks ?? []).OrderBy(rank => rank.Rank).Select(rank =>
        string.Create(CultureInfo.InvariantCulture, $"rank {rank.Rank} {rank.MachineModel} {rank.ProcessorModel} {rank.Processors}")));
}
