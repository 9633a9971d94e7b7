using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>The settings that all consumer connections share. Immutable.</summary>
internal sealed record HubSettings
{
    /// <summary>
    /// Messages that may wait for one connection. The bytes are limited, too, so that a consumer of many small messages does not count as slow after
    /// a short stall.
    /// </summary>
    public const int UsualOutputBuffers = 1_000_000;

    /// <summary>Default of <see cref="MaxQueueBytes"/>.</summary>
    public const int UsualQueueBytes = 4 * 1024 * 1024;

    /// <summary>Minimum of <see cref="MaxQueueBytes"/>: some messages of the longest kind.</summary>
    public const int MinQueueBytes = 65_536;

    public required ServiceTable Services { get; init; }

    /// <summary>The contents of the login refresh.</summary>
    public required LoginOffer Offer { get; init; }

    /// <summary>The dictionary for requests to a service that does not exist.</summary>
    public required FieldDictionary Dictionary
    {
        get;
        init
        {
            field = value;
            OwnDictionary = new DictionaryProvider(value);
        }
    }

    /// <summary>Provides <see cref="Dictionary"/>.</summary>
    public DictionaryProvider OwnDictionary { get; private init; } = null!; // set with the required dictionary

    /// <summary>The settings of batches and throttling.</summary>
    public HubTuning Tuning { get; init; } = new();

    /// <summary>Maximum messages in one buffer; 1 does not pack.</summary>
    public int MaxPackCount { get; init; } = 1;

    /// <summary>Size of a packed buffer in bytes, the 2-byte length of each message included.</summary>
    public int PackBufferBytes { get; init; }

    /// <summary>How messages share a buffer.</summary>
    public Packing Packing => new(MaxPackCount, PackBufferBytes);

    /// <summary>Maximum bytes queued for one connection.</summary>
    public int MaxQueueBytes { get; init; } = UsualQueueBytes;

    /// <summary>Bytes of updates for one connection above which they wait no longer.</summary>
    public int HoldBytes { get; init; } = ChannelOptions.BytesAtOnce;

    /// <summary>Maximum number of fields of an item.</summary>
    public int MaxFields { get; init; } = FieldLimit.DefaultMaxFields;

    /// <summary>The memory limit of the hub.</summary>
    public HubMemory Memory { get; init; } = new();

    public SlowConsumerPolicy Slow { get; init; }

    /// <summary>Domains of items that may be requested.</summary>
    public DomainLimit Domains { get; init; } = DomainLimit.None;

    /// <summary>The views of all consumers.</summary>
    public ViewTable Views { get; init; } = new();

    /// <summary>True where one port serves non-interactive providers, too.</summary>
    public bool TakesPublishers { get; init; }

    /// <summary>Maximum number of open streams of one connection.</summary>
    public int OpenLimit { get; init; } = 1_000_000;

    /// <summary>Returns <see cref="HoldBytes"/> for a port.</summary>
    /// <param name="port">Settings of the port for consumers.</param>
    /// <param name="maxQueueBytes">Maximum bytes queued for one connection.</param>
    public static int HoldBytesOf(ListenOptions port, int maxQueueBytes) => Math.Min(port.EffectiveHighWaterMark(recordBytes: 0), maxQueueBytes);

    /// <summary>Creates the contents of a hub's login refresh.</summary>
    /// <param name="applicationName">The name that the hub reports.</param>
    /// <param name="roundTrips">True measures round trips with peers that agree to it.</param>
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

    /// <summary>Creates the settings that the source threads of the same hub share.</summary>
    public SourceSettings CreateSourceSettings() => new()
    {
        Services = Services,
        Views = Views,
        Tuning = Tuning,
        MaxFields = MaxFields,
        Memory = Memory,
    };
}
