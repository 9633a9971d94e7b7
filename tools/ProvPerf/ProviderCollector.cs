using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ProvPerf;

/// <summary>Reads the workers' counters and series: at intervals while they run, and once more after they ended.</summary>
/// <remarks>Main thread only.</remarks>
internal sealed class ProviderCollector(ProviderCrew crew, long startNanos) : IDisposable
{
    private readonly long _startNanos = startNanos;
    private readonly ProcessSampler _sampler = new(startNanos);
    private readonly ProviderCounts[] _last = new ProviderCounts[crew.Workers.Count];
    private long _lastNanos = startNanos;

    public ResourceStatistics Resources { get; } = new();

    /// <summary>Collects what came since the last collection.</summary>
    /// <param name="ended">True after the workers' threads have ended.</param>
    /// <returns>Each worker's interval, and all together.</returns>
    public (ProviderInterval Overall, IReadOnlyList<ProviderInterval> Threads) Collect(bool ended)
    {
        if (!ended)
            AskWorkers();
        long now = Clock.NowNanos;
        ProcessSample process = _sampler.Sample(now);
        Resources.Add(process);
        LatencyAccumulator lag = new(LatencyUnit.Microseconds);
        List<ProviderInterval> threads = [];
        for (int i = 0; i < crew.Workers.Count; i++)
            threads.Add(CollectWorker(i, now, process, ended, lag));
        ProviderInterval overall = new()
        {
            Info = InfoOf(0, now),
            Counts = threads.Aggregate(default(ProviderCounts), (sum, thread) => sum + thread.Counts),
            Totals = threads.Aggregate(default(ProviderCounts), (sum, thread) => sum + thread.Totals),
            SendLag = lag.Figures(),
            Process = process,
        };
        _lastNanos = now;
        return (overall, threads);
    }

    /// <summary>The figures of the whole run, after the workers ended and the rest was collected.</summary>
    public ProviderSummary Summarize(RunOutcome outcome, bool updates, IReadOnlyList<string> notes)
    {
        LatencyAccumulator lag = new(LatencyUnit.Microseconds);
        ProviderCounts counts = default;
        foreach (ProviderWorker worker in crew.Workers)
        {
            worker.SendLag.AddWholeTo(lag);
            counts += CountsOf(worker);
        }

        return new ProviderSummary
        {
            Overall = new ProviderFigures { EndNanos = _lastNanos, Counts = counts, SendLag = lag.Figures() },
            Threads = [.. crew.Workers.Select(FiguresOf)],
            Resources = Resources,
            Outcome = outcome,
            Updates = updates,
            Notes = notes,
        };
    }

    public void Dispose() => _sampler.Dispose();

    private ProviderFigures FiguresOf(ProviderWorker worker)
    {
        LatencyAccumulator lag = new(LatencyUnit.Microseconds);
        worker.SendLag.AddWholeTo(lag);
        return new ProviderFigures { EndNanos = _lastNanos, Counts = CountsOf(worker), SendLag = lag.Figures() };
    }

    private ProviderInterval CollectWorker(int index, long now, in ProcessSample process, bool ended, LatencyAccumulator lag)
    {
        ProviderWorker worker = crew.Workers[index];
        ProviderCounts counts = CountsOf(worker);
        ProviderInterval interval = new()
        {
            Info = InfoOf(index + 1, now),
            Counts = counts - _last[index],
            Totals = counts,
            SendLag = SeriesHandOver.Take(worker.SendLag, ended, lag),
            Process = process,
        };
        _last[index] = counts;
        return interval;
    }

    private void AskWorkers()
    {
        foreach (ProviderWorker worker in crew.Workers)
            worker.SendLag.RequestInterval();
        crew.Wake();
    }

    private static ProviderCounts CountsOf(ProviderWorker worker)
    {
        ProviderCounters counters = worker.Counters;
        return new ProviderCounts
        {
            RequestsReceived = counters.RequestsReceived.Value,
            ImagesSent = counters.ImagesSent.Value,
            UpdatesSent = counters.UpdatesSent.Value,
            UpdatesNotSent = counters.UpdatesNotSent.Value,
            UpdatesStopped = counters.UpdatesStopped.Value,
            UpdateLatenciesSent = counters.UpdateStampsSent.Value,
            PostsReceived = counters.PostsReceived.Value,
            GenericReceived = counters.GenericsReceived.Value,
            GenericLatenciesReceived = counters.GenericStampsReceived.Value,
            ClosesReceived = counters.ClosesReceived.Value,
            MessagesDropped = counters.MessagesDropped.Value,
            PackedMessages = worker.Packs ? counters.MessagesWritten.Value : 0,
            PackBuffers = worker.Packs ? counters.BuffersWritten.Value : 0,
        };
    }

    private CollectionInfo InfoOf(int thread, long now) => new(
        (int)((now - _startNanos) / Clock.NanosPerSecond),
        DateTime.UtcNow,
        (now - _lastNanos) / (double)Clock.NanosPerSecond,
        thread,
        crew.Workers.Count);
}
