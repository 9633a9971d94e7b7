using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Collects what the workers recorded: at intervals while they run, and finally. Main thread only.</summary>
internal sealed class Collector(ToolRole role, long startNanos) : IDisposable
{
    private const long AnswerNanos = Clock.NanosPerSecond / 2;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    private readonly ProcessSampler _sampler = new(startNanos);
    private readonly ManualResetEventSlim _never = new();
    private readonly CounterSnapshot[] _last = new CounterSnapshot[role.Workers.Count];
    private readonly WorkerTotals _all = new(); // kept, as histograms are large
    private readonly long _startNanos = startNanos;
    private long _lastNanos = startNanos;

    /// <summary>Processor and memory samples so far.</summary>
    public ResourceStatistics Resources { get; } = new();

    /// <summary>Negative latencies so far: the clocks of the two sides differ.</summary>
    public long NegativeLatencies { get; private set; }

    /// <summary>Collects what came since the last collection.</summary>
    /// <param name="hasEnded">True after the workers' threads have ended.</param>
    /// <returns>All workers together, and each.</returns>
    public (Figures Overall, IReadOnlyList<Figures> Threads) Collect(bool hasEnded)
    {
        if (!hasEnded)
            AskWorkers();
        long now = Clock.NowNanos;
        Resources.Add(_sampler.Sample(now));
        _all.Reset();
        List<Figures> threads = [];
        for (int i = 0; i < role.Workers.Count; i++)
            threads.Add(CollectWorker(i, now, hasEnded));
        Figures overall = Describe(null, now) with
        {
            Counts = Sum(threads.Select(thread => thread.Counts)),
            Totals = Sum(threads.Select(thread => thread.Totals)),
            Latencies = threads is [{ } only] ? only.Latencies : _all.Figures(),
        };
        _lastNanos = now;
        return (role.Describe(overall, worker: null, isWhole: false), threads);
    }

    /// <summary>The figures of the whole run, after the threads have ended and the rest was collected.</summary>
    public RunSummary Summarize(RunOutcome outcome, IReadOnlyList<string> notes) => new()
    {
        Overall = Whole(role.Workers, null),
        Threads = [.. role.Workers.Select((worker, i) => Whole([worker], i))],
        Resources = Resources,
        Outcome = outcome,
        Notes = notes,
    };

    public void Dispose()
    {
        _sampler.Dispose();
        _never.Dispose();
    }

    private Figures Whole(IReadOnlyList<Worker> workers, int? number)
    {
        WorkerTotals totals = new();
        foreach (Worker worker in workers)
            totals.AddWhole(worker.Recording, isOverall: number is null);
        CounterSnapshot counts = Sum(workers.Select(worker => worker.Recording.Counters.Snapshot()));
        Figures figures = Describe(number, _lastNanos) with { Counts = counts, Totals = counts, Latencies = totals.Figures() };
        return role.Describe(figures, number, isWhole: true);
    }

    private void AskWorkers()
    {
        foreach (Worker worker in role.Workers)
        {
            worker.Recording.RequestInterval();
            worker.Wake();
        }
    }

    private Figures CollectWorker(int index, long now, bool hasEnded)
    {
        WorkerRecording recording = role.Workers[index].Recording;
        Dictionary<(Series, RunPhase?), LatencyFigures> latencies = [];
        if (TryTake(recording, hasEnded, now + AnswerNanos, out CounterSnapshot counts))
        {
            latencies = WorkerTotals.IntervalOf(recording);
            NegativeLatencies += WorkerTotals.NegativeCountIn(recording);
            if (role.Workers.Count > 1)
                _all.AddInterval(recording);
        }
        else
        {
            counts = _last[index]; // a worker that is stalled keeps its interval for the next collection
        }

        Figures figures = Describe(index, now) with { Counts = counts - _last[index], Totals = counts, Latencies = latencies };
        _last[index] = counts;
        return role.Describe(figures, index, isWhole: false);
    }

    // A worker answers within its turn.
    private bool TryTake(WorkerRecording recording, bool hasEnded, long untilNanos, out CounterSnapshot counts)
    {
        if (hasEnded)
        {
            counts = recording.TakeRest();
            return true;
        }

        while (!recording.TryTake(out counts))
        {
            if (Clock.NowNanos > untilNanos)
                return false;
            _never.Wait(Pause);
        }

        return true;
    }

    // Whose figures, and what the process used; without counts and samples. Null is all workers together.
    private Figures Describe(int? worker, long now) => new()
    {
        Info = new(
            (int)((now - _startNanos) / Clock.NanosPerSecond),
            DateTime.UtcNow,
            (now - _lastNanos) / (double)Clock.NanosPerSecond,
            worker + 1 ?? 0,
            role.Workers.Count),
        Moments = WorkerTotals.MomentsOf(worker is { } one ? [role.Workers[one]] : role.Workers),
        Process = Resources.Last,
    };

    private static CounterSnapshot Sum(IEnumerable<CounterSnapshot> counts) =>
        counts.Aggregate(default(CounterSnapshot), (sum, one) => sum + one);
}
