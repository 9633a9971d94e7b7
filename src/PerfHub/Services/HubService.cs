using PerfCommon.Domains;

namespace PerfHub.Services;

/// <summary>A service as the hub offers it. Immutable; a change makes another.</summary>
internal sealed record HubService
{
    /// <summary>The directory entry that consumers receive, with the hub's id.</summary>
    public required ServiceOffer Offer { get; init; }

    /// <summary>Number of the source thread that has its items; unused where each item has its own source thread.</summary>
    public int UpstreamIndex { get; init; }

    /// <summary>The source of its items, or the table of each item's source thread.</summary>
    public object? Owner { get; init; }

    /// <summary>The provider that answers dictionary requests.</summary>
    public required DictionaryProvider Dictionary { get; init; }

    /// <summary>Number that distinguishes it from earlier services: an id is reused once its service is gone.</summary>
    public ushort Serial { get; init; }

    /// <summary>True where items of domains other than market price and market by order have a source.</summary>
    public bool PassesOn { get; init; } = true;

    public ushort Id => Offer.Id;

    /// <summary>Its key in messages between threads: never 0.</summary>
    public ServiceKey Key => new(Id, Serial);

    /// <summary>True for a service of non-interactive providers: its items are on all source threads.</summary>
    public bool IsPublished => Owner is ItemOwners;

    /// <summary>Returns the number of the source thread that has an item.</summary>
    public int HostOf(ReadOnlySpan<byte> name) => Owner is ItemOwners owners ? owners.HostOf(name) : UpstreamIndex;

    /// <summary>Returns the service without a source.</summary>
    public HubService Down() => this with { Offer = Offer with { IsUp = false, AcceptsRequests = false } };

    /// <summary>True when a directory shows no difference between both.</summary>
    public bool IsLike(HubService other) => Owner == other.Owner && UpstreamIndex == other.UpstreamIndex && Dictionary == other.Dictionary
        && Offer.InfoElements.Span.SequenceEqual(other.Offer.InfoElements.Span)
        && Offer with { InfoElements = default } == other.Offer with { InfoElements = default };
}

/// <summary>The contents of the directory at one moment.</summary>
/// <param name="Version">Grows with every change.</param>
/// <param name="Offers">The services, by their ids.</param>
internal sealed record ServiceSnapshot(int Version, IReadOnlyList<ServiceOffer> Offers)
{
    public static ServiceSnapshot Empty { get; } = new(0, []);

    /// <summary>Maximum bytes of all of them.</summary>
    public int MaxBytes { get; } = Offers.Sum(offer => offer.MaxEntryBytes);
}
