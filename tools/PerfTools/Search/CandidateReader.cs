using System.Globalization;
using System.Text.Json;
using PerfTools.Hosting.Options;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;

namespace PerfTools.Search;

/// <summary>Reads the run of one value as a sample of a search.</summary>
/// <param name="scenario">The scenario.</param>
/// <param name="until">The thresholds, which the run had to keep.</param>
internal sealed class CandidateReader(Scenario scenario, IReadOnlyList<Threshold> until)
{
    private const double MaxForeignPercent = 100 * MachineDescription.MaxForeignShare;

    // A user who names a rate decides himself how exactly it has to be kept.
    private readonly bool _namesRate = until.Any(threshold => threshold.Metric is Threshold.Rate or Threshold.Rate + Threshold.Share);

    /// <summary>Reads a run.</summary>
    /// <param name="value">The value of the run.</param>
    /// <param name="options">All options of the run.</param>
    /// <param name="run">The run.</param>
    /// <param name="folder">Its folder within that of the search.</param>
    /// <param name="seconds">The duration of the run, start and end included.</param>
    public SearchSample Read(int value, ScenarioOptions options, RunDocument run, string folder, double seconds)
    {
        bool isKept = IsKept(run);
        return new()
        {
            Value = value,
            IsKept = isKept,
            Reason = isKept ? null : run.Reason + FindCause(options, run),
            Disturbance = FindDisturbance(run.Machine),
            Placement = FindPlacement(run),
            Seconds = seconds,
            Figures = ReadFigures(run),
            Folder = folder,
        };
    }

    // Thresholds may allow messages that were not sent; a value that was not reached at all counts as missed with any thresholds.
    private bool IsKept(RunDocument run) => run.Verdict switch
    {
        RunVerdict.Ok => true,
        RunVerdict.Slow => run.Assertions.All(assertion => assertion.Kept)
            && (_namesRate || run.Figures is not { RateAsked: { } asked } figures || RateStep.IsRateKept(figures.RateReached, asked)),
        _ => false,
    };

    // A slow run names its limit; a run that kept its rate and missed a latency does not.
    private string FindCause(ScenarioOptions options, RunDocument run)
    {
        if (run.Verdict != RunVerdict.Missed)
            return "";
        Dictionary<string, JsonElement> finals =
            run.Roles.Where(role => role.Final is not null).ToDictionary(role => role.Name, role => role.Final!.Value);
        return new FigureReader(scenario, options).ReadCause(finals, run.Machine.ForeignPercent).Find() is { } cause ? ": " + cause : "";
    }

    private static string? FindDisturbance(MachineDescription machine) => machine.ForeignPercent > MaxForeignPercent
        ? string.Create(CultureInfo.InvariantCulture, $"machine busy: other programs used {machine.ForeignPercent:F0} %") : null;

    // Pairs that moved between processors have no placement to compare.
    private static string? FindPlacement(RunDocument run) =>
        RunPlacement.TryRead(run) is { Pairs.Count: > 0 } placement && placement.Pairs.All(pair => pair.Kind != PlacementKind.Moving)
            ? RunPlacement.Describe([placement]) : null;

    private static SampleFigures? ReadFigures(RunDocument run) => run.Figures is not { } figures ? null : new()
    {
        Rate = figures.RateReached,
        P50 = figures.LatencyMicros?.P50,
        P99 = figures.LatencyMicros?.P99,
        P999 = figures.LatencyMicros?.P999,
        Sent = run.Links[0].Sent,
        NotSent = run.Links.Any(link => link.NotSent is not null) ? run.Links.Sum(link => link.NotSent) : null,
        Roles = [.. run.Roles.Select(role => new RoleUse(role.Name, role.CpuCorePercent, role.MemoryMegabytes))],
    };
}
