using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>
/// The round trips of one size, of a run or of repeated ones, in microseconds; a percentile is null where samples are too few.
/// </summary>
internal sealed record SizedTimes(int Bytes, double? P50Micros, double? P99Micros)
{
    /// <summary>The mean of one way; null where it was not requested, and for repeated runs.</summary>
    public double? OneWayMicros { get; init; }

    /// <summary>Reads a folder with a run, or with repeated ones, whose percentiles are those of all samples.</summary>
    /// <returns>An entry per size; empty where no run has figures.</returns>
    public static IReadOnlyList<SizedTimes> Read(string folder)
    {
        try
        {
            return RecordedRun.IsIn(folder) ? ReadRun(folder) : ReadRepeats(RunSet.Read("", folder));
        }
        catch (SetupException)
        {
            return []; // the failed run has reported its reason
        }
    }

    private static SizedTimes[] ReadRun(string folder) =>
        [.. from size in RunFile.Read(Path.Combine(folder, RunFile.Name)).Figures?.RoundTrips ?? []
            select new SizedTimes(size.Bytes, size.P50Micros, size.P99Micros) { OneWayMicros = size.OneWayMicros }];

    private static SizedTimes[] ReadRepeats(RunSet runs) =>
        [.. from bytes in runs.Sizes
            let samples = runs.Sums.Whole.RoundTripsOf(bytes)
            select new SizedTimes(bytes, Find(samples, 50), Find(samples, 99))];

    private static double? Find(SampleSum samples, double percentile) =>
        samples.Count >= LatencyFigures.SamplesNeeded(percentile) ? samples.ValueAt(percentile) : null;
}
