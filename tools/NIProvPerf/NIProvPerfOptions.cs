using PerfCommon.Load;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;

namespace NIProvPerf;

/// <summary>The options of one run of the non-interactive provider. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>Each option's meaning, unit and flag are in its row of <see cref="NIProvPerfOptionTable"/>.</remarks>
internal sealed record NIProvPerfOptions : RoleOptions
{
    private const int DefaultPort = 14003;
    private const int DefaultServiceId = 1;
    private const string DefaultMsgFile = "MsgData.xml";
    private const int MaxNameBytes = 255;

    public NIProvPerfOptions()
    {
        Connection = new ConnectionOptions().ChangeChannel(channel => channel with { Port = DefaultPort });
        Run = new() { SummaryFile = "NIProvSummary.out", StatsFile = "NIProvStats" };
    }

    /// <summary>Seconds of the run; 0 runs until a signal.</summary>
    public int RunSeconds { get; init; } = 360;
    public string? UserName { get; init; }
    public int ItemCount { get; init; } = 100_000;
    public int CommonItemCount { get; init; }

    /// <summary>Updates per second; the maximum of <c>-rateProfile</c>, where there is one.</summary>
    public int UpdateRate { get => Run.RateProfile?.MaxRate ?? field; init; } = 100_000;
    public LatencyRate LatencyUpdateRate { get; init; } = LatencyRate.Of(10);
    public int RefreshBurstSize { get; init; } = 10;
    public string ItemFile { get; init; } = "350k.xml";
    public string MsgFile { get; init; } = DefaultMsgFile;
    public UpdateSize? UpdateSize { get; init; }
    public int MaxPackCount { get; init; } = 1;
    public int PackBufferBytes { get; init; } = 6000;
    public int ListedServiceId { get; init; } = DefaultServiceId;
    public bool UseServiceId { get; init; }
    public string ServiceName { get; init; } = "NI_PUB";

    /// <summary>Numbers of the domains to announce among those that it has; null for all. From an EMA configuration.</summary>
    public IReadOnlyList<byte>? Capabilities { get; init; }
    public bool PreEncoded { get; init; }
    public bool MeasureEncode { get; init; }
    public bool MeasureDecode { get; init; }

    /// <summary>The number of the service in the directory and in keys.</summary>
    public int ServiceId => UseServiceId ? ListedServiceId : DefaultServiceId;

    /// <summary>Lists what a user should know before the run, one sentence each.</summary>
    public IEnumerable<string> FindNotes() =>
        ListedServiceId == ServiceId
            ? [] : [$"-serviceId {ListedServiceId}: no effect without -useServiceId, the service has id {ServiceId}"];

    public override RoleOptions WithService(EmaService service) => this with
    {
        ServiceName = service.Name ?? ServiceName,
        ListedServiceId = service.Id ?? ListedServiceId,
        UseServiceId = UseServiceId || service.Id is not null,
        Capabilities = service.Capabilities,
    };

    public override string? FindProblem() =>
        Run.FindProblem() ?? FindItemProblem() ?? FindSizeProblem() ?? FindRateProblem() ?? Connection.FindProblem()
        ?? FindServiceProblem() ?? Session.FindProblem();

    private string? FindItemProblem() => this switch
    {
        { } o when o.ItemCount < o.Run.AllThreads => "-itemCount must be at least the number of threads of all parts",
        { } o when o.CommonItemCount > o.ItemCount / o.Run.AllThreads =>
            "-commonItemCount must not exceed -itemCount divided by the threads of all parts",
        { MaxPackCount: > 1, PackBufferBytes: < 1 } => "-packBufSize must be at least 1",
        _ => null,
    };

    private string? FindSizeProblem() => this switch
    {
        { UpdateSize: null } => null,
        { MsgFile: not DefaultMsgFile } => "-updateSize cannot be combined with -msgFile",
        { PreEncoded: true } => "-updateSize cannot be combined with -preEnc",
        { UpdateSize: { } size } =>
            SizedMessages.FindProblem(size.Bytes, size.Fields, Session.StampUnit()) is { } why ? $"-updateSize {size}: {why}" : null,
    };

    private string? FindRateProblem() => this switch
    {
        { UpdateRate: not 0 } o when o.UpdateRate < o.Run.TickRate => "-updateRate must be 0 or at least -tickRate",
        { LatencyUpdateRate.PerSecond: < 0 } => "-latencyUpdateRate must be 0 or more, or all",
        { } o when o.LatencyUpdateRate.Exceeds(o.Run.TickRate) => "-latencyUpdateRate must not exceed -tickRate",
        { } o when o.LatencyUpdateRate.Exceeds(o.UpdateRate) => "-latencyUpdateRate must not exceed -updateRate",
        { PreEncoded: true, LatencyUpdateRate.All: true } => "-preEnc cannot be combined with -latencyUpdateRate all",
        { MeasureEncode: true, LatencyUpdateRate.RequestsStamps: false } => "-measureEncode needs -latencyUpdateRate",
        _ => null,
    };

    private string? FindServiceProblem()
    {
        if (System.Text.Encoding.UTF8.GetByteCount(UserName ?? "") > MaxNameBytes)
            return $"-uname must not exceed {MaxNameBytes} bytes";
        if (System.Text.Encoding.UTF8.GetByteCount(ServiceName) > MaxNameBytes)
            return $"-serviceName must not exceed {MaxNameBytes} bytes";
        return Connection.JsonProtocol is { } json ? $"-websocket {json}: not available in this version" : null;
    }
}
