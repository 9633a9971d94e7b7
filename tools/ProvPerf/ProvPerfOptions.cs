using PerfTools.Hosting.Options;

namespace ProvPerf;

/// <summary>What one provider run is asked to do. Immutable; vary it with <c>with</c>.</summary>
internal sealed record ProvPerfOptions
{
    private const int MaxNameBytes = 255;

    /// <summary>How to listen.</summary>
    public ConnectionOptions Connection { get; init; } = new() { IsServer = true };

    /// <summary>Ticks, threads and files.</summary>
    public RunOptions Run { get; init; } = new() { SummaryFile = "ProvSummary.out", StatsFile = "ProvStats" };

    /// <summary>Session layer, stamps and dictionaries.</summary>
    public SessionOptions Session { get; init; } = new();

    /// <summary>Seconds the program runs. <c>-runTime</c></summary>
    public int RunSeconds { get; init; } = 360;

    /// <summary>Updates a second and connection; 0 for none. <c>-updateRate</c></summary>
    public int UpdateRate { get; init; } = 100_000;

    /// <summary>Stamped updates a second and connection. <c>-latencyUpdateRate</c></summary>
    public LatencyRate LatencyUpdateRate { get; init; } = LatencyRate.Of(10);

    /// <summary>Generic messages a second and connection; 0 for none. <c>-genericMsgRate</c></summary>
    public int GenericMsgRate { get; init; }

    /// <summary>Stamped generic messages a second and connection. <c>-genericMsgLatencyRate</c></summary>
    public LatencyRate GenericMsgLatencyRate { get; init; }

    /// <summary>Messages in one packed buffer; 1 packs nothing. <c>-maxPackCount</c></summary>
    public int MaxPackCount { get; init; } = 1;

    /// <summary>Bytes of a packed buffer. <c>-packBufSize</c></summary>
    public int PackBufferBytes { get; init; } = 6000;

    /// <summary>Images sent between two looks at the clock. <c>-refreshBurstSize</c></summary>
    public int RefreshBurstSize { get; init; } = 10;

    /// <summary>Open items per connection. <c>-openLimit</c></summary>
    public int OpenLimit { get; init; } = 1_000_000;

    /// <summary>Name of the service. <c>-serviceName</c></summary>
    public string ServiceName { get; init; } = "DIRECT_FEED";

    /// <summary>Id of the service. <c>-serviceId</c></summary>
    public int ServiceId { get; init; } = 1;

    /// <summary>Contents of messages. <c>-msgFile</c></summary>
    public string MsgFile { get; init; } = "MsgData.xml";

    /// <summary>Encodes every update once at start and copies it. <c>-preEnc</c></summary>
    public bool PreEncoded { get; init; }

    /// <summary>Measures the encoding of stamped messages. <c>-measureEncode</c></summary>
    public bool MeasureEncode { get; init; }

    /// <summary>Measures the decoding of messages. <c>-measureDecode</c></summary>
    public bool MeasureDecode { get; init; }

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => Run.FindProblem() ?? FindBufferProblem() ?? Connection.FindProblem() ?? FindRateProblem()
        ?? FindServiceProblem() ?? Session.FindProblem();

    /// <summary>Names the first option that asks for something not built yet, as a sentence; null when there is none.</summary>
    public string? FindUnavailable() => FirstUnavailable() is { } option ? $"{option}: not available in this version" : null;

    // One line per option: the line goes when the option works.
    private string? FirstUnavailable() => this switch
    {
        { GenericMsgRate: > 0 } => "-genericMsgRate",
        { PreEncoded: true } => "-preEnc",
        { MeasureEncode: true } => "-measureEncode",
        { MeasureDecode: true } => "-measureDecode",
        { Run.Thresholds: not null } => "-assert",
        _ => Connection.FindUnavailable() ?? Session.FindUnavailable(),
    };

    private string? FindBufferProblem() => this switch
    {
        { Connection.Server: { MaxOutputBuffers: > 0 } server } when server.MaxOutputBuffers < server.OutputBuffers =>
            "-maxOutputBufs must be 0 or at least -outputBufs",
        { MaxPackCount: > 1, PackBufferBytes: < 1 } => "-packBufSize must be at least 1",
        _ => null,
    };

    private string? FindRateProblem() => this switch
    {
        { UpdateRate: < 0 } => "-updateRate must be 0 or at least -tickRate",
        { UpdateRate: > 0 } o when o.UpdateRate < o.Run.TickRate => "-updateRate must be 0 or at least -tickRate",
        { LatencyUpdateRate.PerSecond: < 0 } => "-latencyUpdateRate must be 0 or more, or all",
        { } o when o.LatencyUpdateRate.Exceeds(o.Run.TickRate) => "-latencyUpdateRate must not exceed -tickRate",
        { UpdateRate: > 0 } o when o.LatencyUpdateRate.Exceeds(o.UpdateRate) => "-latencyUpdateRate must not exceed -updateRate",
        { GenericMsgRate: < 0 } => "-genericMsgRate must be 0 or at least -tickRate",
        { GenericMsgRate: > 0 } o when o.GenericMsgRate < o.Run.TickRate => "-genericMsgRate must be 0 or at least -tickRate",
        { GenericMsgLatencyRate.PerSecond: < 0 } => "-genericMsgLatencyRate must be 0 or more, or all",
        { } o when o.GenericMsgLatencyRate.Exceeds(o.Run.TickRate) => "-genericMsgLatencyRate must not exceed -tickRate",
        { } o when o.GenericMsgLatencyRate.Exceeds(o.GenericMsgRate) => "-genericMsgLatencyRate must not exceed -genericMsgRate",
        { PreEncoded: true, LatencyUpdateRate.All: true } => "-preEnc cannot be combined with -latencyUpdateRate all",
        { MeasureEncode: true, LatencyUpdateRate.AsksForStamps: false, GenericMsgLatencyRate.AsksForStamps: false } =>
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
