using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>What a provider offers on each of its connections. Immutable, shared by all of them.</summary>
public sealed record ProviderSessionOptions
{
    /// <summary>What the login refresh says of the provider; null for the name of this process.</summary>
    public LoginOffer? Offer { get; init; }

    /// <summary>The service that is announced.</summary>
    public required ServiceOffer Service { get; init; }

    /// <summary>Fields and enum tables, also for consumers that download them.</summary>
    public required FieldDictionary Dictionary { get; init; }

    /// <summary>Most messages in one buffer; 1 does not pack.</summary>
    public int MaxPackCount { get; init; } = 1;

    /// <summary>Bytes of a packed buffer.</summary>
    public int PackBufferBytes { get; init; } = 6000;

    /// <summary>Refreshes sent between two looks at the clock, 1 or more.</summary>
    public int RefreshBurstSize { get; init; } = 10;

    /// <summary>True answers requests that come before a login; false closes such a connection.</summary>
    public bool LoginOptional { get; init; }

    internal Packing Packing => new(MaxPackCount, PackBufferBytes);
}
