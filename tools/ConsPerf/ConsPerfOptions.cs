using PerfTools.Hosting.Options;

namespace ConsPerf;

/// <summary>What one consumer run is asked to do. Immutable; vary it with <c>with</c>.</summary>
internal sealed record ConsPerfOptions
{
    /// <summary>The default of <c>-maxOutputBuffer</c>; it counts as not given and is no limit then.</summary>
    public const int DefaultMaxOutputBuffers = 50;

    private const int MaxNameBytes = 255;

    /// <summary>How to connect.</summary>
    public ConnectionOptions Connection { get; init; } =
        new ConnectionOptions().ChangeChannel(channel => channel with { MaxOutputBuffers = DefaultMaxOutputBuffers });

    /// <summary>Ticks, threads and files.</summary>
    public RunOptions Run { get; init; } = new() { SummaryFile = "ConsSummary.out", StatsFile = "ConsStats" };

    /// <summary>Session layer, stamps and dictionaries.</summary>
    public SessionOptions Session { get; init; } = new();

    /// <summary>Seconds of steady state; also the limit for reaching it; 0 ends with the last image. <c>-steadyStateTime</c></summary>
    public int SteadyStateSeconds { get; init; } = 300;

    /// <summary>Milliseconds after the last image whose latencies count nowhere but in the overall figures. <c>-delaySteadyStateCalc</c></summary>
    public int DelaySteadyStateMillis { get; init; }

    /// <summary>Name of the service. <c>-serviceName</c></summary>
    public string ServiceName { get; init; } = "DIRECT_FEED";

    /// <summary>Asks by service id; no effect here, where requests always carry it. <c>-useServiceId</c></summary>
    public bool UseServiceId { get; init; }

    /// <summary>Login name; null for that of the system. <c>-uname</c></summary>
    public string? UserName { get; init; }

    /// <summary>Items over all threads. <c>-itemCount</c></summary>
    public int ItemCount { get; init; } = 100_000;

    /// <summary>Items that every thread opens. <c>-commonItemCount</c></summary>
    public int CommonItemCount { get; init; }

    /// <summary>Requests a second and connection. <c>-requestRate</c></summary>
    public int RequestRate { get; init; } = 500_000;

    /// <summary>Asks for images without updates and ends with the last. <c>-snapshot</c></summary>
    public bool Snapshot { get; init; }

    /// <summary>Posts a second and connection; 0 for none. <c>-postingRate</c></summary>
    public int PostingRate { get; init; }

    /// <summary>Stamped posts a second and connection. <c>-postingLatencyRate</c></summary>
    public int PostingLatencyRate { get; init; }

    /// <summary>Generic messages a second and connection; 0 for none. <c>-genericMsgRate</c></summary>
    public int GenericMsgRate { get; init; }

    /// <summary>Stamped generic messages a second and connection. <c>-genericMsgLatencyRate</c></summary>
    public int GenericMsgLatencyRate { get; init; }

    /// <summary>List of items. <c>-itemFile</c></summary>
    public string ItemFile { get; init; } = "350k.xml";

    /// <summary>Contents of posts and generic messages. <c>-msgFile</c></summary>
    public string MsgFile { get; init; } = "MsgData.xml";

    /// <summary>Session layer that also recovers items; implies <c>-reactor</c>. <c>-watchlist</c></summary>
    public bool Watchlist { get; init; }

    /// <summary>Ends at the first field that the dictionary lacks. <c>-strictFields</c></summary>
    public bool StrictFields { get; init; }

    /// <summary>Asks for every item once before the run. <c>-prime</c></summary>
    public bool Prime { get; init; }

    /// <summary>Measures the decoding of updates. <c>-measureDecode</c></summary>
    public bool MeasureDecode { get; init; }

    /// <summary>Accepted for command lines of EMA; no effect. <c>-downcastDecoding</c></summary>
    public bool DowncastDecoding { get; init; }

    /// <summary>Pair of servers for warm standby.</summary>
    public StandbyOptions Standby { get; init; } = new();

