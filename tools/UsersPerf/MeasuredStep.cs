using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace UsersPerf;

/// <summary>A step, the figures of its period, and its verdict.</summary>
/// <param name="Step">The step.</param>
/// <param name="Period">The figures of all threads.</param>
/// <param name="FromUtc">When the period began.</param>
/// <param name="Asked">Users of this process that should be logged in.</param>
/// <param name="DueRate">Updates per second that they should receive together; 0 for unknown.</param>
/// <param name="Measures">False when the latencies are spreads above the minimum.</param>
internal sealed record MeasuredStep(UserStep Step, Period Period, DateTime FromUtc, int Asked, double DueRate, bool Measures = true)
{
    private const double BytesPerMegabyte = 1_048_576;
    private const double Percent = 100;
    private const double AllowedShare = 0.01;

    public double Seconds => (Step.ToNanos - Step.FromNanos) / (double)Clock.NanosPerSecond;

    /// <summary>Updates that should have arrived; null for unknown.</summary>
    public double? Expected => DueRate > 0 ? DueRate * Seconds : null;

    /// <summary>Finds what is incomplete in the step, as a sentence; null when nothing is.</summary>
    public string? FindFault() => this switch
    {
        { Period.Counts.Lost: > 0 } => Invariant($"{Period.Counts.Lost:N0} users were lost"),
        { } when Period.UsersIn < Asked => Invariant($"{Period.UsersIn:N0} of {Asked:N0} users were in"),
        { Period.Counts.OutOfOrder: > 0 } => Invariant($"{Period.Counts.OutOfOrder:N0} updates came out of order"),
        { Period.Counts.Repeated: > 0 } => Invariant($"{Period.Counts.Repeated:N0} updates came twice"),
        { Period.Counts.Missing: > 0, Expected: not null } => Invariant($"{Period.Counts.Missing:N0} updates are missing"),
        { Expected: { } expected } when Math.Abs(Period.Updates - expected) > AllowedShare * expected =>
            Invariant($"received {Percent * Period.Updates / expected:F1} % of what was due"),
        _ => null,
    };

    /// <summary>Finds the first missed threshold, as a sentence; null when all are kept.</summary>
    /// <param name="limits">The thresholds.</param>
    /// <param name="workingSetBytes">The present working set of the process.</param>
    public string? FindMiss(IEnumerable<Threshold> limits, long workingSetBytes) =>
        limits.Select(limit => (limit, figure: FigureOf(limit.Metric, workingSetBytes)))
        .Where(pair => pair.figure is not { } figure || !pair.limit.IsKeptBy(figure))
        .Select(pair =>
            pair.figure is { } figure ? $"{pair.limit}: {pair.limit.Show(figure)}" : $"{pair.limit}: too few samples").FirstOrDefault();

    private double? FigureOf(string metric, long workingSetBytes) => metric switch
    {
        "avg" => Period.Count > 0 ? Period.MeanMicros : null,
        "max" => Period.Count > 0 ? Period.MaxMicros : null,
        Threshold.Rate => Period.Updates / Seconds,
        Threshold.Rate + Threshold.Share => Percent * Period.Updates / Expected,
        Threshold.Cpu => Period.CpuPerThread.Sum(),
        Threshold.Memory => workingSetBytes / BytesPerMegabyte,
        Threshold.Lost => Period.Counts.Lost,
        _ => Period.PercentileMicros(double.Parse(metric.AsSpan(1), CultureInfo.InvariantCulture)),
    };

    private static string Invariant(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}
