using PerfCommon.Load;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;

namespace ProvPerf;

/// <summary>The options of one provider run. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>Each option's meaning, unit and flag are in its row of <see cref="ProvPerfOptionTable"/>.</remarks>
internal sealed record ProvPerfOptions : RoleOptions
{
    private const string DefaultMsgFile = "MsgData.xml";
    private const int MaxNameBytes = 255;

    public ProvPerfOptions()
    {
        Connection = new() { IsServer = true };
        Run = new() { SummaryFile = "ProvSummary.out", StatsFile = "ProvStats" };
    }

    public int RunSeconds { get; init; } = 360;

    /// <summary>Updates per second; the maximum of <c>-rateProfile</c>, where there is one.</summary>
    public int UpdateRate { get => Run.RateProfile?.MaxRate ?? field; init; } = 100_000;
    public LatencyRate LatencyUpdateRate { get; init; } = LatencyRate.Of(10);
    public int GenericMsgRate { get; init; }
    public LatencyRate GenericMsgLatencyRate { get; init; }
    public int MaxPackCount { get; init; } = 1;
    public int PackBufferBytes { get; init; } = 6000;
    public int RefreshBurstSize { get; init; } = 10;
    public int OpenLimit { get; init; } = 1_000_000;
    public string ServiceName { get; init; } = "DIRECT_FEED";
    public int ServiceId { get; init; } = 1;

    /// <summary>Numbers of the domains to announce among those that it has; null for all. From an EMA configuration.</summary>
    public IReadOnlyList<byte>? Capabilities { get; init; }

    public string? ItemFile { get; init; }
    public int ItemCount { get; init; } = 100_000;
    public string MsgFile { get; init; } = DefaultMsgFile;
    public UpdateSize? UpdateSize { get; init; }
    public bool LoginOptional { get; init; }
    public bool PreEncoded { get; init; }
    public bool MeasureEncode { get; init; }
    public bool MeasureDecode { get; init; }

    /// <summary>Lists what a user should know before the run, one sentence each.</summary>
    public IEnumerable<string> FindNotes() =>
        (UpdateRate > 0 ? SampleShortage.Find(LatencyUpdateRate, "-latencyUpdateRate", RunSeconds) : null) is { } shortage
            ? [shortage] : [];

    public override RoleOptions WithService(EmaService service) => this with
    {
        ServiceName = service.Name ?? ServiceName,
        ServiceId = service.Id ?? ServiceId,
        Capabilities = service.Capabilities,
    };

    public override string? FindProblem() =>
        Run.FindProblem() ?? FindBufferProblem() ?? Connection.FindProblem() ?? FindSizeProblem() ?? FindRateProblem()
        ?? FindServiceProblem() ?? Session.FindProblem();

    private string? FindBufferProblem() => this switch
    {
        { Connection.Server: { MaxOutputBuffers: > 0 } server } when server.MaxOutputBuffers < server.OutputBuffers =>
            "-maxOutputBufs must be 0 or at least -outputBufs",
        { MaxPackCount: > 1, PackBufferBytes: < 1 } => "-packBufSize must be at least 1",
        _ => null,
    };

    private string? FindSizeProblem() => this switch
    {
        { UpdateSize: null } => null,
        { MsgFile: not DefaultMsgFile } => "-updateSize cannot be combined with -msgFile",
        { PreEncoded: true } => "-updateSize cannot be combined with -preEnc",
        { GenericMsgRate: > 0 } => "-updateSize cannot be combined with -genericMsgRate: generic messages are those of -msgFile",
        { UpdateSize: { } size } =>
            SizedMessages.FindProblem(size.Bytes, size.Fields, Session.StampUnit()) is { } why ? $"-updateSize {size}: {why}" : null,
    };

    private string? FindRateProblem() => this switch
    {
        { UpdateRate: not 0 } o when o.UpdateRate < o.Run.TickRate => "-updateRate must be 0 or at least -tickRate",
        { LatencyUpdateRate.PerSecond: < 0 } => "-latencyUpdateRate must be 0 or more, or all",
        { } o when o.LatencyUpdateRate.Exceeds(o.Run.TickRate) => "-latencyUpdateRate must not exceed -tickRate",
        { UpdateRate: > 0 } o when o.LatencyUpdateRate.Exceeds(o.UpdateRate) => "-latencyUpdateRate must not exceed -updateRate",
        { GenericMsgRate: not 0 } o when o.GenericMsgRate < o.Run.TickRate => "-genericMsgRate must be 0 or at least -tickRate",
        { GenericMsgLatencyRate.PerSecond: < 0 } => "-genericMsgLatencyRate must be 0 or more, or all",
        { } o when o.GenericMsgLatencyRate.Exceeds(o.Run.TickRate) => "-genericMsgLatencyRate must not exceed -tickRate",
        { } o when o.GenericMsgLatencyRate.Exceeds(o.GenericMsgRate) => "-genericMsgLatencyRate must not exceed -genericMsgRate",
        { PreEncoded: true, LatencyUpdateRate.All: true } => "-preEnc cannot be combined with -latencyUpdateRate all",
        { MeasureEncode: true, LatencyUpdateRate.RequestsStamps: false, GenericMsgLatencyRate.RequestsStamps: false } =>
            "-measureEncode needs -latencyUpdateRate or -genericMsgLatencyRate",
        _ => null,
    };

    private string? FindServiceProblem()
    {
        if (System.Text.Encoding.UTF8.GetByteCount(ServiceName) > MaxNameBytes)
            return $"-serviceName must not exceed {MaxNameBytes} bytes";
        return Connection.JsonProtocol is { } json ? $"-websocket {json}: not available in this version" : null;
    }
}
