using PerfCommon.Domains;

namespace PerfHub.Services;

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

    /// <summary>Which of all services this is that the table has had: an id is given away again once its service is gone.</summary>
    public ushort Serial { get; init; }

    /// <summary>True where items of other domains than market price and market by order have a source to come from.</summary>
    public bool PassesOn { get; init; } = true;

    public ushort Id => Offer.Id;

    /// <summary>What threads tell each other of it: never 0.</summary>
    public ServiceKey Key => new(Id, Serial);

    /// <summary>True for a service of non-interactive providers: its items are on all source threads.</summary>
    public bool IsPublished => Owner is ItemOwners;

    /// <summary>Number of the source thread that has an item.</summary>
    public int HostOf(ReadOnlySpan<byte> name) => Owner is ItemOwners owners ? owners.HostOf(name) : SourceHost;

    /// <summary>It once it has no source any more.</summary>
    public HubService Down() => this with { Offer = Offer with { IsUp = false, AcceptsRequests = false } };

    /// <summary>True when a directory says the same of both.</summary>
    public bool IsLike(HubService other) => Owner == other.Owner && SourceHost == other.SourceHost && Dictionary == other.Dictionary
        && Offer.InfoElements.Span.SequenceEqual(other.Offer.InfoElements.Span)
        && Offer with { InfoElements = default } == other.Offer with { InfoElements = default };
}

/// <summary>What a directory lists at one moment.</summary>
/// <param name="Version">Grows with every change.</param>
/// <param name="Offers">The services, by their ids.</param>
internal sealed record ServiceSnapshot(int Version, IReadOnlyList<ServiceOffer> Offers)
{
    public static ServiceSnapshot Empty { get; } = new(0, []);

    /// <summary>Most bytes of all of them.</summary>
    public int MaxBytes { get; } = Offers.Sum(offer => offer.MaxEntryBytes);
}
