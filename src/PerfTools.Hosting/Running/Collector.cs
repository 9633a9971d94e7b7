using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Collects the workers' recordings: at intervals while they run, and finally. Main thread only.</summary>
/// <param name="role">The role with the workers.</param>
/// <param name="start">Begin of the first interval.</param>
/// <param name="intervalSeconds">Usual time between two collections.</param>
internal sealed class Collector(ToolRole role, CpuReading start, int intervalSeconds) : IDisposable
{
    private const long AnswerNanos = Clock.NanosPerSecond / 2;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    private readonly ProcessSampler _sampler = new(start);
    private readonly ManualResetEventSlim _never = new();
    private readonly CounterSnapshot[] _lastCounts = new CounterSnapshot[role.Workers.Count];
    private readonly CpuReading?[] _lastCpu = [.. role.Workers.Select(_ => (CpuReading?)(start with { ThreadNanos = 0 }))];
    private readonly PlacementSamples[] _placements = Observe(role.Workers);
    private readonly PlacementCounts[] _lastPlacements = [.. role.Workers.Select(_ => PlacementCounts.None)];
    private readonly bool[] _answered = new bool[role.Workers.Count];
    private readonly WorkerTotals _all = new(); // kept, because histograms are large
    private readonly CpuReading _start = start;
    private readonly DateTime _startUtc = DateTime.UtcNow;
    private CpuReading _last = start;
    private long _previousNanos = start.AtNanos;
    private DateTime _lastUtc;

    /// <summary>Processor and memory samples so far.</summary>
    public ResourceStatistics Resources { get; } = new(intervalSeconds);

    /// <summary>Negative latencies so far: the clocks of the two sides differ.</summary>
    public OutsideCounts OutsideLatencies { get; private set; }

    /// <summary>The time from the last collection but one to the last, in wall time that follows the monotonic clock.</summary>
    public (DateTime From, DateTime To) LastInterval => (UtcOf(_previousNanos), UtcOf(_last.AtNanos));

    /// <summary>The measured part of the run so far; all of it where that was not reached.</summary>
    public (DateTime From, DateTime To) SteadyTime => WorkerTotals.MomentsOf(role.Workers) is { } moments
        && moments.TryGetValue(role.Report.Table.Steady.From, out long from)
            && moments.TryGetValue(role.Report.Table.Steady.To, out long to)
        ? (UtcOf(from), UtcOf(to)) : (_startUtc, UtcOf(_last.AtNanos));

    /// <summary>Collects the recordings since the last collection.</summary>
    /// <param name="haveEnded">At the end of the run: whether each worker's thread has ended; one that has not is stuck. Null before.</param>
    /// <returns>All workers together, and each.</returns>
    public (Figures Overall, IReadOnlyList<Figures> Threads) Collect(IReadOnlyList<bool>? haveEnded = null)
    {
        if (haveEnded is null)
            RequestIntervals();
        CpuReading now = CpuClock.Current.Read();
        _lastUtc = DateTime.UtcNow;
        Resources.Add(_sampler.Sample(now));
        _all.Reset();
        List<Figures> threads = [];
        for (int i = 0; i < role.Workers.Count; i++)
            threads.Add(CollectWorker(i, now.AtNanos, haveEnded?[i]));
        Figures overall = Describe(null, now.AtNanos) with
        {
            Counts = Sum(threads.Select(thread => thread.Counts)),
            Totals = Sum(threads.Select(thread => thread.Totals)),
            Latencies = threads is [{ } only] ? only.Latencies : _all.Figures(),
            Placement = Sum(threads.Select(thread => thread.Placement)),
            CoreCpuPercent = threads.TrueForAll(thread => thread.CoreCpuPercent is null)
                ? null : threads.Sum(thread => thread.CoreCpuPercent),
        };
        (_previousNanos, _last) = (_last.AtNanos, now);
        overall = role.Describe(overall, worker: null, isWhole: false);
        return (overall, role.IsReportedAsOne ? [overall] : threads);
    }

    /// <summary>Returns the samples of the last interval of one worker, or of all together (null).</summary>
    /// <returns>
    /// Null for a worker that did not answer: its samples are part of a later interval. Valid until the next collection.
    /// </returns>
    public LongHistogram? IntervalOf(Series series, int? worker)
    {
        if ((worker ?? (role.Workers.Count == 1 ? 0 : null)) is not { } one)
            return _all.HistogramOf(series);
        return _answered[one] ? role.Workers[one].Recording[series].LastInterval.Histogram : null;
    }

    /// <summary>Returns the samples of the whole run of one worker, or of all together (null); by phases where they are distinguished.</summary>
    public WorkerTotals WholeOf(int? worker)
    {
        WorkerTotals totals = new();
        foreach (Worker one in worker is { } index ? [role.Workers[index]] : role.Workers)
            totals.AddWhole(one.Recording, isOverall: worker is null);
        return totals;
    }

