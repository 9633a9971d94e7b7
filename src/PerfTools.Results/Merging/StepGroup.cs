using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Results.Merging;

/// <summary>
/// The samples of one step of all processes that measure alike: counts are added cell by cell, sums as whole numbers, and no figure is computed from
/// figures.
/// </summary>
internal sealed record StepGroup
{
    public required long Count { get; init; }

    /// <summary>Sum, minimum and maximum of all samples in microseconds; 0 without samples.</summary>
    public required long SumMicros { get; init; }
    public required long MinMicros { get; init; }
    public required long MaxMicros { get; init; }

    /// <summary>The samples, by cells; null where no process left any.</summary>
    public required LongHistogram? Samples { get; init; }

    /// <summary>Adds up the processes that measure latency, or those that check its spread.</summary>
    /// <param name="parts">All processes that have this step.</param>
    /// <param name="step">Number of the period in each process, from 0.</param>
    /// <param name="measures">True for the processes that measure latency, false for those that check its spread.</param>
    public static StepGroup Of(IEnumerable<UsersPart> parts, int step, bool measures)
    {
        UsersPart[] own = [.. parts.Where(part => part.Periods[step].IsFalse("measures") != measures)];
        JsonView[] sampled = [.. own.Select(part => part.Periods[step]).Where(period => period.Count("count") > 0)];
        return new()
        {
            Count = sampled.Sum(period => period.Count("count")),
            SumMicros = sampled.Sum(period => period.Count("sumMicros")),
            MinMicros = sampled.Select(period => period.Count("min")).DefaultIfEmpty().Min(),
            MaxMicros = sampled.Select(period => period.Count("max")).DefaultIfEmpty().Max(),
            Samples = HistogramMerging.Merge([.. own.Where(part => part.Samples.Count > step).Select(part => part.Samples[step])]),
        };
    }

    /// <summary>
    /// A percentile in microseconds, never above the maximum sample; null with too few samples beyond it, and above one hour.
    /// </summary>
    public double? Percentile(double percentile) => Samples?.ReportedMicros(percentile, MaxMicros);
}

/// <summary>A step of all processes together.</summary>
/// <param name="Row">Its figures.</param>
/// <param name="Measured">The samples of the processes that measure latency; null for none.</param>
/// <param name="Checked">The samples of the processes that check its spread; null for none.</param>
internal sealed record MergedStep(StepRow Row, LongHistogram? Measured, LongHistogram? Checked);
