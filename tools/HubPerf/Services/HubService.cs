using PerfCommon.Domains;

namespace HubPerf.Services;

/// <summary>A service as the hub offers it. Immutable; a change makes another.</summary>
internal sealed record HubService
{
    /// <summary>What consumers are told, with the hub's own id.</summary>
    public required ServiceOffer Offer { get; init; }

    /// <summary>Number of the source thread that has its items.</summary>
    public required int SourceHost { get; init; }

    /// <summary>What items are asked of; null for a service without an interactive source.</summary>
    public object? Owner { get; init; }

    /// <summary>What dictionary requests are answered from.</summary>
    public required DictionaryProvider Dictionary { get; init; }

    public ushort Id => Offer.Id;
}

/// <summary>All services of the hub at one moment.</summary>
/// <param name="Version">Grows with every change.</param>
/// <param name="ById">By the hub's ids.</param>
/// <param name="Offers">What a directory lists.</param>
internal sealed record ServiceSnapshot(int Version, IReadOnlyDictionary<ushort, HubService> ById, IReadOnlyList<ServiceOffer> Offers)
{
    public static ServiceSnapshot Empty { get; } = new(0, new Dictionary<ushort, HubService>(), []);
}
