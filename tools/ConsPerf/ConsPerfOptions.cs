using PerfCommon.Codec;
using PerfCommon.Reactor;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>The options of one consumer run. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>Each option's meaning, unit and flag are in its row of <see cref="ConsPerfOptionTable"/>.</remarks>
internal sealed record ConsPerfOptions : RoleOptions
{
    /// <summary>The default of <c>-maxOutputBuffer</c>; it counts as not given and then sets no limit.</summary>
    public const int DefaultMaxOutputBuffers = 50;

    private const int MaxNameBytes = 255;

    public ConsPerfOptions()
    {
        Connection = new ConnectionOptions().ChangeChannel(channel => channel with { MaxOutputBuffers = DefaultMaxOutputBuffers });
        Run = new() { SummaryFile = "ConsSummary.out", StatsFile = "ConsStats" };
    }

    public StandbyOptions Standby { get; init; } = new();
    public int SteadyStateSeconds { get; init; } = 300;
    public int DelaySteadyStateMillis { get; init; }
    public string ServiceName { get; init; } = "DIRECT_FEED";
    public bool UseServiceId { get; init; }
    public string? UserName { get; init; }
    public int ItemCount { get; init; } = 100_000;
    public int CommonItemCount { get; init; }
    public int RequestRate { get; init; } = 500_000;
    public bool Snapshot { get; init; }
    public FieldView? View { get; init; }
    public int PostingRate { get; init; }
    public int PostingLatencyRate { get; init; }
    public int GenericMsgRate { get; init; }
    public int GenericMsgLatencyRate { get; init; }
    public string ItemFile { get; init; } = "350k.xml";
    public string MsgFile { get; init; } = "MsgData.xml";
    public bool Watchlist { get; init; }
    public bool StrictFields { get; init; }
    public bool Prime { get; init; }
    public bool MeasureDecode { get; init; }
    public bool DowncastDecoding { get; init; }

    /// <summary>True when posts or generic messages are sent.</summary>
    public bool SendsToItems => PostingRate > 0 || GenericMsgRate > 0;

    /// <summary>
    /// Lists what a user should know before the run, one sentence each: options without effect, samples that will be too few.
    /// </summary>
    public IEnumerable<string> FindNotes() => new[]
    {
        DowncastDecoding ? "-downcastDecoding: no effect here" : null,
        SampleShortage.Find(LatencyRate.Of(PostingLatencyRate), "-postingLatencyRate", SteadyStateSeconds, Run.ThreadCount),
        SampleShortage.Find(LatencyRate.Of(GenericMsgLatencyRate), "-genericMsgLatencyRate", SteadyStateSeconds, Run.ThreadCount),
    }.OfType<string>();

    public override string? FindProblem() => Run.FindProblem() ?? FindTimeProblem() ?? FindItemProblem() ?? FindSendingProblem()
        ?? FindBufferProblem() ?? Connection.FindProblem() ?? FindSessionProblem();

    private string? FindTimeProblem() =>
        DelaySteadyStateMillis / 1000 > SteadyStateSeconds ? "-delaySteadyStateCalc must not exceed -steadyStateTime" : null;

    private string? FindItemProblem() => this switch
    {
        { } o when o.CommonItemCount > o.ItemCount => "-commonItemCount must not exceed -itemCount",
        { } o when o.CommonItemCount > o.ItemCount / o.Run.AllThreads =>
            "-commonItemCount must not exceed -itemCount divided by the threads of all parts",
        { } o when o.Run.Part.Count > 1 && o.ItemCount < o.Run.AllThreads =>
            "-itemCount must be at least the number of threads of all parts",
        { } o when o.RequestRate < o.Run.TickRate => "-requestRate must be at least -tickRate",
        _ => null,
    };

    private string? FindSendingProblem() =>
        FindRateProblem("-postingRate", PostingRate, "-postingLatencyRate", PostingLatencyRate)
        ?? FindRateProblem("-genericMsgRate", GenericMsgRate, "-genericMsgLatencyRate", GenericMsgLatencyRate)
        ?? this switch
        {
            { Snapshot: true, PostingRate: > 0 } => "-snapshot cannot be combined with -postingRate",
            { Snapshot: true, GenericMsgRate: > 0 } => "-snapshot cannot be combined with -genericMsgRate",
            _ => null,
        };

    private string? FindRateProblem(string flag, int rate, string latencyFlag, int latencyRate) => rate switch
    {
        not 0 when rate < Run.TickRate => $"{flag} must be 0 or at least -tickRate",
        _ when latencyRate > rate => $"{latencyFlag} must not exceed {flag}",
        _ when latencyRate > Run.TickRate => $"{latencyFlag} must not exceed -tickRate",
        _ => null,
    };

    /// <summary>The recovery of lost connections and items; null for none.</summary>
    public RecoveryOptions? Recovery => Session.Reactor || Watchlist
        ? new() { FirstRetry = Session.Reconnect.First, MaxRetry = Session.Reconnect.Max, Watchlist = Watchlist } : null;

    private string? FindBufferProblem() =>
        Connection.Client is { MaxOutputBuffers: not DefaultMaxOutputBuffers } o && o.MaxOutputBuffers < o.OutputBuffers
            ? "-maxOutputBuffer must be at least -outputBufs" : null;

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
