using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Collects what the workers recorded: at intervals while they run, and finally. Main thread only.</summary>
internal sealed class Collector : IDisposable
{
    private const long AnswerNanos = Clock.NanosPerSecond / 2;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    private readonly ToolRole _role;
    private readonly ProcessSampler _sampler;
    private readonly ManualResetEventSlim _never = new();
    private readonly CounterSnapshot[] _last;
    private readonly WorkerTotals _all = new(); // kept, as histograms are large
    private readonly long _startNanos;
    private long _lastNanos;

    public Collector(ToolRole role, long startNanos)
    {
        _role = role;
        _startNanos = startNanos;
        _lastNanos = startNanos;
        _last = new CounterSnapshot[role.Workers.Count];
        _sampler = new ProcessSampler(startNanos);
    }

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
        ProcessSample process = _sampler.Sample(now);
        Resources.Add(process);
        _all.Reset();
        List<Figures> threads = [];
        for (int i = 0; i < _role.Workers.Count; i++)
            threads.Add(CollectWorker(i, now, process, hasEnded));
        Figures overall = _role.Describe(
            new Figures
            {
                Info = InfoOf(0, now),
                Counts = threads.Aggregate(default(CounterSnapshot), (sum, thread) => sum + thread.Counts),
                Totals = threads.Aggregate(default(CounterSnapshot), (sum, thread) => sum + thread.Totals),
                Latencies = threads is [{ } only] ? only.Latencies : _all.Figures(),
                Moments = WorkerTotals.MomentsOf(_role.Workers),
                Process = process,
            },
            worker: null,
            isWhole: false);
        _lastNanos = now;
        return (overall, threads);
    }

    /// <summary>The figures of the whole run, after the threads have ended and the rest was collected.</summary>
    public RunSummary Summarize(RunOutcome outcome, IReadOnlyList<string> notes) => new()
    {
        Overall = Whole(_role.Workers, null),
        Threads = [.. _role.Workers.Select((worker, i) => Whole([worker], i))],
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
        CounterSnapshot counts = workers.Aggregate(default(CounterSnapshot), (sum, worker) => sum + worker.Recording.Counters.Snapshot());
        Figures figures = new()
        {
            Info = InfoOf(number + 1 ?? 0, _lastNanos),
            Counts = counts,
            Totals = counts,
            Latencies = totals.Figures(),
            Moments = WorkerTotals.MomentsOf(workers),
            Process = Resources.Last,
        };
        return _role.Describe(figures, number, isWhole: true);
    }

    private void AskWorkers()
    {
        foreach (Worker worker in _role.Workers)
        {
            worker.Recording.RequestInterval();
            worker.Wake();
        }
    }

    private Figures CollectWorker(int index, long now, in ProcessSample process, bool hasEnded)
    {
        WorkerRecording recording = _role.Workers[index].Recording;
        SeriesFigures latencies = default;
        if (TryTake(recording, hasEnded, now + AnswerNanos, out CounterSnapshot counts))
        {
            latencies = WorkerTotals.IntervalOf(recording);
            NegativeLatencies += WorkerTotals.NegativeCountIn(recording);
            if (_role.Workers.Count > 1)
                _all.AddInterval(recording);
        }
        else
        {
            counts = _last[index]; // a worker that is stalled keeps its interval for the next collection
        }

        Figures figures = new()
        {
            Info = InfoOf(index + 1, now),
            Counts = counts - _last[index],
            Totals = counts,
            Latencies = latencies,
            Moments = WorkerTotals.MomentsOf([_role.Workers[index]]),
            Process = process,
        };
        _last[index] = counts;
        return _role.Describe(figures, index, isWhole: false);
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

    private CollectionInfo InfoOf(int thread, long now) => new(
        (int)((now - _startNanos) / Clock.NanosPerSecond),
        DateTime.UtcNow,
        (now - _lastNanos) / (double)Clock.NanosPerSecond,
        thread,
        _role.Workers.Count);
}
