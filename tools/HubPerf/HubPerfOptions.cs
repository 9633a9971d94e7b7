using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfHub.Cache;
using PerfHub.Consumers;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using PerfTools.Hosting.Options;

namespace HubPerf;

/// <summary>The options of one hub run. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>Each option's meaning, unit and flag are in its row of <see cref="HubPerfOptionTable"/>.</remarks>
internal sealed record HubPerfOptions : RoleOptions
{
    /// <summary>The maximum number of connections when none is given.</summary>
    public const int DefaultMaxConnections = 20_000;

    public HubPerfOptions()
    {
        ConnectionOptions connection = new() { IsServer = true };
        Connection = connection with
        {
            Server = connection.Server with { OutputBuffers = HubSettings.UsualOutputBuffers, MaxConnections = DefaultMaxConnections },
        };
        Run = new() { SummaryFile = "HubSummary.out", StatsFile = "HubStats" };
    }

    public int RunSeconds { get; init; }
    public IReadOnlyList<UpstreamAddress> Upstreams { get; init; } = [];
    public ConnectionKind UpstreamKind { get; init; }
    public int NiPort { get; init; } = 14003;
    public IReadOnlyList<OwnService> Services { get; init; } = [];
    public UncachedAnswer Uncached { get; init; }

    /// <summary>Domains of items that consumers may request, as given; none for all domains of the source.</summary>
    public IReadOnlyList<int> ServedDomains { get; init; } = [];
    public bool IsCaching { get; init; } = true;
    public SlowConsumerPolicy Slow { get; init; }
    public int MaxQueueBytes { get; init; } = HubSettings.UsualQueueBytes;
    public double BurstMinSeconds { get; init; }
    public double BurstMaxSeconds { get; init; }
    public double BurstIncrementSeconds { get; init; } = 0.01;
    public bool IsBurstPerSession { get; init; }
    public double ThrottleSeconds { get; init; }

    public int SessionThreads { get; init; } = HubThreadCounts.Sessions(Environment.ProcessorCount);

    /// <summary>Number of source threads; with 0 the session threads read the sources.</summary>
    public int SourceThreads { get; init; } = HubThreadCounts.Sources(Environment.ProcessorCount);
    public ThreadPlan? BindSession { get; init; }
    public ThreadPlan? BindSource { get; init; }
    public int MaxPackCount { get; init; } = 1;
    public int PackBufferBytes { get; init; } = 6000;
    public int OpenLimit { get; init; } = 1_000_000;
    public int KeepImagesSeconds { get; init; } = SourceSettings.DefaultKeepImagesSeconds;
    public int MaxFields { get; init; } = FieldLimit.DefaultMaxFields;

    /// <summary>Domains of items that consumers may request.</summary>
    public DomainLimit Domains => ServedDomains.Count == 0
        ? DomainLimit.None : new(ServedDomains.Select(domain => (DomainType)domain).ToHashSet());

    /// <summary>The plan of all threads: session threads first, then source threads.</summary>
    public ThreadPlan Threads =>
        (BindSession ?? ThreadPlan.Unbounded(SessionThreads)).Then(BindSource ?? ThreadPlan.Unbounded(SourceThreads));

    /// <summary>Creates the connect options for a source; its certificate is checked as a client's options say.</summary>
    public ConnectOptions ForUpstream(UpstreamAddress address)
    {
        ConnectionOptions connection = new()
        {
            Kind = UpstreamKind,
            Tls = Connection.Tls with { CertificateFile = null, KeyFile = null, ClientAuthorityFile = null },
            Client = new ConnectOptions
            {
                Host = address.Host,
                Port = address.Port,
                OutputBuffers = Connection.Server.OutputBuffers,
                TcpDelay = Connection.Server.TcpDelay,
                CompressionType = Connection.Server.CompressionType,
                InterfaceName = Connection.Server.InterfaceName,
            },
        };
        return connection.ForClient("HubPerf");
    }

    /// <summary>Creates the settings that may be changed while the hub runs, with their values at the start.</summary>
    public HubTuning CreateTuning() => new()
    {
        Burst = new(Nanos(BurstMinSeconds), Nanos(BurstMaxSeconds), Nanos(BurstIncrementSeconds), IsBurstPerSession),
        ThrottleNanos = Nanos(ThrottleSeconds),
    };

    /// <summary>True when consumers and non-interactive providers share one port and are distinguished by their logins alone.</summary>
    public bool HasOnePort => NiPort == Connection.Server.Port && NiPort != 0;

