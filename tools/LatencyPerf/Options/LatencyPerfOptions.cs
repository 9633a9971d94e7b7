using System.Globalization;
using System.Net;
using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfTools.Hosting.Options;

namespace LatencyPerf.Options;

/// <summary>The options of one side of a round-trip test. Immutable; vary it with <c>with</c>.</summary>
internal sealed record LatencyPerfOptions
{
    private const int MaxPeers = 32;
    private const int UsualMaxBytes = 8192;
    private const int UsualReplyTimeoutMillis = 1000;

    public bool Publish { get; init; }
    public bool Subscribe { get; init; }
    public int DomainId { get; init; }

    /// <summary>The subscriber's number; null where it was not given. <c>-cookie</c></summary>
    public int? GivenCookie { get; init; }
    public string? Nic { get; init; }
    public bool NoEcho { get; init; }
    public LinkKind Transport { get; init; } = LinkKinds.Usual;

    /// <summary>The addresses of the other sides, as typed; empty for this host. <c>-peer</c></summary>
    public IReadOnlyList<string> Peers { get; init; } = [];
    public bool Reliable { get; init; }

    /// <summary>The group on which this side receives; null for none. <c>-mcast_rcv_addr</c></summary>
    public IPAddress? Group { get; init; }
    public int Ttl { get; init; } = 1;

    /// <summary>The number of subscribers; null where it was not given. <c>-subscribers</c></summary>
    public int? GivenSubscribers { get; init; }
    public long NumIter { get; init; } = 10_000;
    public int MinBytes { get; init; } = DataPacket.MinBytes;
    public int MaxBytes { get; init; } = UsualMaxBytes;
    public bool BusyRead { get; init; }
    public int SpinMicros { get; init; }
    public int IntervalMicros { get; init; }
    public int ReplyTimeoutMillis { get; init; } = UsualReplyTimeoutMillis;
    public int Window { get; init; } = Windows.Usual;
    public bool Verify { get; init; }
    public bool OneWay { get; init; }
    public string? Baseline { get; init; }
    public int WaitSeconds { get; init; }
    public int BasePort { get; init; } = TestPorts.UsualBase;
    public DropRate Drop { get; init; } = DropRate.None;

    /// <summary>The file for a copy of the output; null for none. <c>-summaryFile</c></summary>
    public string? SummaryFile { get; init; }

    /// <summary>The options that all tools share: the processor of the thread, thresholds, JSON lines and histograms.</summary>
    public RunOptions Run { get; init; } = new();

    /// <summary>The options of an RSSL connection: TLS and its files; the rest follows from domain and peers.</summary>
    public ConnectionOptions Connection { get; init; } = new();

    public ControlOptions Control { get; init; } = new();

    /// <summary>The options file, read before the command line; kept for the inputs in the JSON. <c>-optionsFile</c></summary>
    public string? OptionsFile { get; init; }

    public int Cookie => GivenCookie ?? 1;
    public int Subscribers => GivenSubscribers ?? 1;
    public TestPorts Ports => new(BasePort, DomainId);

    /// <summary>True when the protocol prevents losses: a stream needs no such protocol.</summary>
    public bool UsesStrictDelivery => Reliable && !Transport.IsStream;

    /// <summary>Returns what the link is asked for; loads the files of its encryption.</summary>
    /// <exception cref="SetupException">A file cannot be used.</exception>
    public LinkOptions LoadLinkOptions() => new()
    {
        Kind = Transport,
        Ports = Ports,
        Own = Publish ? IDatagramOutput.Publisher : Cookie,
        Nic = Nic,
        Peers = Peers,
        Group = Group,
        Ttl = Ttl,
        Subscribers = Subscribers,
        MaxBytes = MaxBytes,
        Window = UsesStrictDelivery ? Window : 1,
        IsBusy = BusyRead,
        ClientTls = Connection.UsesTls && Subscribe ? Connection.Tls.LoadForClient() : null,
        ServerTls = Connection.UsesTls && Publish ? Connection.Tls.LoadForServer() : null,
        Drop = (Drop.Rate, Drop.Seed),
    };

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() =>
        FindRoleProblem() ?? FindGroupProblem() ?? FindConnectionProblem() ?? Control.FindProblem() ?? this switch
        {
            { DomainId: < 0 or > TestPorts.MaxDomain } => $"-domainId must be 0 to {TestPorts.MaxDomain}",
            { GivenCookie: < 1 or > TestPorts.MaxCookie } => $"-cookie must be 1 to {TestPorts.MaxCookie}",
            { GivenSubscribers: < 1 or > TestPorts.MaxCookie } => $"-subscribers must be 1 to {TestPorts.MaxCookie}",
            { Peers.Count: > MaxPeers } => $"-peer: at most {MaxPeers} of them",
            { NumIter: < 1 } => "-numIter must be at least 1",
            { MinBytes: < DataPacket.MinBytes or > DataPacket.MaxBytes } => $"-minSize must be {DataPacket.MinBytes} to {DataPacket.MaxBytes}",
            { MaxBytes: < DataPacket.MinBytes or > DataPacket.MaxBytes } => $"-maxSize must be {DataPacket.MinBytes} to {DataPacket.MaxBytes}",
            { OneWay: true, Subscribers: > 1, Baseline: null } => "-oneWay with several subscribers needs -baseline",
            _ when MinBytes > MaxBytes => "-minSize must not be above -maxSize",
            _ when !Windows.IsWindow(Window) => $"-window must be a power of two from {Windows.Min} to {Windows.Max}",
            _ => FindIdleOption(),
        };

