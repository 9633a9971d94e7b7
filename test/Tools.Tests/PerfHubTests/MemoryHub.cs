using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using HubPerf;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub;
using PerfHub.Consumers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// A hub over memory, with one or more threads of each kind, or one for both, whose turns the test gives; with its providers and consumers.
/// </summary>
internal sealed class MemoryHub : IDisposable
{
    /// <summary>What passes between two turns.</summary>
    public const long TurnNanos = Clock.NanosPerMilli;

    private const int ConsumersPort = 101;
    private const int ProvidersPort = 102;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly TimeSource _time = TimeSource.StartAt(Clock.NanosPerSecond);
    private readonly MemoryNetwork _network;
    private readonly HubPerfOptions _options;
    private readonly int _sessionThreads;
    private readonly int _sourceThreads;
    private readonly List<UpstreamOptions> _upstreams = [];
    private readonly Dictionary<int, (RsslListener Listener, Worker Worker, Func<Connection> Create)> _providers = [];
    private readonly List<Worker> _clients = [];
    private readonly HashSet<Worker> _stopped = [];
    private WorkerListener _consumerPort;
    private WorkerListener _publisherPort;
    private HubThreads _threads;

    /// <param name="options">Whether the session threads read the sources, and all else but the number of threads.</param>
    /// <param name="sessionThreads">Threads that serve consumers.</param>
    /// <param name="sourceThreads">Threads that read sources, where there are any.</param>
    /// <param name="memory">Says when there is no room for more; null for what the system says.</param>
    public MemoryHub(HubPerfOptions? options = null, int sessionThreads = 1, int sourceThreads = 1, HubMemory? memory = null)
    {
        _network = new(_time);
        Memory = memory ?? new();
        (_options, _sessionThreads, _sourceThreads) = (options ?? new(), sessionThreads, sourceThreads);
        Start();
    }

    /// <summary>The worker of the session thread; of several the first.</summary>
    public Worker Sessions => SessionWorkers[0];

    /// <summary>The worker of the source thread, of several the first; that of the session thread where it reads the source.</summary>
    public Worker Sources => SourceWorkers[0];

    public IReadOnlyList<Worker> SessionWorkers { get; private set; }

    public IReadOnlyList<Worker> SourceWorkers { get; private set; }

    private IEnumerable<Worker> Workers => SourceWorkers.Union(SessionWorkers);

    /// <summary>What may be changed while it runs.</summary>
    public HubTuning Tuning { get; private set; } = new();

    /// <summary>Says when there is no room for more.</summary>
    public HubMemory Memory { get; }

    public ServiceTable Services { get; private set; }

    /// <summary>The hub's side of each connection to its port for consumers, in the order of their numbers where none has ended.</summary>
    public List<HubSession> Accepted { get; } = [];

    public HubThreads Threads => _threads;

    public long NowNanos => _time.NowNanos;

    public CounterSet SessionCounts => Sessions.Recording.Counters;

    public CounterSet SourceCounts => Sources.Recording.Counters;

    /// <summary>What all threads of the hub counted.</summary>
    public long Count(Counter counter) => Workers.Sum(worker => worker.Recording.Counters[counter]);

    /// <summary>What there is at all threads.</summary>
    public long Read(Gauge gauge) => Workers.Sum(worker => worker.Recording[gauge]);

    /// <summary>Adds an interactive provider on a port, and the hub's way to it.</summary>
    public void AddProvider(int port, Func<NumberProvider> create, string? onlyService = null) =>
        AddProvider(port, () => CreateProvider(create()), onlyService);

    /// <inheritdoc cref="AddProvider(int, Func{NumberProvider}, string?)"/>
    public void AddProvider(int port, Func<Connection> create, string? onlyService = null)
    {
        StartProvider(port, create);
        ConnectOptions connect = new() { Host = MemoryNetwork.Host, Port = port, OutputBuffers = 100_000 };
        _upstreams.Add(new UpstreamOptions(connect, onlyService, LoginIdentity.OfThisProcess(), FieldDictionary.Default));
        _threads.AddUpstream(_upstreams[^1]);
    }

    /// <summary>Starts a provider on a port.</summary>
    public void StartProvider(int port, Func<NumberProvider> create) => StartProvider(port, () => CreateProvider(create()));

    /// <inheritdoc cref="StartProvider(int, Func{NumberProvider})"/>
    public void StartProvider(int port, Func<Connection> create) =>
        _providers[port] = (RsslListener.Bind(new ListenOptions { Port = port, OutputBuffers = 100_000 }, _network),
            new Worker(new WorkerOptions(), new WorkerRecording(HubCounter.Schema), _network), create);

    /// <summary>Ends a provider at once; its port is free again.</summary>
    public void KillProvider(int port)
    {
        (RsslListener listener, Worker worker, _) = _providers[port];
        _providers.Remove(port);
        listener.Dispose();
        worker.Dispose();
    }

    /// <summary>Ends the hub at once.</summary>
    public void Kill()
    {
        foreach (Worker worker in Workers)
            worker.Dispose();
        _consumerPort.Dispose();
        _publisherPort.Dispose();
    }

