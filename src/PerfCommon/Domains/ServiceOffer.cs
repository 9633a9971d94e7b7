using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The one service a provider of ours has.</summary>
public sealed record ServiceOffer
{
    /// <summary>Name of the service.</summary>
    public required string Name { get; init; }

    /// <summary>Its number in message keys, 1 to 65,535.</summary>
    public required ushort Id { get; init; }

    /// <summary>Items one connection may open; 0 announces no limit.</summary>
    public ulong OpenLimit { get; init; }

    /// <summary>Who runs it.</summary>
    public string Vendor { get; init; } = "PerfTools";

    /// <summary>Quality of service of every item.</summary>
    public RwfQos Qos { get; init; } = RwfQos.RealTimeTickByTick;
}
