using PerfTools.Hosting.Options;
using PerfTools.Results.Documents;

namespace PerfTools.Search;

/// <summary>Reads the ramp of one step as a sample of a search for the maximum number of users.</summary>
/// <param name="until">The thresholds that a step without faults has to keep.</param>
internal sealed class UsersCandidateReader(IReadOnlyList<Threshold> until)
{
    // The figures in the row of a step that thresholds can name.
    private static readonly Dictionary<string, Func<StepRow, double?>> Figures = new()
    {
        ["avg"] = step => step.MeanMicros,
        ["max"] = step => step.Samples == 0 ? null : step.MaxMicros,
        ["p50"] = step => step.P50,
        ["p90"] = step => step.P90,
        ["p99"] = step => step.P99,
        ["p99.9"] = step => step.P999,
        [Threshold.Rate] = step => step.Received / step.Seconds,
        [Threshold.Rate + Threshold.Share] = step => step.ReceivedPercent,
        [Threshold.Lost] = step => step.Lost,
        [Threshold.NotSent] = step => step.NotSent,
        [Threshold.Cpu] = step => step.Hub.CpuPercent,
        [Threshold.Memory] = step => step.Hub.MemoryMegabytes,
        [Threshold.SendLag] = step => step.SendLagP99,
    };

    /// <summary>The figures that thresholds may name.</summary>
    public static IReadOnlyList<string> Metrics { get; } = [.. Threshold.Metrics.Where(Figures.ContainsKey)];

    /// <summary>Reads a run.</summary>
    /// <param name="users">The requested number of users.</param>
    /// <param name="run">The run.</param>
    /// <param name="folder">Its folder within that of the search.</param>
    /// <param name="seconds">Its duration, start and end included.</param>
    public SearchSample Read(int users, RunDocument run, string folder, double seconds)
    {
        StepRow? step = run.Steps is [.., var last] ? last : null;
        string? reason = FindReason(run, step);
        return new()
        {
            Value = users,
            IsKept = reason is null,
            Reason = reason,
            Disturbance = reason is null ? step?.MachineBusy : step?.Disturbance, // a value kept with a busy simulator is kept
            Seconds = seconds,
            Figures = step is null ? null : ReadFigures(run, step),
            Folder = folder,
        };
    }

    private string? FindReason(RunDocument run, StepRow? step)
    {
        if (run.Verdict != RunVerdict.Ok || step is null)
            return step?.Fault ?? run.Reason ?? "no step was measured";
        return (from threshold in until
                let figure = Figures[threshold.Metric](step)
                where figure is not { } known || !threshold.IsKeptBy(known)
                select $"{threshold}: {threshold.Metric} is {(figure is { } shown ? threshold.Show(shown) : "not known")}").FirstOrDefault();
    }

    private static SampleFigures ReadFigures(RunDocument run, StepRow step) => new()
    {
        Rate = step.Received / step.Seconds,
        P50 = step.P50,
        P99 = step.P99,
        P999 = step.P999,
        Sent = (long)Math.Round(step.Expected, MidpointRounding.AwayFromZero),
        NotSent = step.NotSent,
        Roles = [.. run.Roles.Select(role => new RoleUse(role.Name, role.CpuCorePercent, role.MemoryMegabytes))],
    };
}
