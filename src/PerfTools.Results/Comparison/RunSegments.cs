using PerfCommon.Measurement;
using PerfTools.Results.Recorded;

namespace PerfTools.Results.Comparison;

/// <summary>Reads the counts and samples of a recorded run, whole and in parts.</summary>
internal static class RunSegments
{
    private const int MaxParts = 10;
    private const int MinParts = 4;
    private const double WholePercent = 100;

    /// <summary>Reads the steady state of a run; null where its roles left no figures.</summary>
    public static MeasuredSegment? ReadWhole(RecordedRun run)
    {
        if (run.Document.Figures is not { } figures)
            return null;
        RecordedRole[] measuring = Measuring(run);
        string? series = PathsOf(run) is { } paths ? SeriesNames.Of(paths.IntervalLatency) : null;
        RecordedRole? sender = FindSender(run);
        return new()
        {
            Seconds = figures.SteadySeconds,
            Messages = figures.RateReached * figures.SteadySeconds,
            RecordedRate = figures.RateReached,
            CpuSeconds = run.Document.Roles.Where(role => role.CpuCorePercent is not null)
                .ToDictionary(role => role.Name, role => role.CpuCorePercent!.Value / WholePercent * figures.SteadySeconds),
            Latency = run.Document.Steps is [.., { } last] ? Merge(run.Roles.Select(role => role.ReadStep(last.Step)?.Copy()))
                : series is null ? null : Merge(measuring.Select(role => role.ReadWhole(series))),
            MaxLatencyMicros = measuring.Length > 1 ? double.PositiveInfinity : figures.LatencyMicros?.Max ?? 0,
            SendLag = sender?.ReadWhole(SeriesNames.Of(PathsOf(run)!.SendLag)!),
            MaxSendLagMicros = figures.SendLagMicros?.Max ?? 0,
            MemoryMegabytes = run.Document.Roles.All(role => role.MemoryMegabytes is not null)
                ? run.Document.Roles.Sum(role => role.MemoryMegabytes) : null,
            ImageSeconds = figures.Images?.Seconds,
            RoundTrips = SizedSegments.ReadWhole(run),
            RoleNumbers = RoleNumbers.ReadAll(run.Document),
        };
    }

    /// <summary>Reads parts of the steady state, each with the same number of collections; none for a run that is too short.</summary>
    /// <remarks>Left out are the first collection, in which programs are compiled, and an incomplete last one.</remarks>
    public static IReadOnlyList<MeasuredSegment> ReadParts(RecordedRun run)
    {
        if (run.Document.Figures?.RoundTrips is not null)
            return SizedSegments.ReadParts(run, MinParts, MaxParts);
        if (PathsOf(run) is not { } paths || Measuring(run) is not [var first, ..] measuring)
            return [];
        int[] steady = [.. FindSteady(first, paths)];
        int each = (steady.Length + MaxParts - 1) / MaxParts;
        if (steady.Length < MinParts)
            return [];
        PartReader reader = new(run, paths, measuring, FindSender(run));
        return [.. steady.Chunk(each).Where(part => part.Length == each).Select(part => reader.Read(first, part))];
    }

    private static IEnumerable<int> FindSteady(RecordedRole role, MeasuredPaths paths)
    {
        IReadOnlyList<RoleInterval> intervals = role.Intervals;
        double usual = intervals.Select(interval => interval.Seconds).Order().ElementAtOrDefault(intervals.Count / 2);
        return Enumerable.Range(0, intervals.Count)
            .Where(i => intervals[i].View.Number(paths.IntervalRate) > 0 && intervals[i].Seconds > usual / 2).Skip(1);
    }

    private static MeasuredPaths? PathsOf(RecordedRun run) => MeasuredPaths.Of(run.Document);

    private static RecordedRole[] Measuring(RecordedRun run) =>
        [.. run.Roles.Where(role => PathsOf(run)?.MeasuredBy.Contains(role.Result.Name) == true)];

    private static RecordedRole? FindSender(RecordedRun run) =>
        PathsOf(run) is { } paths ? run.Roles.FirstOrDefault(role => role.Result.Name == paths.Sender) : null;

    private static LongHistogram? Merge(IEnumerable<LongHistogram?> parts) => HistogramMerging.Merge([.. parts.OfType<LongHistogram>()]);

    // Roles collect at different moments: to an interval of the first role belongs the interval that ended nearest to its end.
    private sealed class PartReader(RecordedRun run, MeasuredPaths paths, IReadOnlyList<RecordedRole> measuring, RecordedRole? sender)
    {
        private readonly Dictionary<RecordedRole, LongHistogram[]> _latencies =
            measuring.ToDictionary(role => role, role => ReadAll(role, SeriesNames.Of(paths.IntervalLatency)));

        private readonly LongHistogram[] _lags = sender is null ? [] : ReadAll(sender, SeriesNames.Of(paths.SendLag));

        public MeasuredSegment Read(RecordedRole first, int[] intervals)
        {
            DateTime[] ends = [.. intervals.Select(i => first.Intervals[i].Utc)];
            return new()
            {
                Seconds = intervals.Sum(i => first.Intervals[i].Seconds),
                Messages = measuring.Sum(role =>
                    At(role, ends).Sum(i => role.Intervals[i].View.Number(paths.IntervalRate) * role.Intervals[i].Seconds ?? 0)),
                CpuSeconds = run.Roles.ToDictionary(role => role.Result.Name, role => At(role, ends)
                    .Sum(i => (role.Intervals[i].View.Number("process.coreCpuPercent") ?? 0) / WholePercent * role.Intervals[i].Seconds)),
                Latency = Merge(measuring.SelectMany(role => At(role, ends).Select(i => _latencies[role].ElementAtOrDefault(i)))),
                MaxLatencyMicros = double.PositiveInfinity,
                SendLag = sender is null ? null : Merge(At(sender, ends).Select(i => _lags.ElementAtOrDefault(i))),
                MaxSendLagMicros = double.PositiveInfinity,
            };
        }

        private static IEnumerable<int> At(RecordedRole role, IEnumerable<DateTime> ends) => role.Intervals.Count == 0
            ? [] : ends.Select(end => Enumerable.Range(0, role.Intervals.Count).MinBy(i => (role.Intervals[i].Utc - end).Duration()));

        private static LongHistogram[] ReadAll(RecordedRole role, string? series) =>
            series is null ? [] : [.. role.ReadIntervals(series).Select(histogram => histogram.Copy())];
    }
}
