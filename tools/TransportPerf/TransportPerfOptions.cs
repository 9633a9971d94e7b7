using System.Globalization;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>The options of one transport run. Immutable; vary it with <c>with</c>.</summary>
internal sealed record TransportPerfOptions : RoleOptions
{
    /// <summary>The maximum number of connections of a client.</summary>
    public const int MaxClientConnections = 10_000;

    // Bytes that a packed buffer needs per message in addition to the message.
    private const int PackOverheadBytes = 8;

    // The names of result files stay empty: an empty name means the default with the process id.
    public TransportPerfOptions() => Connection = new() { IsServer = true };

    /// <summary>Seconds the program runs. <c>-runTime</c></summary>
    public int RunSeconds { get; init; } = 300;

    /// <summary>Messages per second per connection; 0 for none. <c>-msgRate</c></summary>
    public int MsgRate { get => Run.RateProfile?.MaxRate ?? field; init; } = 100_000;

    /// <summary>Stamped messages per second per connection. <c>-latencyMsgRate</c></summary>
    public LatencyRate LatencyMsgRate { get; init; } = LatencyRate.Of(10);

    /// <summary>Bytes of a message. <c>-msgSize</c></summary>
    public int MsgBytes { get; init; } = 76;

    /// <summary>Messages in one packed buffer; 1 packs nothing. <c>-pack</c></summary>
    public int PackCount { get; init; } = 1;

    /// <summary>Connections of a client, distributed over its threads in turn; 0 for one per thread. <c>-connections</c></summary>
    public int ClientConnections { get; init; }

    /// <summary>Sends received messages back instead of sending new ones. <c>-reflectMsgs</c></summary>
    public bool Reflect { get; init; }

    /// <summary>Sends objects over a JSON sub-protocol instead of the binary bodies of the other editions. <c>-jsonBody</c></summary>
    public bool JsonObjects { get; init; }

    /// <summary>True for a side that sends, and does not only receive or reflect.</summary>
    public bool Sends => MsgRate > 0 && !Reflect;

    /// <summary>Number of connections that a client opens.</summary>
    public int CountConnections => Math.Max(ClientConnections, Run.Threads.Count);

    /// <summary>Bytes that one packed buffer needs.</summary>
    public long PackBytes => (MsgBytes + (long)PackOverheadBytes) * PackCount;

    /// <summary>Names of the result files. Default names contain the process id, so that both sides can share a directory.</summary>
    public RunFileNames FileNames => RunFileNames.Of(Run) with
    {
        Summary = Run.SummaryFile.Length > 0
            ? Run.SummaryFile
            : string.Create(CultureInfo.InvariantCulture, $"TransportSummary_{Environment.ProcessId}.out"),
        Statistics = thread => Run.StatsFile.Length > 0
            ? RunFileNames.Numbered(Run.StatsFile, thread)
            : string.Create(CultureInfo.InvariantCulture, $"TransportStats{thread}_{Environment.ProcessId}.csv"),
    };

    /// <summary>Lists what a user should know before the run, one sentence each.</summary>
    public IEnumerable<string> FindNotes() => (Sends
        ? SampleShortage.Find(LatencyMsgRate, "-latencyMsgRate", RunSeconds, Connection.IsServer ? 1 : CountConnections)
            : null) is { } shortage ? [shortage] : [];

    public override string? FindProblem() => Run.FindProblem() ?? Connection.FindProblem() ?? FindMessageProblem() ?? FindRateProblem()
        ?? FindSideProblem();

    private string? FindMessageProblem() => this switch
    {
        { JsonObjects: true, Connection.JsonProtocol: null } => "-jsonBody object needs a JSON sub-protocol, such as -websocket tr_json2",
        { MsgBytes: < JsonMessage.MinBytes, JsonObjects: true } => $"-msgSize must be at least {JsonMessage.MinBytes} with -jsonBody object",
        { MsgBytes: < RawJsonMessage.MinBytes, Connection.JsonProtocol: not null } =>
            $"-msgSize must be at least {RawJsonMessage.MinBytes} with a JSON sub-protocol",
        { } o when o.MsgBytes > o.Connection.Channel.MaxReassembledBytes => "-msgSize must not exceed -maxMessageSize",
        { PackCount: > 1, Reflect: true } => "-pack cannot be combined with -reflectMsgs",
        _ => null,
    };

    private string? FindRateProblem() => this switch
    {
        { Reflect: true, Run.RateProfile: not null } => "-rateProfile cannot be combined with -reflectMsgs",
        { MsgRate: < 0 } => "-msgRate must be 0 or at least -tickRate",
        { MsgRate: > 0 } o when o.MsgRate < o.Run.TickRate => "-msgRate must be 0 or at least -tickRate",
        { LatencyMsgRate.PerSecond: < 0 } => "-latencyMsgRate must be 0 or more, or all",
        { } o when o.LatencyMsgRate.Exceeds(o.Run.TickRate) => "-latencyMsgRate must not exceed -tickRate",
        { Reflect: false } o when o.LatencyMsgRate.Exceeds(o.MsgRate) => "-latencyMsgRate must not exceed -msgRate",
        _ => null,
    };

    private string? FindSideProblem() => this switch
    {
        { ClientConnections: > 0, Connection.IsServer: true } => "-connections needs -appType client",
        { ClientConnections: > 0 } o when o.ClientConnections < o.Run.Threads.Count => "-connections must be 0 or at least -threads",
        { Connection.IsServer: true, Connection.UsesProxy: true } => "-proxy needs -appType client",
        { Connection.IsServer: true, PackCount: > 1 } o when o.PackBytes > o.Connection.Server.MaxFragmentSize =>
            $"-pack: {o.PackCount} messages of {o.MsgBytes} bytes need -maxFragmentSize {o.PackBytes}",
        _ => null,
    };
}
