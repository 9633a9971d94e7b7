using System.Diagnostics;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What a directory says of one service; a member nobody gave is null.</summary>
[DebuggerDisplay("{Name} ({Id}), ready {IsReady}")]
public sealed record ServiceInfo
{
    /// <summary>Number of the service in message keys.</summary>
    public ushort Id { get; init; }

    /// <summary>Name of the service; null while no INFO came.</summary>
    public string? Name { get; init; }

    /// <summary>Who runs it.</summary>
    public string? Vendor { get; init; }

    /// <summary>First quality of service it offers.</summary>
    public RwfQos? Qos { get; init; }

    /// <summary>Items one connection may open.</summary>
    public ulong? OpenLimit { get; init; }

    /// <summary>True when the service says it is up.</summary>
    public bool? IsUp { get; init; }

    /// <summary>True when it says it takes requests.</summary>
    public bool? AcceptsRequests { get; init; }

    /// <summary>True when requests make sense: up, and not refusing them.</summary>
    public bool IsReady => IsUp == true && AcceptsRequests != false;
}
