using System.Collections.Concurrent;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;
using PerfHub.Upstream;

namespace PerfHub;

/// <summary>The threads of a hub, connected by rings: session threads serve consumers, source threads keep the items of sources.</summary>
internal sealed class HubThreads
{
    private static readonly ConnectionCounters OfConnections = new(HubCounter.Schema, ConnectionFigure.Counters);

    private readonly HubSettings _settings;
    private readonly ConsumerThread[] _sessions;
    private readonly UpstreamThread[] _sources;
    private readonly Dictionary<string, UpstreamThread> _hostsByService = [];
    private int _upstreams;

    /// <param name="settings">The settings that all consumer connections share.</param>
    /// <param name="sourceSettings">The settings that all source threads share.</param>
    /// <param name="sessionWorkers">One worker for each session thread, numbered from 0.</param>
    /// <param name="sourceWorkers">
    /// One worker for each source thread; those of the session threads, in their order, when these read the sources too.
    /// </param>
    public HubThreads(HubSettings settings, SourceSettings sourceSettings, IReadOnlyList<Worker> sessionWorkers,
        IReadOnlyList<Worker> sourceWorkers)
    {
        _settings = settings;
        (SessionWorkers, SourceWorkers) = (sessionWorkers, sourceWorkers);
        _sessions = [.. sessionWorkers.Select((worker, i) => new ConsumerThread(i, worker, settings))];
        SleepFlag[] flags = [.. _sessions.Select(session => session.Flag)];
        _sources = [.. sourceWorkers.Select((worker, i) => new UpstreamThread(i, worker, sourceSettings, flags))];
        for (int i = 0; i < _sources.Length; i++)
            sourceWorkers[i].Task = _sources[i];
        for (int i = 0; i < _sessions.Length; i++)
            sessionWorkers[i].Task = IsShared(i) ? new SharedThread(_sources[i], _sessions[i]) : _sessions[i];
        Join();
        settings.Services.OnChanged = () => Array.ForEach(_sessions, session => session.Flag.WakeSleeper());
    }

    /// <summary>Creates the recording of a worker of either kind.</summary>
    /// <param name="onNotice">Receives the worker's notices; null keeps them until they are read.</param>
    /// <param name="roundTrips">True to measure the hub's round trips with its peers, too.</param>
    public static WorkerRecording CreateRecording(Action<Notice>? onNotice = null, bool roundTrips = false)
    {
        WorkerRecording recording = new(HubCounter.Schema, onNotice: onNotice) { ConnectionCounters = OfConnections };
        recording.Measure(Series.Through, LatencyUnit.Microseconds);
        if (roundTrips)
            recording.Measure(Series.RoundTrips, LatencyUnit.Nanoseconds);
        return recording;
    }

    public IReadOnlyList<Worker> SessionWorkers { get; }

    /// <summary>The workers that read sources: non-interactive providers are distributed over them.</summary>
    public IReadOnlyList<Worker> SourceWorkers { get; }

    /// <summary>
    /// Adds an interactive source on the next source thread in turn. A further source for the same service goes to that service's thread, where it is
    /// its standby. Before the threads run.
    /// </summary>
    public void AddUpstream(UpstreamOptions upstream)
    {
        UpstreamThread? host = null;
        if (upstream.ServiceName is null || !_hostsByService.TryGetValue(upstream.ServiceName, out host))
            host = _sources[_upstreams++ % _sources.Length];
        if (upstream.ServiceName is { } service)
            _hostsByService[service] = host;
        host.Add(new UpstreamSource(host, upstream));
    }

    /// <summary>Adds services without a source: they are up at once, with every item that is requested. Before the threads run.</summary>
    public void AddServices(IEnumerable<ServiceOffer> services)
    {
        NoSource source = new();
        _sources[0].Add(source);
        _sources[0].Items.Offer(
            [.. services.Select(service =>
                new HubService { Offer = service, UpstreamIndex = 0, Owner = source, Dictionary = _settings.OwnDictionary, PassesOn = false })],
            source);
    }

    /// <summary>Creates the handler of a consumer's connection; where one port serves both, also of a provider's.</summary>
    /// <param name="worker">One of the session workers.</param>
    public HubSession CreateConsumer(Worker worker) => new(_sessions[worker.Options.Number]);

    /// <summary>Creates the handler of a connection on the port for non-interactive providers.</summary>
    /// <param name="worker">One of the source workers.</param>
    public PublisherConnection CreatePublisher(Worker worker) => new(_sources[worker.Options.Number].Routes, _settings.Offer);

    /// <summary>Wakes all threads.</summary>
    public void Wake()
    {
        foreach (Worker worker in SessionWorkers.Union(SourceWorkers))
            worker.Wake();
    }

    /// <summary>Releases their connections, caches and rings; their recordings are kept. After the threads have ended.</summary>
    public void Release()
    {
        foreach (Worker worker in SessionWorkers) // not the union of both: memory may be used up
            worker.Release();
        foreach (Worker worker in SourceWorkers)
            worker.Release(); // without effect on one that is of both
    }

    /// <summary>Queries each thread for its connection with the most memory. Not on one of these threads.</summary>
    /// <param name="limit">How long the threads may take to answer; a late one counts as having no connection.</param>
    public IReadOnlyList<HubShare> FindGreatest(TimeSpan limit)
    {
        long items = SourceWorkers.Sum(worker => worker.Recording[HubGauge.Items]);
        long itemBytes = SourceWorkers.Sum(worker => worker.Recording[HubGauge.ItemBytes]) / Math.Max(items, 1);
        ConcurrentBag<HubShare> shares = [];
        CountdownEvent answers = new(_sessions.Length + _sources.Length);
        void Ask(Worker worker, Func<HubShare> find) => worker.Poller.Run(_ =>
        {
            shares.Add(find());
            answers.Signal();
        });
        Array.ForEach(_sessions, session => Ask(session.Worker, () => session.FindGreatest(itemBytes)));
        Array.ForEach(_sources, source => Ask(source.Worker, source.FindGreatest));
        answers.Wait(limit); // not disposed: a late answer may still arrive
        return [.. shares];
    }

    // The rings of session threads come first: source threads know them by their numbers.
    private void Join()
    {
        ItemOwners owners = new(_sources.Length);
        foreach (ConsumerThread session in _sessions)
            session.Link(_sources);
        foreach (UpstreamThread source in _sources)
            source.Routes = Route(source.Worker, source, owners, _sources.Select(to => to == source ? null : to.AddInput(source.Flag)));
        foreach (ConsumerThread session in _sessions)
        {
            session.Routes = IsShared(session.Number)
                ? _sources[session.Number].Routes : Route(session.Worker, null, owners, session.ToSources);
        }
    }

    private PublisherRoutes Route(Worker worker, UpstreamThread? local, ItemOwners owners, IEnumerable<RingSender?> senders) =>
        new(worker, local, [.. senders])
        {
            Services = _settings.Services,
            Owners = owners,
            OpenLimit = _settings.OpenLimit,
            Dictionary = _settings.OwnDictionary,
        };

    private bool IsShared(int number) => number < _sources.Length && _sources[number].Worker == _sessions[number].Worker;
}