    // Finds an option without effect.
    private string? FindIdleOption() => this switch
    {
        { UsesStrictDelivery: false, Window: not Windows.Usual } => $"-window needs -reliable, and -transport {LinkKinds.Numbers(kind => !kind.IsStream)}",
        { UsesStrictDelivery: true, ReplyTimeoutMillis: not UsualReplyTimeoutMillis } => "-replyTimeout is for tests without -reliable",
        { BusyRead: true, SpinMicros: > 0 } => "give one of -busyRead, -spin",
        _ => null,
    };

    private string? FindRoleProblem() => this switch
    {
        { Publish: true, Subscribe: true } or { Publish: false, Subscribe: false } =>
            "give one role: latencyperf -publish, or latencyperf -subscribe",
        { Publish: true, GivenCookie: not null } => "-cookie is for -subscribe",
        { Publish: true, NoEcho: true } => "-noecho is for -subscribe",
        { Subscribe: true, GivenSubscribers: not null } => "-subscribers is for -publish",
        { Subscribe: true, IntervalMicros: > 0 } => "-interval is for -publish",
        { Subscribe: true, MaxBytes: not UsualMaxBytes } => "-maxSize is for -publish, which tells it",
        { Subscribe: true, ReplyTimeoutMillis: not UsualReplyTimeoutMillis } => "-replyTimeout is for -publish",
        { Subscribe: true, Window: not Windows.Usual } => "-window is for -publish, which tells it",
        { Subscribe: true, Verify: true } => "-verify is for -publish",
        { Subscribe: true, OneWay: true } => "-oneWay is for -publish",
        { Subscribe: true, Baseline: not null } => "-baseline is for -publish",
        { Subscribe: true, Run.Thresholds: not null } => "-assert is for -publish",
        { Subscribe: true, Run.HistogramFile: not null } => "-hlogFile is for -publish",
        _ => null,
    };

    private string? FindConnectionProblem() => Connection.Kind switch
    {
        ConnectionKind.WebSocket => "-connType must be socket or encrypted",
        ConnectionKind.Encrypted when !Transport.TakesTls => $"-connType encrypted needs -transport {LinkKinds.Numbers(kind => kind.TakesTls)}",
        _ => Connection.Tls.FindProblem(Connection.UsesTls, isServer: Publish),
    };

    private string? FindGroupProblem() => this switch
    {
        { Group: null } => null,
        _ when !Transport.IsUdp => $"-mcast_rcv_addr needs -transport {LinkKinds.Numbers(kind => kind.IsUdp)}",
        { Nic: null } => "-mcast_rcv_addr needs -nic",
        _ when Group.AddressFamily != Transport.Family => $"-mcast_rcv_addr: {Group} does not fit -transport {Transport.Number}",
        _ when !Groups.IsGroup(Group) => $"-mcast_rcv_addr: {Group} is no group from 224.0.1.0 to 239.255.255.255, or of ff00::/8",
        _ => null,
    };
}

/// <summary>The share of datagrams that are dropped on arrival, and the seed of their choice.</summary>
internal readonly record struct DropRate(double Rate, int Seed)
{
    private const int UsualSeed = 1;

    public static DropRate None { get; } = new(0, UsualSeed);

    /// <summary>Parses <c>0.05</c> or <c>0.05,7</c>.</summary>
    public static bool TryParse(string text, out DropRate drop)
    {
        drop = None;
        string[] parts = text.Split(',');
        int seed = UsualSeed;
        if (parts.Length > 2 || !TryReadRate(parts[0], out double rate) || (parts.Length == 2 && !TryReadSeed(parts[1], out seed)))
            return false;
        drop = new(rate, seed);
        return true;
    }

    /// <summary>The value as the user types it.</summary>
    public override string ToString() =>
        Seed == UsualSeed ? FormattableString.Invariant($"{Rate}") : FormattableString.Invariant($"{Rate},{Seed}");

    private static bool TryReadRate(string text, out double rate) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out rate) && rate <= 1;

    private static bool TryReadSeed(string text, out int seed) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out seed);
}