    /// <summary>Creates the summary of the whole run, after the threads have ended and the rest was collected.</summary>
    public RunSummary Summarize(RunOutcome outcome, IReadOnlyList<string> notes) => new()
    {
        Overall = Whole(role.Workers, null),
        Threads = role.IsReportedAsOne ? [] : [.. role.Workers.Select((worker, i) => Whole([worker], i))],
        Connections = ConnectionAccount.Slowest(role.Workers.SelectMany(worker => worker.Recording.Connections)),
        Network = NetworkPath.Merge(role.Workers.SelectMany(worker => worker.Recording.Paths)),
        Resources = Resources,
        WholeCpu = CpuUse.OfProcess(_start, _last),
        SteadyCpu = WorkerTotals.ProcessUse(role.Workers, role.Report.Table.Steady),
        Outcome = outcome,
        Notes = notes,
    };

    public void Dispose()
    {
        _sampler.Dispose();
        Array.ForEach(_placements, placement => placement.Dispose());
        _never.Dispose();
    }

    private Figures Whole(IReadOnlyList<Worker> workers, int? number)
    {
        WorkerTotals totals = WholeOf(number);
        CounterSnapshot counts = Sum(workers.Select(worker => worker.Recording.Counters.Snapshot()));
        Figures figures = Describe(number, _last.AtNanos) with
        {
            Counts = counts,
            Totals = counts,
            Latencies = totals.Figures(),
            Placement = number is { } one ? _lastPlacements[one] : Sum(_lastPlacements),
            CoreCpuPercent = WorkerTotals.ThreadPercent(workers, role.Report.Table.Steady),
        };
        return role.Describe(figures, number, isWhole: true);
    }

    private void RequestIntervals()
    {
        foreach (Worker worker in role.Workers)
        {
            worker.Recording.RequestInterval();
            worker.Wake();
        }
    }

    private Figures CollectWorker(int index, long now, bool? hasEnded)
    {
        WorkerRecording recording = role.Workers[index].Recording;
        Dictionary<(Series, RunPhase?), LatencyFigures> latencies = [];
        double? cpu = null;
        _answered[index] = TryCollect(recording, hasEnded, now + AnswerNanos, out CounterSnapshot counts);
        if (_answered[index])
        {
            latencies = WorkerTotals.IntervalOf(recording);
            cpu = CpuUse.OfThread(_lastCpu[index], recording.HandedOverCpu)?.CorePercent;
            _lastCpu[index] = recording.HandedOverCpu;
            OutsideLatencies += WorkerTotals.OutsideCountsIn(recording);
            role.Collected(index, counts - _lastCounts[index]);
            if (role.Workers.Count > 1)
                _all.AddInterval(recording);
        }
        else
        {
            // a stalled worker keeps its interval for the next collection; at the end its counts can still be read, not its samples
            counts = hasEnded is null ? _lastCounts[index] : recording.Counters.Snapshot();
        }

        PlacementCounts placement = _placements[index].Read();
        Figures figures = Describe(index, now) with
        {
            Counts = counts - _lastCounts[index],
            Totals = counts,
            Latencies = latencies,
            Placement = placement - _lastPlacements[index],
            CoreCpuPercent = cpu,
        };
        (_lastCounts[index], _lastPlacements[index]) = (counts, placement);
        return role.Describe(figures, index, isWhole: false);
    }

    // A worker answers within its turn.
    private bool TryCollect(WorkerRecording recording, bool? hasEnded, long untilNanos, out CounterSnapshot counts)
    {
        if (hasEnded is { } isOver)
        {
            counts = isOver ? recording.CollectRest() : default;
            return isOver;
        }

        while (!recording.TryCollect(out counts))
        {
            if (Clock.NowNanos > untilNanos)
                return false;
            _never.Wait(Pause);
        }

        return true;
    }

    private DateTime UtcOf(long nanos) => _startUtc.AddTicks((nanos - _start.AtNanos) / TimeSpan.NanosecondsPerTick);

    // Creates the figures without counts and samples: of one worker or all (null), with the use of the process.
    private Figures Describe(int? worker, long now) => new()
    {
        Info = new(
            (int)((now - _start.AtNanos) / Clock.NanosPerSecond),
            _lastUtc,
            (now - _last.AtNanos) / (double)Clock.NanosPerSecond,
            worker + 1 ?? 0,
            role.IsReportedAsOne ? 1 : role.Workers.Count),
        Moments = WorkerTotals.MomentsOf(worker is { } one ? [role.Workers[one]] : role.Workers),
        SendingSeconds = WorkerTotals.SendingSecondsOf(worker is { } own ? [role.Workers[own]] : role.Workers),
        Process = Resources.Last,
        Gauges = WorkerTotals.GaugesOf(worker is { } single ? [role.Workers[single]] : role.Workers),
    };

    private static CounterSnapshot Sum(IEnumerable<CounterSnapshot> counts) =>
        counts.Aggregate(default(CounterSnapshot), (sum, one) => sum + one);

    private static PlacementCounts Sum(IEnumerable<PlacementCounts?> placements) =>
        placements.OfType<PlacementCounts>().Aggregate(PlacementCounts.None, (sum, one) => sum + one);

    private static PlacementSamples[] Observe(IReadOnlyList<Worker> workers) =>
        [.. workers.Select(worker => worker.Recording.Placement = new PlacementSamples())];
}
