using PerfTools.Hosting.Options;

namespace NIProvPerf;

/// <summary>What one run of the non-interactive provider is asked to do. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>What each option means, its unit and its flag stand in its row of <see cref="NIProvPerfOptionTable"/>.</remarks>
internal sealed record NIProvPerfOptions : RoleOptions
{
    private const int DefaultPort = 14003;
    private const int DefaultServiceId = 1;
    private const int MaxNameBytes = 255;

    public NIProvPerfOptions()
    {
        Connection = new ConnectionOptions().ChangeChannel(channel => channel with { Port = DefaultPort });
        Run = new() { SummaryFile = "NIProvSummary.out", StatsFile = "NIProvStats" };
    }

    public int RunSeconds { get; init; } = 360;
    public string? UserName { get; init; }
    public int ItemCount { get; init; } = 100_000;
    public int CommonItemCount { get; init; }
    public int UpdateRate { get; init; } = 100_000;
    public LatencyRate LatencyUpdateRate { get; init; } = LatencyRate.Of(10);
    public int RefreshBurstSize { get; init; } = 10;
    public string ItemFile { get; init; } = "350k.xml";
    public string MsgFile { get; init; } = "MsgData.xml";
    public int MaxPackCount { get; init; } = 1;
    public int PackBufferBytes { get; init; } = 6000;
    public int ListedServiceId { get; init; } = DefaultServiceId;
    public bool UseServiceId { get; init; }
    public string ServiceName { get; init; } = "NI_PUB";
    public bool PreEncoded { get; init; }
    public bool MeasureEncode { get; init; }
    public bool MeasureDecode { get; init; }

    /// <summary>The number of the service in the directory and in keys.</summary>
    public int ServiceId => UseServiceId ? ListedServiceId : DefaultServiceId;

    /// <summary>What a user should know before the run, one sentence each.</summary>
    public IEnumerable<string> FindNotes() =>
        ListedServiceId == ServiceId ? [] : [$"-serviceId {ListedServiceId}: no effect without -useServiceId, the service has id {ServiceId}"];

    public override string? FindProblem() => Run.FindProblem() ?? FindItemProblem() ?? FindRateProblem() ?? Connection.FindProblem()
        ?? FindServiceProblem() ?? Session.FindProblem();

    private string? FindItemProblem() => this switch
    {
        { } o when o.ItemCount < o.Run.Threads.Count => "-itemCount must be at least the number of threads",
        { } o when o.CommonItemCount > o.ItemCount / o.Run.Threads.Count => "-commonItemCount must not exceed -itemCount divided by the threads",
        { MaxPackCount: > 1, PackBufferBytes: < 1 } => "-packBufSize must be at least 1",
        _ => null,
    };

    private string? FindRateProblem() => this switch
    {
        { UpdateRate: not 0 } o when o.UpdateRate < o.Run.TickRate => "-updateRate must be 0 or at least -tickRate",
        { LatencyUpdateRate.PerSecond: < 0 } => "-latencyUpdateRate must be 0 or more, or all",
        { } o when o.LatencyUpdateRate.Exceeds(o.Run.TickRate) => "-latencyUpdateRate must not exceed -tickRate",
        { } o when o.LatencyUpdateRate.Exceeds(o.UpdateRate) => "-latencyUpdateRate must not exceed -updateRate",
        { PreEncoded: true, LatencyUpdateRate.All: true } => "-preEnc cannot be combined with -latencyUpdateRate all",
        { MeasureEncode: true, LatencyUpdateRate.AsksForStamps: false } => "-measureEncode needs -latencyUpdateRate",
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
