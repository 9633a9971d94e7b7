using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;

namespace PerfTools.Verdicts;

/// <summary>The figures of a run that <c>--assert</c> can name: those of the steady state, and the counts of all links.</summary>
/// <param name="figures">The figures; null when a role left no final ones.</param>
/// <param name="links">The balance of each link.</param>
/// <param name="roles">The results of each role.</param>
internal sealed class RunAssertions(RunFigures? figures, IReadOnlyList<LinkResult> links, IReadOnlyList<RoleResult> roles)
{
    private readonly RunLatency? _latency = figures?.LatencyMicros;

    /// <summary>The capacity in users, 0 where no step was kept; null where no step was measured.</summary>
    public int? Users { get; init; }

    public IReadOnlyList<ThresholdResult> Compare(IEnumerable<Threshold> thresholds) => [.. thresholds.Select(Compare)];

    /// <summary>Judges a completed run by further thresholds.</summary>
    /// <param name="run">The run, judged by everything else.</param>
    /// <param name="thresholds">The thresholds.</param>
    public static RunDocument Judge(RunDocument run, IReadOnlyList<Threshold> thresholds)
    {
        IReadOnlyList<ThresholdResult> results =
            new RunAssertions(run.Figures, run.Links, run.Roles) { Users = run.Steps is [_, ..] ? run.Capacity?.Users ?? 0 : null }.Compare(thresholds);
        Verdict verdict = new Verdict(run.Verdict, (ExitCode)run.ExitCode, run.Reason).With(results);
        return run with { Verdict = verdict.Result, ExitCode = (int)verdict.Code, Reason = verdict.Reason, Assertions = [.. results.Select(Describe)] };
    }

    /// <summary>Describes whether a run kept a threshold, for run.json.</summary>
    public static AssertionResult Describe(ThresholdResult result) =>
        new() { Assertion = result.Threshold.Text, Kept = result.IsKept, Figure = result.Figure.Value, Line = result.Line };

    /// <summary>Finds the figure of a size that a threshold names.</summary>
    internal static AssertedFigure FindSized(RoundTripFigures size, string metric) => metric switch
    {
        SizedThresholds.Resent => new(size.Resent),
        Threshold.Lost => new(size.Lost),
        "avg" => new(size.Samples > 0 ? size.AverageMicros : null, size.Samples),
        "max" => new(size.Samples > 0 ? size.MaxMicros : null, size.Samples),
        "p50" => new(size.P50Micros, size.Samples),
        "p90" => new(size.P90Micros, size.Samples),
        "p99" => new(size.P99Micros, size.Samples),
        "p99.9" => new(size.P999Micros, size.Samples),
        _ => new(size.P9999Micros, size.Samples),
    };

    private ThresholdResult Compare(Threshold threshold) => figures?.RoundTrips is { } sizes && SizedThresholds.IsOfSizes(threshold)
        ? SizedThresholds.Compare(threshold, sizes, size => size.Bytes, FindSized)
        : new(threshold, threshold.Role is null ? Find(threshold.Metric) : RoleFigures.Find(roles, threshold));

    private AssertedFigure Find(string metric) => metric switch
    {
        Threshold.Rate => new(figures?.RateReached),
        Threshold.Rate + Threshold.Share => new(InvariantText.Percent(figures?.RateReached ?? 0, figures?.RateAsked ?? 0)),
        Threshold.Images => new(figures?.Images?.Count),
        Threshold.Images + Threshold.Share =>
            new(InvariantText.Percent(FindLink("refreshes")?.Received ?? 0, FindLink("requests")?.Sent ?? 0)),
        Threshold.Cpu => new(roles.Max(role => role.CpuCorePercent)),
        Threshold.Memory => new(roles.Max(role => role.MemoryMegabytes)),
        Threshold.NotSent => new(Sum(link => link.NotSent)),
        Threshold.Lost => new(Sum(link => link.Lost - link.Unwatched)),
        Threshold.Users => new(Users),
        Threshold.SendLag => new(figures?.SendLagMicros?.P99, figures?.SendLagMicros?.Count ?? 0),
        _ => new(FindLatency(metric), _latency?.Count ?? 0),
    };

    private double? FindLatency(string metric) => metric switch
    {
        "avg" => _latency?.Average,
        "max" => _latency?.Max,
        "p50" => _latency?.P50,
        "p90" => _latency?.P90,
        "p99" => _latency?.P99,
        "p99.9" => _latency?.P999,
        _ => _latency?.P9999,
    };

    private LinkResult? FindLink(string what) => links.FirstOrDefault(link => link.What == what);

    private double? Sum(Func<LinkResult, long?> read) => figures is null ? null : links.Sum(read);
}
