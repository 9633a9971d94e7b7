using HubPerf.Delivery;
using HubPerf.Rings;
using HubPerf.Services;
using HubPerf.Sources;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace HubPerf;

/// <summary>The threads of a hub, joined by rings: those that serve consumers, and those that have the items of sources.</summary>
internal sealed class HubThreads
{
    private readonly HubSettings _settings;
    private readonly SessionHost[] _sessions;
    private readonly SourceHost[] _sources;
    private readonly Dictionary<string, SourceHost> _hostsByService = [];
    private int _upstreams;

    /// <param name="settings">What consumers' connections have in common.</param>
    /// <param name="sessionWorkers">One for each session thread, numbered from 0.</param>
    /// <param name="sourceWorkers">One for each source thread; those of the session threads, in their order, when these read the sources
    /// too.</param>
    /// <param name="uncached">What stands for an item that no non-interactive provider has published.</param>
    /// <param name="isCaching">False gives each watcher a stream of its own at the source.</param>
    public HubThreads(
        HubSettings settings, IReadOnlyList<Worker> sessionWorkers, IReadOnlyList<Worker> sourceWorkers, UncachedAnswer uncached = default,
        bool isCaching = true)
    {
        _settings = settings;
        (SessionWorkers, SourceWorkers) = (sessionWorkers, sourceWorkers);
        _sessions = [.. sessionWorkers.Select((worker, i) => new SessionHost(i, worker, settings))];
        SleepFlag[] flags = [.. _sessions.Select(session => session.Flag)];
        _sources = [.. sourceWorkers.Select((worker, i) => new SourceHost(i, worker, settings.Services, flags, uncached)
        {
            IsCaching = isCaching,
            Tuning = settings.Tuning,
        })];
        for (int i = 0; i < _sources.Length; i++)
            sourceWorkers[i].Task = _sources[i];
        for (int i = 0; i < _sessions.Length; i++)
            sessionWorkers[i].Task = IsShared(i) ? new SharedThread(_sources[i], _sessions[i]) : _sessions[i];
        Join();
        settings.Services.OnChanged = () => Array.ForEach(_sessions, session => session.Flag.WakeSleeper());
    }

    public IReadOnlyList<Worker> SessionWorkers { get; }

    /// <summary>Those that read sources: non-interactive providers are shared out over them.</summary>
    public IReadOnlyList<Worker> SourceWorkers { get; }

    /// <summary>
    /// Adds an interactive source, on the next source thread in turn, or on that of another for the same service, for which it stands by.
    /// Before the threads run.
    /// </summary>
    public void AddUpstream(UpstreamOptions upstream)
    {
        SourceHost? host = null;
        if (upstream.ServiceName is null || !_hostsByService.TryGetValue(upstream.ServiceName, out host))
            host = _sources[_upstreams++ % _sources.Length];
        if (upstream.ServiceName is { } service)
            _hostsByService[service] = host;
        host.Add(new UpstreamSource(host, upstream));
    }

    /// <summary>Adds services without a source: up at once, and everything in them is there. Before the threads run.</summary>
    public void AddServices(IEnumerable<ServiceOffer> services)
    {
        NoSource source = new();
        _sources[0].Add(source);
        foreach (ServiceOffer service in services)
        {
            _sources[0].Offer(new HubService { Offer = service, SourceHost = 0, Owner = source, Dictionary = _settings.OwnDictionary },
                source);
        }
    }

    /// <summary>What serves a consumer's connection; where one port serves both, also a provider's.</summary>
    /// <param name="worker">One of the session workers.</param>
    public HubSession CreateConsumer(Worker worker) => new(_sessions[worker.Options.Number]);

    /// <summary>What serves a connection on the port for non-interactive providers.</summary>
    /// <param name="worker">One of the source workers.</param>
    public PublisherConnection CreatePublisher(Worker worker) => new(_sources[worker.Options.Number].Routes, _settings.Offer);

    // The rings of session threads come first: source threads know them by their numbers.
    private void Join()
    {
        ItemOwners owners = new(_sources.Length);
        foreach (SessionHost session in _sessions)
            session.Link(_sources);
        foreach (SourceHost source in _sources)
            source.Routes = Route(source.Worker, source, owners, _sources.Select(to => to == source ? null : to.AddInput(source.Flag)));
        foreach (SessionHost session in _sessions)
        {
            session.Routes = IsShared(session.Number)
                ? _sources[session.Number].Routes : Route(session.Worker, null, owners, session.ToSources);
        }
    }

    private PublisherRoutes Route(Worker worker, SourceHost? local, ItemOwners owners, IEnumerable<RingSender?> senders) =>
        new(worker, local, [.. senders])
        {
            Services = _settings.Services,
            Owners = owners,
            Dictionary = _settings.OwnDictionary,
        };

    private bool IsShared(int number) => number < _sources.Length && _sources[number].Worker == _sessions[number].Worker;
}
