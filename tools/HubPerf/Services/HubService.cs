using PerfCommon.Domains;

namespace HubPerf.Services;

/// <summary>A service as the hub offers it. Immutable; a change makes another.</summary>
internal sealed record HubService
{
    /// <summary>What consumers are told, with the hub's own id.</summary>
    public required ServiceOffer Offer { get; init; }

    /// <summary>Number of the source thread that has its items; of no meaning where each item has its own.</summary>
    public int SourceHost { get; init; }

    /// <summary>What items are asked of, or what says for each of them which source thread has it.</summary>
    public object? Owner { get; init; }

    /// <summary>What dictionary requests are answered from.</summary>
    public required DictionaryProvider Dictionary { get; init; }

    public ushort Id => Offer.Id;

    /// <summary>True for a service of non-interactive providers: its items are on all source threads.</summary>
    public bool IsPublished => Owner is ItemOwners;

    /// <summary>Number of the source thread that has an item.</summary>
    public int HostOf(ReadOnlySpan<byte> name) => Owner is ItemOwners owners ? owners.HostOf(name) : SourceHost;

    /// <summary>It once it has no source any more.</summary>
    public HubService Down() => this with { Offer = Offer with { IsUp = false, AcceptsRequests = false } };
}

/// <summary>All services of the hub at one moment.</summary>
/// <param name="Version">Grows with every change.</param>
/// <param name="ById">By the hub's ids.</param>
/// <param name="Offers">What a directory lists.</param>
internal sealed record ServiceSnapshot(int Version, IReadOnlyDictionary<ushort, HubService> ById, IReadOnlyList<ServiceOffer> Offers)
{
    public static ServiceSnapshot Empty { get; } = new(0, new Dictionary<ushort, HubService>(), []);
}
