using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Results.Comparison;

/// <summary>Reads the round trips of a recorded run by size, whole and in parts, from the publisher's histograms, one file per size.</summary>
internal static class SizedSegments
{
    /// <summary>Reads all round trips; none where none are measured.</summary>
    public static IReadOnlyDictionary<int, SizedSamples> ReadWhole(RecordedRun run)
    {
        Dictionary<int, SizedSamples> sizes = [];
        foreach (RoundTripFigures size in run.Document.Figures?.RoundTrips ?? [])
        {
            if (FindPublisher(run)?.ReadWhole(SeriesOf(size.Bytes)) is { } samples)
                sizes[size.Bytes] = new(samples, size.MaxMicros);
        }

        return sizes;
    }

    /// <summary>Reads the round trips divided into parts, limited by the intervals that every size has; none for a run that is too short.</summary>
    /// <param name="run">The run.</param>
    /// <param name="minParts">Minimum number of parts; with fewer the result is empty.</param>
    /// <param name="maxParts">Maximum number of parts.</param>
    public static IReadOnlyList<MeasuredSegment> ReadParts(RecordedRun run, int minParts, int maxParts)
    {
        (int Bytes, LongHistogram[] Intervals)[] sizes = [.. ReadIntervals(run)];
        int count = Math.Min(maxParts, sizes.Select(size => size.Intervals.Length).DefaultIfEmpty(0).Min());
        return count < minParts ? [] : [.. Enumerable.Range(0, count).Select(part => CreatePart(sizes, part, count))];
    }

    private static IEnumerable<(int, LongHistogram[])> ReadIntervals(RecordedRun run) =>
        from size in run.Document.Figures?.RoundTrips ?? []
        let publisher = FindPublisher(run)
        where publisher is not null
        select (size.Bytes, publisher.ReadIntervals(SeriesOf(size.Bytes)).Select(histogram => histogram.Copy()).ToArray());

    private static MeasuredSegment CreatePart((int Bytes, LongHistogram[] Intervals)[] sizes, int part, int count)
    {
        Dictionary<int, SizedSamples> trips = sizes.ToDictionary(size => size.Bytes, size => CreateSamples(size.Intervals, part, count));
        return new()
        {
            Seconds = trips.Values.Sum(one => one.Samples.GetMean() * one.Samples.TotalCount) / Clock.NanosPerSecond,
            Messages = trips.Values.Sum(one => one.Samples.TotalCount),
            RoundTrips = trips,
        };
    }

    private static SizedSamples CreateSamples(LongHistogram[] intervals, int part, int count)
    {
        Range own = (part * intervals.Length / count)..((part + 1) * intervals.Length / count);
        return new(HistogramMerging.Merge(intervals[own])!, double.PositiveInfinity);
    }

    private static RecordedRole? FindPublisher(RecordedRun run) =>
        run.Roles.FirstOrDefault(role => role.Result.Name == RoleNames.Publisher);

    private static string SeriesOf(int bytes) => string.Create(CultureInfo.InvariantCulture, $"rtt-{bytes}");
}
