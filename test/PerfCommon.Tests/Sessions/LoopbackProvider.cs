using PerfCommon.Load;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A provider on loopback like ProvPerf: workers with a thread each, and a thread that accepts for them.</summary>
internal sealed class LoopbackProvider : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly WorkerListener _listener = new(new ListenOptions { Port = 0, MaxHandshakes = 1_000, HandshakeTimeoutSeconds = 60 });
    private readonly Worker[] _workers;
    private readonly List<WorkerThread> _threads = [];
    private readonly List<ProviderSession> _sessions = [];
    private readonly CancellationTokenSource _stop = new();

    /// <param name="workers">Number of workers.</param>
    /// <param name="updates">Updates sent on each connection.</param>
    /// <param name="tickRate">Ticks a second.</param>
    public LoopbackProvider(int workers, BurstPlan updates, int tickRate)
    {
        _workers = [.. Enumerable.Range(0,
            workers).Select(i => new Worker(new WorkerOptions { TickRate = tickRate, Number = i }, new WorkerRecording()))];
        foreach (Worker worker in _workers)
            _threads.Add(new WorkerThread("provider", ThreadBinding.Unbound, () => worker.Run()));
        _threads.Add(new WorkerThread("acceptor", ThreadBinding.Unbound, () => Accept(updates)));
    }

    public int Port => _listener.Port;

    public IReadOnlyList<Worker> Workers => _workers;

    /// <summary>The sessions, in the order in which the connections arrived.</summary>
    public IReadOnlyList<ProviderSession> Sessions
    {
        get
        {
            lock (_sessions)
                return [.. _sessions];
        }
    }

    public long Count(Counter counter) => _workers.Sum(worker => worker.Recording.Counters[counter]);

    /// <summary>Ends every connection in order.</summary>
    public void End()
    {
        Finish();
        Assert.All(_threads, thread => Assert.True(thread.Join(Limit)));
        Assert.All(_threads, thread => Assert.Null(thread.Defect));
    }

    public void Dispose()
    {
        Finish();
        _threads.ForEach(thread => thread.Join(Limit));
        Array.ForEach(_workers, worker => worker.Dispose());
        _listener.Dispose();
        _stop.Dispose();
    }

    private void Finish()
    {
        _stop.Cancel();
        Array.ForEach(_workers, worker => worker.RequestEnd());
    }

    private void Accept(BurstPlan updates)
    {
        while (!_stop.IsCancellationRequested)
            _listener.Accept(TimeSpan.FromMilliseconds(50), _workers, _ => Create(updates), _stop.Token);
    }

    private ProviderSession Create(BurstPlan updates)
    {
        ProviderSession session = new(SessionSamples.Provider, new SampleLoad(updates));
        lock (_sessions)
            _sessions.Add(session);
        return session;
    }
}
