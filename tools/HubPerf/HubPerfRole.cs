using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Measurement;
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
    private readonly HubPorts _ports;
    private long _endNanos = long.MaxValue;

    private HubPerfRole(HubPerfOptions options, FieldDictionary dictionary, HubPorts ports)
        : base(CreateWorkers(options), HubPerfReport.Create(options))
    {
        (_options, _ports) = (options, ports);
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
        HubPorts ports = new(options.Connection.ForServer("HubPerf"), options.HasOnePort ? null : options.NiPort);
        return new HubPerfRole(options, dictionary, ports);
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        RunWarmUp(publishedFirst: true);
        console.WriteLine($"Listening on port {_ports.ConsumerPort}");
        if (!_ports.IsOne)
            console.WriteLine($"Listening for providers on port {_ports.PublisherPort}");
        _endNanos = Clock.NowNanos + (_options.RunSeconds * Clock.NanosPerSecond);
    }

    public override void RunTurn(TimeSpan limit, CancellationToken stop) => _ports.Accept(limit, _threads, stop);

    public override RunOutcome? FindEnd(long nowNanos) =>
        _options.RunSeconds > 0 && nowNanos >= _endNanos ? new RunOutcome(ExitCode.Success, "run time expired") : null;

    public override RunOutcome Complete(RunOutcome outcome) =>
        Workers.Any(worker => worker.Recording.AnyBroken) ? outcome with { NotComparableReason = "a connection broke" } : outcome;

    public override void StopKeeping() => _memory.End();

    // Releases the cache, the rings and all connections; only the threads' recordings are kept.
    public override void Release()
    {
        _threads.Release();
        _relief = null;
        _threads = null!;
    }

    public override void Dispose()
    {
        _ports.Dispose();
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
        Dictionary = dictionary,
        Tuning = options.CreateTuning(),
        MaxPackCount = options.MaxPackCount,
        PackBufferBytes = options.PackBufferBytes,
        MaxQueueBytes = options.MaxQueueBytes,
        HoldBytes = HubSettings.HoldBytesOf(options.Connection.Server, options.MaxQueueBytes),
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

    /// <summary>Runs a hub of the default options for some milliseconds, so that its code is compiled.</summary>
    /// <param name="publishedFirst">Which of its sources is first: two threads that begin differently compile more in parallel.</param>
    /// <returns>Updates that the consumers of both sources received.</returns>
    internal static (long Interactive, long Published) RunWarmUp(bool publishedFirst = false)
    {
        HubPerfOptions options = new();
        HubSettings settings = CreateSettings(options, FieldDictionary.Default);
        return HubWarmUp.Run(settings, CreateSourceSettings(options, settings), publishedFirst);
    }

    private void AddUpstreams(FieldDictionary dictionary)
    {
        LoginIdentity identity = LoginIdentity.OfThisProcess() with
        {
            ApplicationName = "HubPerf",
            SingleOpen = false,
            RoundTripLatency = _options.Session.RoundTrips,
        };
        foreach (UpstreamAddress address in _options.Upstreams)
            _threads.AddUpstream(new UpstreamOptions(_options.ForUpstream(address), address.Service, identity, dictionary));
    }

    // Each kind of thread has its own numbering.
    private static IReadOnlyList<Worker> CreateWorkers(HubPerfOptions options) =>
        [.. CreateWorkers(options, options.SessionThreads), .. CreateWorkers(options, options.SourceThreads)];

    private static IReadOnlyList<Worker> CreateWorkers(HubPerfOptions options, int count) =>
        CreateWorkers(new WorkerOptions { BusyRead = options.Run.BusyRead }, count, () => CreateRecording(options));
}
