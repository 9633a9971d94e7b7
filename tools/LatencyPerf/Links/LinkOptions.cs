using System.Net;
using LatencyPerf.Protocol;
using PerfCommon.Transport.Tls;

namespace LatencyPerf.Links;

/// <summary>What a side asks of its link, whatever the transport is.</summary>
internal sealed record LinkOptions
{
    public required LinkKind Kind { get; init; }
    public required TestPorts Ports { get; init; }

    /// <summary>0 for the publisher, else the cookie.</summary>
    public required int Own { get; init; }

    /// <summary>The interface, as typed; null for any.</summary>
    public string? Nic { get; init; }

    /// <summary>The hosts of the others, as typed; empty for this host.</summary>
    public IReadOnlyList<string> Peers { get; init; } = [];

    /// <summary>The group on which this side receives; null for none.</summary>
    public IPAddress? Group { get; init; }

    /// <summary>TTL or hop limit of datagrams to a group.</summary>
    public int Ttl { get; init; } = 1;

    /// <summary>The number of subscribers of a publisher.</summary>
    public int Subscribers { get; init; } = 1;

    /// <summary>The largest packet.</summary>
    public int MaxBytes { get; init; }

    /// <summary>Datagrams that the protocol keeps; 1 where it keeps none.</summary>
    public int Window { get; init; } = 1;

    /// <summary>Polls instead of waiting.</summary>
    public bool IsBusy { get; init; }

    /// <summary>The encryption of a subscriber; null for plain bytes.</summary>
    public TlsClientSettings? ClientTls { get; init; }

    /// <summary>The encryption of a publisher; null for plain bytes.</summary>
    public TlsServerSettings? ServerTls { get; init; }

    /// <summary>The share of datagrams to drop on arrival, and the seed of their choice.</summary>
    public (double Rate, int Seed) Drop { get; init; }

    public bool IsPublisher => Own == IDatagramOutput.Publisher;
}
