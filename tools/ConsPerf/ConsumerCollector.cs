using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>Reads the workers' counters and series: at intervals while they run, and once more after they ended.</summary>
/// <remarks>Main thread only.</remarks>
internal sealed class ConsumerCollector(ConsPerfOptions options, ConsumerCrew crew, long startNanos) : IDisposable
{
    private readonly long _startNanos = startNanos;
    private readonly ProcessSampler _sampler = new(startNanos);
    private readonly ConsumerCounts[] _last = new ConsumerCounts[crew.Workers.Count];
    private readonly bool[] _imagesReported = new bool[crew.Workers.Count];
    private long _lastNanos = startNanos;

    public ResourceStatistics Resources { get; } = new();

    /// <summary>Collects what came since the last collection.</summary>
    /// <param name="ended">True after the workers' threads have ended.</param>
    /// <returns>Each worker's interval, and all together.</returns>
    public (ConsumerInterval Overall, IReadOnlyList<ConsumerInterval> Threads) Collect(bool ended)
    {
        if (!ended)
            AskWorkers();
        long now = Clock.NowNanos;
        ProcessSample process = _sampler.Sample(now);
        Resources.Add(process);
        LatencyAccumulator latency = new(UnitOfStamps);
        LatencyAccumulator lag = new(LatencyUnit.Microseconds);
        List<ConsumerInterval> threads = [];
        for (int i = 0; i < crew.Workers.Count; i++)
            threads.Add(CollectWorker(i, now, process, ended, latency, lag));
        ConsumerInterval overall = new()
        {
            Info = InfoOf(0, now),
            Counts = threads.Aggregate(default(ConsumerCounts), (sum, thread) => sum + thread.Counts),
            UpdateLatency = latency.Figures(),
            SendLag = lag.Figures(),
            Images = threads.Any(thread => thread.Images is not null) ? AllImages() : null,
            Process = process,
        };
        _lastNanos = now;
        return (overall, threads);
    }

    /// <summary>The figures of the whole run, after the workers ended and the rest was collected.</summary>
    public ConsumerSummary Summarize(RunOutcome outcome, IReadOnlyList<string> notes) => new()
    {
        Overall = new ConsumerTotals(crew, options.ItemCount, UnitOfStamps).All(),
        Threads = [.. crew.Workers.Select(worker => ConsumerTotals.Of(worker, UnitOfStamps))],
        Resources = Resources,
        Outcome = outcome,
        Notes = notes,
    };

    public void Dispose() => _sampler.Dispose();

    private LatencyUnit UnitOfStamps => options.Session.NanoTime ? LatencyUnit.Nanoseconds : LatencyUnit.Microseconds;

    private ConsumerInterval CollectWorker(
        int index, long now, in ProcessSample process, bool ended, LatencyAccumulator latency, LatencyAccumulator lag)
    {
        ConsumerWorker worker = crew.Workers[index];
        ConsumerCounts counts = ConsumerTotals.CountsOf(worker);
        LatencyFigures latencies = SeriesHandOver.Take(worker.UpdateLatency, ended, latency);
        LatencyFigures lags = SeriesHandOver.Take(worker.SendLag, ended, lag);
        ConsumerInterval interval = new()
        {
            Info = InfoOf(index + 1, now),
            Counts = counts - _last[index],
            UpdateLatency = latencies,
            SendLag = lags,
            Images = NewImages(index),
            Process = process,
        };
        _last[index] = counts;
        return interval;
    }

    private void AskWorkers()
    {
        foreach (ConsumerWorker worker in crew.Workers)
        {
            worker.UpdateLatency.RequestInterval();
            worker.SendLag.RequestInterval();
        }

        crew.Wake();
    }

    private ImageRetrieval? NewImages(int index)
    {
        ConsumerWorker worker = crew.Workers[index];
        if (_imagesReported[index] || worker.ImagesCompleteNanos is not { } complete)
            return null;
        _imagesReported[index] = true;
        long first = worker.FirstRequestNanos ?? complete;
        return new ImageRetrieval((int)worker.Counters.ItemsWithImage.Value, (complete - first) / (double)Clock.NanosPerSecond);
    }

    // Known in the interval in which the last worker's last image came in.
    private ImageRetrieval? AllImages() =>
        crew.Images.IsComplete && crew.Workers.Min(worker => worker.FirstRequestNanos) is { } first
            ? new ImageRetrieval(options.ItemCount, (crew.Images.CompleteNanos - first) / (double)Clock.NanosPerSecond)
            : null;

    private CollectionInfo InfoOf(int thread, long now) => new(
        (int)((now - _startNanos) / Clock.NanosPerSecond),
        DateTime.UtcNow,
        (now - _lastNanos) / (double)Clock.NanosPerSecond,
        thread,
        crew.Workers.Count);
}
