using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Running;

/// <summary>Adds up the samples and events of workers, series by series.</summary>
internal sealed class WorkerTotals
{
    private readonly Dictionary<(Series Series, RunPhase? Phase), LatencyAccumulator> _sums = [];

    /// <summary>Returns the figures of the intervals taken last of one worker.</summary>
    public static Dictionary<(Series, RunPhase?), LatencyFigures> IntervalOf(WorkerRecording recording) =>
        recording.Measured.ToDictionary(series => (series, (RunPhase?)null), series => recording[series].LastInterval.Figures());

    /// <summary>Counts the samples in these intervals that lie outside the histograms' range, the send lag left out.</summary>
    public static OutsideCounts OutsideCountsIn(WorkerRecording recording) => recording.Measured.Where(series => series != Series.SendLag)
        .Select(series => recording[series].LastInterval.Histogram)
        .Aggregate(default(OutsideCounts), (sum, samples) => sum + new OutsideCounts(samples.NegativeCount, samples.OverflowCount));

    /// <summary>Clears all samples, and keeps the memory for new ones.</summary>
    public void Reset()
    {
        foreach (LatencyAccumulator sum in _sums.Values)
            sum.Reset();
    }

    /// <summary>Adds the intervals taken last.</summary>
    public void AddInterval(WorkerRecording recording)
    {
        foreach (Series series in recording.Measured)
            SumOf(series, null, recording[series].Unit).Add(recording[series].LastInterval);
    }

    /// <summary>Adds everything taken so far, also by phases: the samples of all workers together, or the worker's own.</summary>
    public void AddWhole(WorkerRecording recording, bool isOverall)
    {
        foreach (Series series in recording.Measured)
        {
            LatencySeries samples = recording[series];
            samples.AddWholeTo(SumOf(series, null, samples.Unit));
            foreach (RunPhase phase in samples.IsPhased ? Enum.GetValues<RunPhase>() : [])
                samples.AddWholeTo(SumOf(series, phase, samples.Unit), isOverall ? null : phase, isOverall ? phase : null);
        }
    }

    public Dictionary<(Series, RunPhase?), LatencyFigures> Figures() => _sums.ToDictionary(sum => sum.Key, sum => sum.Value.Figures());

    /// <summary>Returns the samples of a series, all or those of a phase; null when there are none.</summary>
    public LongHistogram? HistogramOf(Series series, RunPhase? phase = null) => _sums.GetValueOrDefault((series, phase))?.Histogram;

    /// <summary>
    /// Returns the times of events of workers: the first of the beginnings, the last of the ends; the refreshes are complete when all workers have
    /// theirs.
    /// </summary>
    public static Dictionary<Moment, long> MomentsOf(IReadOnlyList<Worker> workers) =>
        (from moment in Enum.GetValues<Moment>() let time = TimeOf(workers, moment) where time is not null select (moment, time.Value))
        .ToDictionary();

    /// <summary>Returns the seconds in which one of these workers had anything to send; null when none has ended it.</summary>
    public static double? SendingSecondsOf(IReadOnlyList<Worker> workers) =>
        workers.SelectMany(worker => worker.Recording.Sending.Spans).ToList() is { Count: > 0 } spans
            ? SendingTimes.SecondsOf(spans) : null;

    /// <summary>Adds up the gauges of these workers; for a maximum of bytes the maximum of one is used.</summary>
    public static Dictionary<Gauge, long> GaugesOf(IReadOnlyList<Worker> workers) => workers[0].Recording.Schema.Gauges.ToDictionary(
        gauge => gauge,
        gauge => workers[0].Recording.Schema.IsMax(gauge)
            ? workers.Max(worker => worker.Recording[gauge]) : workers.Sum(worker => worker.Recording[gauge]));

    /// <summary>Returns the CPU use of the process from one event of these workers to another; null when one of them did not occur.</summary>
    public static CpuUse? ProcessUse(IReadOnlyList<Worker> workers, (Moment From, Moment To) phase) =>
        CpuUse.OfProcess(CpuAt(workers, phase.From), CpuAt(workers, phase.To));

    /// <summary>
    /// Returns the CPU use of the workers' threads from one event of each to another, in percent of one core; null where it is unknown.
    /// </summary>
    public static double? ThreadPercent(IReadOnlyList<Worker> workers, (Moment From, Moment To) phase)
    {
        double?[] known =
            [.. workers.Select(w => CpuUse.OfThread(w.Recording.CpuAt(phase.From), w.Recording.CpuAt(phase.To))?.CorePercent)];
        return known.All(percent => percent is null) ? null : known.Sum();
    }

    // The CPU reading of the worker that had the event.
    private static CpuReading? CpuAt(IReadOnlyList<Worker> workers, Moment moment) => TimeOf(workers, moment) is { } time
        ? workers.Select(worker => worker.Recording).First(recording => recording.TimeOf(moment) == time).CpuAt(moment) : null;

    private static long? TimeOf(IReadOnlyList<Worker> workers, Moment moment)
    {
        IEnumerable<long?> times = workers.Select(worker => worker.Recording.TimeOf(moment));
        return moment switch
        {
            Moment.RefreshesSent or Moment.Disconnected or Moment.End => times.Max(),
            Moment.RefreshesComplete or Moment.SteadyBegan => times.Any(time => time is null) ? null : times.Max(),
            _ => times.Min(),
        };
    }

    private LatencyAccumulator SumOf(Series series, RunPhase? phase, LatencyUnit unit)
    {
        if (!_sums.TryGetValue((series, phase), out LatencyAccumulator? sum))
            _sums[(series, phase)] = sum = new LatencyAccumulator(unit);
        return sum;
    }
}
