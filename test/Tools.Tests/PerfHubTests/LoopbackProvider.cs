using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Tools.Tests.Replay;

namespace Tools.Tests.PerfHubTests;

/// <summary>A provider of numbers on loopback, with a separate thread.</summary>
internal sealed class LoopbackProvider : IDisposable
{
    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(5);

    private readonly Worker _worker;
    private readonly WorkerListener _listener;
    private readonly TurnThread _turns;
    private readonly CancellationTokenSource _ending = new();
    private readonly TestThread _accepting;

    public LoopbackProvider(string service, int tickRate = 1_000, ListenOptions? listen = null)
    {
        _listener = new WorkerListener((listen ?? new ListenOptions { Port = 0 }) with { Port = 0, OutputBuffers = 100_000 });
        _worker = new Worker(new WorkerOptions { TickRate = tickRate }, new WorkerRecording());
        _turns = new TurnThread(_worker);
        _accepting = new TestThread(() => Accept(service));
        _accepting.Start();
    }

    public int Port => _listener.Port;

    /// <summary>How to connect to it over plain TCP.</summary>
    public ConnectOptions Address => new() { Host = "127.0.0.1", Port = Port, OutputBuffers = 100_000 };

    public void Dispose()
    {
        _ending.Cancel();
        _accepting.Join();
        _turns.Dispose();
        _worker.Dispose();
        _listener.Dispose();
        _ending.Dispose();
    }

    private void Accept(string service)
    {
        while (!_ending.IsCancellationRequested)
            _listener.Accept(Wait, [_worker], _ => Create(service), _ending.Token);
    }

    private static ProviderSession Create(string service)
    {
        NumberProvider handler = new(service);
        return new ProviderSession(new ProviderSessionOptions { Service = handler.Describe(), Dictionary = FieldDictionary.Default },
            handler);
    }
}
