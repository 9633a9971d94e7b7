using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>Collects what the workers counted: at intervals while they run, and finally. Main thread only.</summary>
internal sealed class Collector : IDisposable
{
    private const long AnswerNanos = Clock.NanosPerSecond / 2;
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(1);

    private readonly IReadOnlyList<TransportWorker> _workers;
    private readonly ProcessSampler _sampler;
    private readonly ManualResetEventSlim _never = new();
    private readonly TransportCounts[] _last;
    private readonly long _startNanos;
    private long _lastNanos;

    public Collector(IReadOnlyList<TransportWorker> workers, long startNanos)
    {
        _workers = workers;
        _startNanos = startNanos;
        _lastNanos = startNanos;
        _last = new TransportCounts[workers.Count];
        _sampler = new ProcessSampler(startNanos);
    }

    /// <summary>Processor and memory samples so far.</summary>
    public ResourceStatistics Resources { get; } = new();

    /// <summary>Negative latencies so far: the clocks of the two sides differ.</summary>
    public long NegativeLatencies { get; private set; }

    /// <summary>The interval since the last collection, of each worker, while the workers run.</summary>
    public IReadOnlyList<TransportInterval> Collect()
    {
        foreach (TransportWorker worker in _workers)
        {
            worker.Counts.Request();
            worker.Latency.RequestInterval();
            worker.SendLag.RequestInterval();
            worker.Poller.Wake();
        }

        (long nowNanos, ProcessSample process) = Sample();
        long untilNanos = nowNanos + AnswerNanos;
        return [.. _workers.Select((worker, i) => Answer(worker, i, untilNanos, nowNanos, process))];
    }

    /// <summary>The last, partial interval of each worker, after their threads have ended.</summary>
    public IReadOnlyList<TransportInterval> CollectFinally()
    {
        (long nowNanos, ProcessSample process) = Sample();
        return [.. _workers.Select((worker, i) =>
            Interval(i, worker.CountFinally(), worker.Latency.TakeRest(), worker.SendLag.TakeRest(), nowNanos, process))];
    }

    /// <summary>All workers of an interval together.</summary>
    public TransportInterval Combine(IReadOnlyList<TransportInterval> threads)
    {
        if (threads.Count == 1)
            return threads[0];
        LatencyAccumulator latency = new(LatencyUnit.Nanoseconds);
        LatencyAccumulator lag = new(LatencyUnit.Nanoseconds);
        foreach (TransportWorker worker in _workers)
        {
            latency.Add(worker.Latency.LastInterval);
            lag.Add(worker.SendLag.LastInterval);
        }
        return threads[0] with
        {
            Info = threads[0].Info with { Thread = 0 },
            Counts = threads.Aggregate(default(TransportCounts), (sum, interval) => sum + interval.Counts),
            Latency = latency.Figures(),
            SendLag = lag.Figures(),
        };
    }

    /// <summary>What workers measured in the whole run, after their threads have ended.</summary>
    /// <param name="workers">One of them, or all.</param>
    /// <param name="endNanos">When the end began: the last moment of a connection that was still open then.</param>
    public static TransportFigures Total(IReadOnlyList<TransportWorker> workers, long endNanos)
    {
        LatencyAccumulator latency = new(LatencyUnit.Nanoseconds);
        LatencyAccumulator lag = new(LatencyUnit.Nanoseconds);
        foreach (TransportWorker worker in workers)
        {
            worker.Latency.AddWholeTo(latency);
            worker.SendLag.AddWholeTo(lag);
        }
        return new TransportFigures
        {
            ConnectedSeconds = ConnectedSeconds(workers, endNanos),
            Counts = workers.Aggregate(default(TransportCounts), (sum, worker) => sum + worker.CountFinally()),
            Latency = latency.Figures(),
            SendLag = lag.Figures(),
        };
    }

    public void Dispose()
    {
        _sampler.Dispose();
        _never.Dispose();
    }

    private static double ConnectedSeconds(IReadOnlyList<TransportWorker> workers, long endNanos)
    {
        TransportWorker[] connected = [.. workers.Where(worker => worker.FirstConnectedNanos > 0)];
        if (connected.Length == 0)
            return 0;
        long last = connected.Max(worker => worker.LastConnectedNanos > 0 ? worker.LastConnectedNanos : endNanos);
        return (last - connected.Min(worker => worker.FirstConnectedNanos)) / (double)Clock.NanosPerSecond;
    }

    private (long NowNanos, ProcessSample Process) Sample()
    {
        long nowNanos = Clock.NowNanos;
        ProcessSample process = _sampler.Sample(nowNanos);
        Resources.Add(process);
        return (nowNanos, process);
    }

    private TransportInterval Answer(TransportWorker worker, int index, long untilNanos, long nowNanos, in ProcessSample process)
    {
        LatencyFigures latency = default;
        LatencyFigures lag = default;
        TransportCounts counts = default;
        while (!worker.Counts.TryTake(out counts))
        {
            // a worker answers within its turn; one that is stalled keeps its interval for the next collection
            if (Clock.NowNanos > untilNanos)
                return Interval(index, _last[index], latency, lag, nowNanos, process);
            _never.Wait(Poll);
        }
        // a worker hands the series over in the same turn, before its counts
        worker.Latency.TryTakeInterval(out latency);
        worker.SendLag.TryTakeInterval(out lag);
        return Interval(index, counts, latency, lag, nowNanos, process);
    }

    private TransportInterval Interval(
        int index, in TransportCounts counts, in LatencyFigures latency, in LatencyFigures lag, long nowNanos, in ProcessSample process)
    {
        TransportInterval interval = new()
        {
            Info = new CollectionInfo(
                (int)Math.Round((nowNanos - _startNanos) / (double)Clock.NanosPerSecond), DateTime.UtcNow,
                (nowNanos - _lastNanos) / (double)Clock.NanosPerSecond, index + 1, _workers.Count),
            Counts = counts - _last[index],
            Latency = latency,
            SendLag = lag,
            Process = process,
        };
        NegativeLatencies += latency.NegativeCount;
        _last[index] = counts;
        if (index == _workers.Count - 1)
            _lastNanos = nowNanos;
        return interval;
    }
}
