using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>What all consumers' connections have in common. Immutable.</summary>
internal sealed record HubSettings
{
    /// <summary>
    /// Messages that may wait for one connection. The bytes are limited, too, so that a short stall of a consumer of many small messages does
    /// not count as slow.
    /// </summary>
    public const int UsualOutputBuffers = 1_000_000;

    /// <summary>Bytes that may wait for one connection, unless somebody sets another limit.</summary>
    public const int UsualQueueBytes = 4 * 1024 * 1024;

    public required ServiceTable Services { get; init; }

    /// <summary>What the login refresh says.</summary>
    public required LoginOffer Offer { get; init; }

    /// <summary>For dictionary requests of a service that is not there.</summary>
    public required DictionaryProvider OwnDictionary { get; init; }

    /// <summary>Batches and throttling.</summary>
    public HubTuning Tuning { get; init; } = new();

    public Packing Packing { get; init; } = Packing.None;

    /// <summary>Most bytes that wait for one connection.</summary>
    public int MaxQueueBytes { get; init; } = UsualQueueBytes;

    /// <summary>Bytes of updates for one connection above which they wait for others no longer.</summary>
    public int HoldBytes { get; init; } = BytePipe.BytesAtOnce;

    /// <summary>Most fields of an item.</summary>
    public int MaxFields { get; init; } = FieldLimit.DefaultMaxFields;

    /// <summary>Says when there is no room for more.</summary>
    public HubMemory Memory { get; init; } = new();

    public SlowConsumerPolicy Slow { get; init; }

    /// <summary>Domains of items that may be asked for.</summary>
    public DomainLimit Domains { get; init; } = DomainLimit.None;

    /// <summary>The views of all consumers.</summary>
    public ViewTable Views { get; init; } = new();

    /// <summary>True where one port serves non-interactive providers, too.</summary>
    public bool TakesPublishers { get; init; }

    /// <summary>Streams that one connection may have open.</summary>
    public int OpenLimit { get; init; } = 1_000_000;

    /// <summary>What the login refresh of a hub says.</summary>
    /// <param name="applicationName">Who it is.</param>
    /// <param name="roundTrips">True measures round trips with who agrees.</param>
    public static LoginOffer CreateOffer(string applicationName, bool roundTrips = false) => new()
    {
        ApplicationName = applicationName,
        Position = LoginPosition.FindLocal(),
        SingleOpen = true,
        SupportOmmPost = true,
        SupportBatchRequests = LoginOffer.AllBatches,
        SupportViewRequests = true,
        SupportStandby = true,
        RoundTripLatency = roundTrips,
    };

    /// <summary>What the source threads of the same hub have in common.</summary>
    public SourceSettings CreateSourceSettings() => new()
    {
        Services = Services,
        Views = Views,
        Tuning = Tuning,
        MaxFields = MaxFields,
        Memory = Memory,
    };
}
