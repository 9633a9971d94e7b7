using System.Diagnostics;
using HubPerf;
using HubPerf.Delivery;
using HubPerf.Sources;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.Hub;

/// <summary>A hub over memory, with one thread of each kind, whose turns the test gives; providers and consumers beside it.</summary>
internal sealed class MemoryHub : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    private readonly MemoryNetwork _network = new(TimeSource.System);
    private readonly WorkerListener _consumerPort;
    private readonly WorkerListener _publisherPort;
    private readonly Dictionary<int, (RsslListener Listener, Worker Worker, Func<NumberProvider> Create)> _providers = [];
    private readonly List<Worker> _clients = [];
    private readonly HubThreads _threads;

    public MemoryHub(HubPerfOptions? options = null)
    {
        HubPerfOptions asked = options ?? new();
        Sessions = CreateWorker(asked);
        Sources = CreateWorker(asked);
        _consumerPort = new WorkerListener(asked.Connection.Server with { Port = 101 }, _network);
        _publisherPort = new WorkerListener(asked.Connection.Server with { Port = 102 }, _network);
        HubSettings settings = HubPerfRole.CreateSettings(asked, FieldDictionary.Default);
        _threads = new HubThreads(settings, [Sessions], [Sources], asked.Uncached, asked.IsCaching);
        _threads.AddServices(asked.Services.Select(service => new ServiceOffer { Name = service.Name, Id = service.Id }));
    }

    /// <summary>The worker of the session thread.</summary>
    public Worker Sessions { get; }

    /// <summary>The worker of the source thread.</summary>
    public Worker Sources { get; }

    public CounterSet SessionCounts => Sessions.Recording.Counters;

    public CounterSet SourceCounts => Sources.Recording.Counters;

    /// <summary>Adds an interactive provider on a port, and the hub's way to it.</summary>
    public void AddProvider(int port, Func<NumberProvider> create, string? onlyService = null)
    {
        StartProvider(port, create);
        ConnectOptions connect = new() { Host = MemoryNetwork.Host, Port = port, OutputBuffers = 100_000 };
        _threads.AddUpstream(new UpstreamOptions(connect, onlyService, LoginIdentity.OfThisProcess(), FieldDictionary.Default));
    }

    /// <summary>Has somebody listen on a provider's port.</summary>
    public void StartProvider(int port, Func<NumberProvider> create) =>
        _providers[port] = (RsslListener.Bind(new ListenOptions { Port = port, OutputBuffers = 100_000 }, _network), new Worker(new WorkerOptions(), new WorkerRecording(), _network), create);

    /// <summary>Ends a provider at once; its port is free again.</summary>
    public void KillProvider(int port)
    {
        (RsslListener listener, Worker worker, _) = _providers[port];
        _providers.Remove(port);
        listener.Dispose();
        worker.Dispose();
    }

    /// <summary>Connects something to the hub's port for consumers, or to that for providers.</summary>
    /// <returns>Its worker, which takes part in the turns.</returns>
    public Worker Connect(Connection connection, bool asPublisher = false)
    {
        Worker worker = new(new WorkerOptions(), new WorkerRecording(), _network);
        worker.Connect(connection, new ConnectOptions { Host = MemoryNetwork.Host, Port = asPublisher ? _publisherPort.Port : _consumerPort.Port, OutputBuffers = 100_000 });
        _clients.Add(worker);
        return worker;
    }

    /// <summary>Connects a consumer of a list of items.</summary>
    public ConsumerSession Consume(ConsumerHandler handler, string service, IEnumerable<string> items, bool isSnapshot = false)
    {
        ConsumerSession session = new(
            new ConsumerSessionOptions { ServiceName = service, Items = ItemList.Create(items), Dictionary = FieldDictionary.Default, Snapshot = isSnapshot }, handler);
        Connect(session);
        return session;
    }

    /// <summary>Leaves a client without turns: it reads no more.</summary>
    public void Stop(Connection connection) => _clients.Remove(connection.Worker);

    public void Resume(Connection connection) => _clients.Add(connection.Worker);

    /// <summary>Gives everybody a turn.</summary>
    public void Turn()
    {
        foreach ((RsslListener listener, Worker worker, Func<NumberProvider> create) in _providers.Values.ToArray())
        {
            while (listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
            {
                NumberProvider handler = create();
                worker.Serve(accepted, new ProviderSession(new ProviderSessionOptions { Service = handler.Describe(), Dictionary = FieldDictionary.Default }, handler));
            }

            worker.Turn(0);
        }

        _consumerPort.Accept(TimeSpan.Zero, [Sessions], _threads.CreateConsumer, CancellationToken.None);
        _publisherPort.Accept(TimeSpan.Zero, [_threads.PublisherWorker], _ => _threads.CreatePublisher(), CancellationToken.None);
        Sources.Turn(0);
        Sessions.Turn(0);
        foreach (Worker client in _clients.ToArray())
            client.Turn(0);
    }

    /// <summary>Gives everybody turns until a condition holds.</summary>
    public void Until(Func<bool> condition, Func<string>? describe = null)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held: {describe?.Invoke()}");
            Turn();
        }
    }

    public void Turns(int count)
    {
        for (int i = 0; i < count; i++)
            Turn();
    }

    public void Dispose()
    {
        foreach (int port in _providers.Keys.ToArray())
            KillProvider(port);
        foreach (Worker worker in _clients.Append(Sessions).Append(Sources))
            worker.Dispose();
        _consumerPort.Dispose();
        _publisherPort.Dispose();
    }

    private Worker CreateWorker(HubPerfOptions options) => new(new WorkerOptions(), HubPerfRole.CreateRecording(options), _network);
}
