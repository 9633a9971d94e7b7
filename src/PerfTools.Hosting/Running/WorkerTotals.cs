using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Adds up the samples of workers, series by series, and their moments.</summary>
internal sealed class WorkerTotals
{
    private readonly Dictionary<(Series Series, RunPhase? Phase), LatencyAccumulator> _sums = [];

    /// <summary>The figures of the intervals taken last of one worker.</summary>
    public static SeriesFigures IntervalOf(WorkerRecording recording) => SeriesFigures.Of(
        [.. recording.Measured.Select(series => (series, (RunPhase?)null, recording[series].LastInterval.Figures()))]);

    /// <summary>Negative samples in these intervals, the send lag left out.</summary>
    public static long NegativeCountIn(WorkerRecording recording) => recording.Measured.Where(series => series != Series.SendLag)
        .Sum(series => recording[series].LastInterval.Histogram.NegativeCount);

    /// <summary>Forgets all samples, to begin anew without further memory.</summary>
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

    /// <summary>Adds everything taken so far, also by phases.</summary>
    /// <param name="recording">A worker's.</param>
    /// <param name="isOverall">True for the phases of all workers together, false for the worker's own.</param>
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

    /// <summary>The figures that reports print.</summary>
    public SeriesFigures Figures() => SeriesFigures.Of([.. _sums.Select(sum => (sum.Key.Series, sum.Key.Phase, sum.Value.Figures()))]);

    /// <summary>When things happened to workers: the first of the beginnings, the last of the ends; the refreshes are complete when all have theirs.</summary>
    public static MomentTimes MomentsOf(IReadOnlyList<Worker> workers) =>
        MomentTimes.Of([.. Enum.GetValues<Moment>().Select(moment => (moment, TimeOf(workers, moment)))]);

    private static long? TimeOf(IReadOnlyList<Worker> workers, Moment moment)
    {
        IEnumerable<long?> times = workers.Select(worker => worker.Recording.TimeOf(moment));
        return moment switch
        {
            Moment.Disconnected or Moment.End => times.Max(),
            Moment.RefreshesComplete => times.Any(time => time is null) ? null : times.Max(),
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