    public override string? FindProblem() =>
        Run.FindProblem() ?? FindBufferProblem() ?? Connection.FindProblem() ?? FindThreadProblem() ?? Session.FindProblem();

    private static long Nanos(double seconds) => (long)Math.Round(seconds * Clock.NanosPerSecond);

    private string? FindBufferProblem() => this switch
    {
        { Connection.Server: { MaxOutputBuffers: > 0 } server } when server.MaxOutputBuffers < server.OutputBuffers =>
            "-maxOutputBufs must be 0 or at least -outputBufs",
        { BurstMaxSeconds: not 0 } o when o.BurstMaxSeconds < o.BurstMinSeconds => "-burstMax must be 0 or at least -burstMin",
        { MaxPackCount: > 1, PackBufferBytes: < 1 } => "-packBufSize must be at least 1",
        { Services.Count: > 0, Domains: { } domains } when !domains.Allows(DomainType.MarketPrice) =>
            "-service needs domain 6 (market price) among -domains",
        { NiPort: < 0 or > ushort.MaxValue } => $"-niPort must be 0 to {ushort.MaxValue}",
        { Connection.JsonProtocol: { } json } => $"-websocket {json}: not available in this version",
        _ => null,
    };

    private string? FindThreadProblem() => this switch
    {
        { BindSession: { } bound } when bound.Count != SessionThreads => "-bindSession must name as many CPUs as there are -sessionThreads",
        { BindSource: { } bound } when bound.Count != SourceThreads => "-bindSource must name as many CPUs as there are -sourceThreads",
        _ => null,
    };
}

/// <summary>Reads and writes lists of item domains as they are typed.</summary>
internal static class DomainList
{
    /// <summary>Reads domain numbers separated by commas; null when one is not a domain of items.</summary>
    public static IReadOnlyList<int>? TryParse(string text)
    {
        int[] all = [.. text.Split(',', StringSplitOptions.TrimEntries).Select(part =>
            byte.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out byte number) && HubDomain.IsItem((DomainType)number)
                ? number : 0)];
        return all.Contains(0) ? null : all;
    }
}

/// <summary>The address of an interactive source.</summary>
/// <param name="Host">Host of the source.</param>
/// <param name="Port">Port of the source.</param>
/// <param name="Service">The only service used of the source; null for all.</param>
internal sealed record UpstreamAddress(string Host, int Port, string? Service)
{
    /// <summary>
    /// Reads addresses of the form <c>host:port[,service]</c>, separated by semicolons or blanks; null when one cannot be read.
    /// </summary>
    public static IReadOnlyList<UpstreamAddress>? TryParseList(string text)
    {
        UpstreamAddress?[] all =
            [.. text.Split([';', ' '], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Select(TryParse)];
        return all.Length == 0 || all.Contains(null) ? null : [.. all.OfType<UpstreamAddress>()];
    }

    /// <summary>The address as it is typed.</summary>
    public override string ToString()
    {
        string host = Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host;
        string address = string.Create(CultureInfo.InvariantCulture, $"{host}:{Port}");
        return Service is null ? address : $"{address},{Service}";
    }

    private static UpstreamAddress? TryParse(string text)
    {
        string[] parts = text.Split(',', 2);
        int colon = parts[0].LastIndexOf(':');
        bool isPort = int.TryParse(parts[0][(colon + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out int port);
        return colon > 0 && isPort && port is > 0 and <= ushort.MaxValue && parts[^1].Length > 0
            ? new(parts[0][..colon].Trim('[', ']'), port, parts.Length > 1 ? parts[1] : null) : null;
    }
}

/// <summary>A service without an interactive source.</summary>
/// <param name="Name">Name of the service.</param>
/// <param name="Id">Id of the service, 1 to 65,535.</param>
internal sealed record OwnService(string Name, ushort Id)
{
    /// <summary>Reads services of the form <c>name,id</c>, separated by semicolons; null when one cannot be read.</summary>
    public static IReadOnlyList<OwnService>? TryParseList(string text)
    {
        OwnService?[] all = [.. text.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Select(TryParse)];
        return all.Length == 0 || all.Contains(null) ? null : [.. all.OfType<OwnService>()];
    }

    /// <summary>Describes the service for the directory that consumers receive.</summary>
    public ServiceOffer Describe() => new() { Name = Name, Id = Id, HasOrderBooks = true };

    /// <summary>The service as it is typed.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Name},{Id}");

    private static OwnService? TryParse(string text)
    {
        string[] parts = text.Split(',');
        return parts is [{ Length: > 0 } name, var id]
            && ushort.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number) && number > 0
            ? new(name, number) : null;
    }
}