    /// <summary>Options that have no effect, one sentence each.</summary>
    public IEnumerable<string> FindNotes() => DowncastDecoding ? ["-downcastDecoding: no effect here"] : [];

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => Run.FindProblem() ?? FindTimeProblem() ?? FindItemProblem() ?? FindSendingProblem()
        ?? FindBufferProblem() ?? Connection.FindProblem() ?? FindSessionProblem();

    /// <summary>Names the first option that asks for something not built yet, as a sentence; null when there is none.</summary>
    public string? FindUnavailable() => FirstUnavailable() is { } option ? $"{option}: not available in this version" : null;

    // One line per option: the line goes when the option works.
    private string? FirstUnavailable() => this switch
    {
        { PostingRate: > 0 } => "-postingRate",
        { GenericMsgRate: > 0 } => "-genericMsgRate",
        { Watchlist: true } => "-watchlist",
        { Prime: true } => "-prime",
        { MeasureDecode: true } => "-measureDecode",
        { Run.Thresholds: not null } => "-assert",
        { Standby.IsAskedFor: true } => "-standbyHostName",
        _ => Connection.FindUnavailable() ?? Session.FindUnavailable(),
    };

    private string? FindTimeProblem() =>
        DelaySteadyStateMillis / 1000 > SteadyStateSeconds ? "-delaySteadyStateCalc must not exceed -steadyStateTime" : null;

    private string? FindItemProblem() => this switch
    {
        { } o when o.CommonItemCount > o.ItemCount => "-commonItemCount must not exceed -itemCount",
        { } o when o.CommonItemCount > o.ItemCount / o.Run.Threads.Count => "-commonItemCount must not exceed -itemCount divided by the threads",
        { } o when o.RequestRate < o.Run.TickRate => "-requestRate must be at least -tickRate",
        _ => null,
    };

    private string? FindSendingProblem() => this switch
    {
        { PostingRate: < 0 } => "-postingRate must be 0 or at least -tickRate",
        { PostingRate: > 0 } o when o.PostingRate < o.Run.TickRate => "-postingRate must be 0 or at least -tickRate",
        { } o when o.PostingLatencyRate > o.PostingRate => "-postingLatencyRate must not exceed -postingRate",
        { } o when o.PostingLatencyRate > o.Run.TickRate => "-postingLatencyRate must not exceed -tickRate",
        { GenericMsgRate: < 0 } => "-genericMsgRate must be 0 or at least -tickRate",
        { GenericMsgRate: > 0 } o when o.GenericMsgRate < o.Run.TickRate => "-genericMsgRate must be 0 or at least -tickRate",
        { } o when o.GenericMsgLatencyRate > o.GenericMsgRate => "-genericMsgLatencyRate must not exceed -genericMsgRate",
        { } o when o.GenericMsgLatencyRate > o.Run.TickRate => "-genericMsgLatencyRate must not exceed -tickRate",
        { Snapshot: true, PostingRate: > 0 } => "-snapshot cannot be combined with -postingRate",
        { Snapshot: true, GenericMsgRate: > 0 } => "-snapshot cannot be combined with -genericMsgRate",
        _ => null,
    };

    private string? FindBufferProblem() => Connection.Client switch
    {
        { MaxOutputBuffers: not DefaultMaxOutputBuffers } o when o.MaxOutputBuffers < o.OutputBuffers =>
            "-maxOutputBuffer must be at least -outputBufs",
        _ => null,
    };

    private string? FindSessionProblem()
    {
        if (System.Text.Encoding.UTF8.GetByteCount(UserName ?? "") > MaxNameBytes)
            return $"-uname must not exceed {MaxNameBytes} bytes";
        if (System.Text.Encoding.UTF8.GetByteCount(ServiceName) > MaxNameBytes)
            return $"-serviceName must not exceed {MaxNameBytes} bytes";
        if (Connection.JsonProtocol is { } json)
            return $"-websocket {json}: not available in this version";
        return Standby.FindProblem(Watchlist) ?? (Session with { Reactor = Session.Reactor || Watchlist }).FindProblem();
    }
}
