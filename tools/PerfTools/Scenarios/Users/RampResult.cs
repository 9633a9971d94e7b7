using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;
using PerfTools.Results.Merging;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios.Users;

/// <summary>The result of a ramp from the lines of its roles, on one machine or on many: steps, links, capacity, verdict.</summary>
internal sealed class RampResult
{
    private readonly string? _until;
    private readonly string?[] _outcomes;

    private RampResult(IReadOnlyList<MergedStep> merged, IReadOnlyList<LinkResult> links, string? until, params string?[] outcomes)
    {
        (Merged, Steps, Links, _until, _outcomes) = (merged, [.. merged.Select(step => step.Row)], links, until, outcomes);
        Capacity = RampCapacity.Find(Steps, step => FindMiss(step) is null);
    }

    /// <summary>The steps with their samples.</summary>
    public IReadOnlyList<MergedStep> Merged { get; }

    /// <summary>The steps.</summary>
    public IReadOnlyList<StepRow> Steps { get; }

    public IReadOnlyList<LinkResult> Links { get; }

    /// <summary>The last step before the first faulty one; null for none.</summary>
    public RampCapacity? Capacity { get; }

    /// <summary>Reads the result.</summary>
    /// <param name="variant">The ramp.</param>
    /// <param name="until">The condition that ends it; null for none.</param>
    /// <param name="roles">Its roles, with all their lines read.</param>
    /// <param name="loads">The CPU use of others on the busiest machine in each step, in percent.</param>
    /// <param name="isWhole">False when roles are missing.</param>
    public static RampResult Read(
        UsersVariant variant, string? until, IReadOnlyList<UsersRole> roles, IReadOnlyList<double?> loads, bool isWhole = true) =>
        new(ReadSteps(variant, roles, loads, withSamples: true), [.. RampLinks.Read(roles, isWhole)], until,
            [.. Select(roles, ToolNames.Users).Select(role => role.Outcome)]);

    /// <summary>The result of a step of a run in progress: its links are not known yet.</summary>
    public static RampResult Of(MergedStep step) => new([step], [], null);

    /// <summary>Reads only the steps; without the samples they have no percentiles.</summary>
    public static IReadOnlyList<MergedStep> ReadSteps(
        UsersVariant variant, IReadOnlyList<UsersRole> roles, IReadOnlyList<double?> loads, bool withSamples) => new StepReader(variant, loads).Read(
        [.. Select(roles, ToolNames.Users).Select(role => role.ReadPart(withSamples))],
        Select(roles, ToolNames.Hub).FirstOrDefault()?.Intervals ?? [],
        [.. Select(roles, ToolNames.Source).Select(role => role.Intervals)]);

    /// <summary>Reads the figures of the last step; null without one.</summary>
    public RunFigures? ReadFigures()
    {
        if (Steps.Count == 0)
            return null;
        StepRow last = Steps[^1];
        return new RunFigures
        {
            RateAsked = last.Expected / last.Seconds,
            RateReached = last.Received / last.Seconds,
            SteadySeconds = last.Seconds,
            LatencyMicros = last.Samples == 0 ? null : new RunLatency
            {
                Count = last.Samples,
                Average = last.MeanMicros ?? 0,
                Deviation = null, // it cannot be combined for several processes
                Min = last.MinMicros,
                Max = last.MaxMicros,
                P50 = last.P50,
                P90 = last.P90,
                P99 = last.P99,
                P999 = last.P999,
                P9999 = null,
            },
            SendLagMicros = null,
            Images = null,
        };
    }

    /// <summary>Judges the ramp.</summary>
    /// <param name="failure">The first failure; null without one.</param>
    public Verdict Judge(RunFailure? failure)
    {
        StepRow? last = Steps.FirstOrDefault(step => !step.IsOk || FindMiss(step) is not null);
        return RampVerdict.Of(failure, Steps, Links, _until is null ? null : new(last, last is null ? null : FindMiss(last)));
    }

    /// <summary>Judges roles that stayed up, whose steps were judged while they ran.</summary>
    /// <param name="failure">The first thing that went wrong; null when nothing did.</param>
    public Verdict JudgeStanding(RunFailure? failure) => RampVerdict.OfStanding(failure, Links);

    private static UsersRole[] Select(IEnumerable<UsersRole> roles, string tool) => [.. roles.Where(role => role.Tool == tool)];

    // Finds a miss of the end condition in a step: by the figures of its row, or by what a process says of a figure that the row lacks, or that had
    // too few samples.
    private string? FindMiss(StepRow step)
    {
        if (_until is null)
            return null;
        Threshold[] known = [.. Threshold.TryParseList(_until, Threshold.Metrics)!.Where(limit => FigureOf(step, limit.Metric) is not null)];
        return Array.Find(known, limit => !limit.IsKeptBy(FigureOf(step, limit.Metric)!.Value))?.Text
            ?? _outcomes.Select(outcome => StepEnd.FindWhy(outcome, step.Step))
                .FirstOrDefault(why => why is not null && !Array.Exists(known, limit => why.StartsWith($"{limit.Text}:", StringComparison.Ordinal)));
    }

    private static double? FigureOf(StepRow step, string metric) => metric switch
    {
        "avg" => step.MeanMicros,
        "max" => step.Samples == 0 ? null : step.MaxMicros,
        "p50" => step.P50,
        "p90" => step.P90,
        "p99" => step.P99,
        "p99.9" => step.P999,
        "rate%" => step.ReceivedPercent,
        "rate" => step.Received / step.Seconds,
        "lost" => step.Lost,
        _ => null,
    };
}
