using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub;
using PerfHub.Consumers;
using PerfHub.Memory;
using PerfHub.Notices;
using PerfHub.Services;
using PerfHub.Upstream;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace HubPerf;

/// <summary>HubPerf's part of a run: accepts consumers and providers until its run time elapses or a signal arrives.</summary>
internal sealed class HubPerfRole : ToolRole
{
    private readonly HubPerfOptions _options;
    private readonly HubMemory _memory;
    private HubThreads _threads;
    private HubRelief? _relief;
    private readonly WorkerListener _listener;
    private readonly WorkerListener? _niListener; // null: one port for both
    private long _endNanos = long.MaxValue;

    private HubPerfRole(HubPerfOptions options, FieldDictionary dictionary, WorkerListener listener, WorkerListener? niListener)
        : base(CreateWorkers(options), HubPerfReport.Create(options))
    {
        (_options, _listener, _niListener) = (options, listener, niListener);
        Worker[] sessions = [.. Workers.Take(options.SessionThreads)];
        Worker[] sources = options.SourceThreads == 0 ? sessions : [.. Workers.Skip(options.SessionThreads)];
        HubSettings settings = CreateSettings(options, dictionary);
        Settings = HubPerfSettings.Create(options, settings.Tuning);
        _threads = new HubThreads(settings, CreateSourceSettings(options, settings), sessions, sources);
        _relief = new HubRelief(settings.Memory, _threads);
        _memory = settings.Memory;
        _threads.AddServices(options.Services.Select(service => service.Describe()));
        AddUpstreams(dictionary);
    }

    public override bool IsReportedAsOne => true;

    public override RoleSettings Settings { get; }

    public override IMemoryRelief? MemoryRelief => _relief;

    public override bool GivesMemoryBack => true;

    public override long? EndNanos => _options.RunSeconds == 0 ? null : _endNanos;

    public override IReadOnlyDictionary<NoticeKind, string> OptionsOfNotices { get; } = new Dictionary<NoticeKind, string>(OptionsOfConnections)
    {
        [HubNotices.SlowConsumer] = "-maxQueue",
        [HubNotices.TooManyItems] = "-openLimit",
        [HubNotices.TooManyFields] = "-maxFields",
    };

    public override IEnumerable<string> Notes => _options.Connection.SummaryNotes;

    /// <summary>Loads the inputs and binds the ports.</summary>
    /// <exception cref="SetupException">An input file cannot be used, or a port cannot be bound.</exception>
    public static HubPerfRole Create(HubPerfOptions options)
    {
        FieldDictionary dictionary = FoundDictionary.Load(options.Session);
        ListenOptions listen = options.Connection.ForServer("HubPerf");
        WorkerListener listener = new(listen);
        return new HubPerfRole(options, dictionary, listener,
            options.HasOnePort ? null : BindSecond(listen with { Port = options.NiPort }, listener));
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        HubWarmUp.Run(publishedFirst: true);
        console.WriteLine($"Listening on port {_listener.Port}");
        if (_niListener is not null)
            console.WriteLine($"Listening for providers on port {_niListener.Port}");
        _endNanos = Clock.NowNanos + (_options.RunSeconds * Clock.NanosPerSecond);
    }

    public override void RunTurn(TimeSpan limit, CancellationToken stop)
    {
        _listener.Accept(limit, _threads.SessionWorkers, _threads.CreateConsumer, stop);
        _niListener?.Accept(TimeSpan.Zero, _threads.SourceWorkers, _threads.CreatePublisher, stop);
    }

    public override RunOutcome? FindEnd(long nowNanos) =>
        _options.RunSeconds > 0 && nowNanos >= _endNanos ? new RunOutcome(ExitCode.Success, "run time expired") : null;

    public override RunOutcome Complete(RunOutcome outcome) =>
        Workers.Any(worker => worker.Recording.AnyBroken) ? outcome with { NotComparableReason = "a connection broke" } : outcome;

    public override void StopKeeping() => _memory.End();

    // Releases the cache, the rings and all connections; only the threads' recordings are kept.
    public override void Release()
    {
        foreach (Worker worker in Workers)
            worker.Release();
        _relief = null;
        _threads = null!;
    }

    public override void Dispose()
    {
        _listener.Dispose();
        _niListener?.Dispose();
        base.Dispose();
    }

    /// <summary>Creates the recording of a worker of either kind.</summary>
    internal static WorkerRecording CreateRecording(HubPerfOptions options) =>
        HubThreads.CreateRecording(roundTrips: options.Session.RoundTrips);

    /// <summary>Creates the settings that all consumer connections share.</summary>
    internal static HubSettings CreateSettings(HubPerfOptions options, FieldDictionary dictionary) => new()
    {
        Services = new ServiceTable(domains: options.Domains),
        Domains = options.Domains,
        Offer = HubSettings.CreateOffer("HubPerf", options.Session.RoundTrips),
        OwnDictionary = new DictionaryProvider(dictionary),
        Tuning = options.CreateTuning(),
        Packing = new Packing(options.MaxPackCount, options.PackBufferBytes),
        MaxQueueBytes = options.MaxQueueBytes,
        HoldBytes = Math.Min(options.Connection.Server.EffectiveHighWaterMark(recordBytes: 0), options.MaxQueueBytes),
        Slow = options.Slow,
        TakesPublishers = options.HasOnePort,
        OpenLimit = options.OpenLimit,
        MaxFields = options.MaxFields,
    };

    /// <summary>Creates the settings that all source threads share.</summary>
    internal static SourceSettings CreateSourceSettings(HubPerfOptions options, HubSettings settings) => settings.CreateSourceSettings() with
    {
        Uncached = options.Uncached,
        IsCaching = options.IsCaching,
        KeepImagesNanos = options.KeepImagesSeconds * Clock.NanosPerSecond,
    };

    private void AddUpstreams(FieldDictionary dictionary)
    {
        LoginIdentity identity = new()
        {
            UserName = Environment.UserName,
            ApplicationName = "HubPerf",
            Position = LoginPosition.FindLocal(),
            SingleOpen = false,
            RoundTripLatency = _options.Session.RoundTrips,
        };
        foreach (UpstreamAddress address in _options.Upstreams)
            _threads.AddUpstream(new UpstreamOptions(_options.ForUpstream(address), address.Service, identity, dictionary));
    }

    // Each kind of thread has its own numbering.
    private static IReadOnlyList<Worker> CreateWorkers(HubPerfOptions options) =>
        [.. CreateWorkers(options, options.SessionThreads), .. CreateWorkers(options, options.SourceThreads)];

    private static IEnumerable<Worker> CreateWorkers(HubPerfOptions options, int count) => Enumerable.Range(0, count).Select(number =>
        new Worker(new WorkerOptions { Number = number, BusyRead = options.Run.BusyRead }, CreateRecording(options), network: null));

    private static WorkerListener BindSecond(ListenOptions listen, WorkerListener first)
    {
        try
        {
            return new WorkerListener(listen);
        }
        catch
        {
            first.Dispose();
            throw;
        }
    }
}