    /// <summary>Has the hub begin anew, on the same ports and with the same sources.</summary>
    [MemberNotNull(nameof(SessionWorkers), nameof(SourceWorkers), nameof(_consumerPort), nameof(_publisherPort), nameof(_threads), nameof(Services))]
    public void Start()
    {
        SessionWorkers = [.. Enumerable.Range(0, _sessionThreads).Select(CreateWorker)];
        SourceWorkers = _options.SourceThreads == 0 ? SessionWorkers : [.. Enumerable.Range(0, _sourceThreads).Select(CreateWorker)];
        _consumerPort = new WorkerListener(_options.Connection.Server with { Port = ConsumersPort }, _network);
        _publisherPort = new WorkerListener(_options.Connection.Server with { Port = ProvidersPort }, _network);
        HubSettings settings = HubPerfRole.CreateSettings(_options, FieldDictionary.Default) with { Memory = Memory };
        Services = settings.Services;
        Tuning = settings.Tuning;
        _threads = new HubThreads(settings, HubPerfRole.CreateSourceSettings(_options, settings), SessionWorkers, SourceWorkers);
        _threads.AddServices(_options.Services.Select(service => service.Describe()));
        _upstreams.ForEach(_threads.AddUpstream);
    }

    /// <summary>Connects something to the hub's port for consumers, or to that for providers.</summary>
    /// <returns>Its worker, which takes part in the turns.</returns>
    public Worker Connect(Connection connection, bool asPublisher = false)
    {
        Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema), _network);
        worker.Connect(connection,
            new ConnectOptions { Host = MemoryNetwork.Host, Port = asPublisher ? ProvidersPort : ConsumersPort, OutputBuffers = 100_000 });
        _clients.Add(worker);
        return worker;
    }

    /// <summary>Connects a peer that sends what the test wants, and logs it in.</summary>
    public TalkingPeer Talk(bool asPublisher = false)
    {
        TalkingPeer peer = new();
        Connect(peer, asPublisher);
        Until(() => peer.IsThere);
        peer.LogIn(asPublisher ? LoginRole.Provider : LoginRole.Consumer);
        Until(() => peer.Answers.Count > 0);
        peer.Answers.Clear();
        return peer;
    }

    /// <summary>Connects a non-interactive provider of numbers.</summary>
    public PublisherSession Publish(NumberPublisher handler, string service, params IEnumerable<string> items)
    {
        PublisherSession session = CreatePublisher(handler, service, items);
        Connect(session, asPublisher: true);
        return session;
    }

    public static PublisherSession CreatePublisher(NumberPublisher handler, string service, params IEnumerable<string> items) =>
        new(new PublisherSessionOptions { Service = new ServiceOffer { Name = service, Id = 9 }, Items = ItemList.Create(items) }, handler);

    /// <summary>Connects a consumer of a list of items.</summary>
    public ConsumerSession Consume(ConsumerHandler handler, string service, IEnumerable<string> items, bool isSnapshot = false)
    {
        ConsumerSession session = CreateConsumer(handler, service, items, isSnapshot);
        Connect(session);
        return session;
    }

    public static ConsumerSession CreateConsumer(ConsumerHandler handler, string service, IEnumerable<string> items,
        bool isSnapshot = false) =>
        new(new ConsumerSessionOptions
        {
            ServiceName = service,
            Items = ItemList.Create(items),
            Dictionary = FieldDictionary.Default,
            Snapshot = isSnapshot
        }, handler);

    /// <summary>Ends the hub in good order.</summary>
    public void End()
    {
        foreach (Worker worker in Workers)
            worker.RequestEnd();
        Until(() => Workers.All(worker => worker.HasEnded));
    }

    /// <summary>Leaves a client without turns: it reads no more.</summary>
    public void Stop(Connection connection) => _clients.Remove(connection.Worker);

    public void Resume(Connection connection) => _clients.Add(connection.Worker);

    /// <summary>Leaves a thread of the hub without turns.</summary>
    public void Stop(Worker thread) => _stopped.Add(thread);

    public void Resume(Worker thread) => _stopped.Remove(thread);

    /// <summary>Advances the time, and gives every worker a turn.</summary>
    public void Turn()
    {
        _time.Advance(TurnNanos);
        foreach ((RsslListener listener, Worker worker, Func<Connection> create) in _providers.Values.ToArray())
        {
            while (listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
                worker.Serve(accepted, create());
            worker.Turn(0);
        }

        _consumerPort.Accept(TimeSpan.Zero, SessionWorkers, CreateConsumer, CancellationToken.None);
        _publisherPort.Accept(TimeSpan.Zero, SourceWorkers, _threads.CreatePublisher, CancellationToken.None);
        foreach (Worker worker in Workers.Where(worker => !_stopped.Contains(worker)))
            worker.Turn(0);
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

    /// <summary>Advances the time without a turn of any worker.</summary>
    public void Pass(long nanos) => _time.Advance(nanos);

    public void Turns(int count)
    {
        for (int i = 0; i < count; i++)
            Turn();
    }

    /// <summary>The sentences of the hub for a person so far.</summary>
    public IReadOnlyList<string> TakeNotices()
    {
        List<string> sentences = [];
        foreach (Worker worker in Workers)
        {
            while (worker.Recording.Notices.TryDequeue(out string sentence))
                sentences.Add(sentence);
        }

        return sentences;
    }

    public void Dispose()
    {
        foreach (int port in _providers.Keys.ToArray())
            KillProvider(port);
        _clients.ForEach(client => client.Dispose());
        Kill();
    }

    private static ProviderSession CreateProvider(NumberProvider handler) => new(
        new ProviderSessionOptions { Service = handler.Describe(), Dictionary = FieldDictionary.Default }, handler);

    private HubSession CreateConsumer(Worker worker)
    {
        Accepted.Add(_threads.CreateConsumer(worker));
        return Accepted[^1];
    }

    private Worker CreateWorker(int number) =>
        new(new WorkerOptions { Number = number }, HubPerfRole.CreateRecording(_options), _network);
}
