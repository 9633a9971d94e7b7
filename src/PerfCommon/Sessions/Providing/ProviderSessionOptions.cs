using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Service and settings of a provider's connections. Immutable, shared by all of them.</summary>
public sealed record ProviderSessionOptions
{
    /// <summary>Attributes of the provider in the login refresh; null for the name of this process.</summary>
    public LoginOffer? Offer { get; init; }

    /// <summary>The announced service.</summary>
    public required ServiceOffer Service { get; init; }

    /// <summary>Fields and enum tables, also for consumers that download them.</summary>
    public required FieldDictionary Dictionary { get; init; }

    /// <summary>Maximum messages in one buffer; 1 does not pack.</summary>
    public int MaxPackCount { get; init; } = 1;

    /// <summary>Bytes of a packed buffer.</summary>
    public int PackBufferBytes { get; init; } = 6000;

    /// <summary>Refreshes sent between two readings of the clock, 1 or more.</summary>
    public int RefreshBurstSize { get; init; } = 10;

    /// <summary>True answers requests that arrive before a login; false closes such a connection.</summary>
    public bool LoginOptional { get; init; }

    internal Packing Packing => new(MaxPackCount, PackBufferBytes);
}
