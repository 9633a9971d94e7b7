using HubPerf;
using PerfCommon.Domains;
using PerfCommon.Tests;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub;
using PerfHub.Consumers;
using Tools.Tests.Replay;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A hub on loopback with separate threads, as the program has them.</summary>
internal sealed class LoopbackHub : IDisposable
{
    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(5);

    private readonly List<TurnThread> _turns = [];
    private readonly HubPorts _ports;
    private readonly HubThreads _threads;
    private readonly CancellationTokenSource _ending = new();
    private readonly TestThread _accepting;

    public LoopbackHub(HubPerfOptions options, params IReadOnlyList<ConnectOptions> upstreams)
    {
        Sessions = [.. Enumerable.Range(0, options.SessionThreads).Select(i => CreateWorker(options, i))];
        Sources = options.SourceThreads == 0
            ? Sessions : [.. Enumerable.Range(0, options.SourceThreads).Select(i => CreateWorker(options, i))];
        _ports = new HubPorts(options.Connection.ForServer("HubPerf") with { Port = 0 }, publisherPort: 0);
        HubSettings settings = HubPerfRole.CreateSettings(options, FieldDictionary.Default);
        _threads = new HubThreads(settings, HubPerfRole.CreateSourceSettings(options, settings), Sessions, Sources);
        _threads.AddServices(options.Services.Select(service => service.Describe()));
        foreach (ConnectOptions upstream in upstreams)
            _threads.AddUpstream(new(upstream, null, LoginIdentity.OfThisProcess(), FieldDictionary.Default));
        _turns.AddRange(All.Select(worker => new TurnThread(worker)));
        _accepting = new TestThread(Accept, "accepting");
        _accepting.Start();
    }

    public IReadOnlyList<Worker> Sessions { get; }

    public IReadOnlyList<Worker> Sources { get; }

    private IEnumerable<Worker> All => Sessions.Union(Sources);

    /// <summary>The port of consumers.</summary>
    public int Port => _ports.ConsumerPort;

    /// <summary>The port of non-interactive providers.</summary>
    public int ProviderPort => _ports.PublisherPort;

    /// <summary>What all threads of the hub counted.</summary>
    public long Count(Counter counter) => All.Sum(worker => worker.Recording.Counters[counter]);

    /// <summary>What there is at all threads.</summary>
    public long Read(Gauge gauge) => All.Sum(worker => worker.Recording[gauge]);

    /// <summary>Waits until a condition holds.</summary>
    public static void Until(Func<bool> condition, string what) =>
        Assert.True(SpinWait.SpinUntil(condition, TimeSpan.FromSeconds(180)), what);

    public void Dispose()
    {
        _ending.Cancel();
        _accepting.Join();
        foreach (Worker worker in All)
            worker.RequestEnd();
        foreach (TurnThread turns in _turns)
        {
            turns.End();
            Assert.Null(turns.Defect);
        }

        foreach (Worker worker in All)
            worker.Dispose();
        _ports.Dispose();
        _ending.Dispose();
    }

    private static Worker CreateWorker(HubPerfOptions options, int number) =>
        new(new WorkerOptions { Number = number }, HubPerfRole.CreateRecording(options));

    private void Accept()
    {
        while (!_ending.IsCancellationRequested)
            _ports.Accept(Wait, _threads, _ending.Token);
    }
}
