using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>What every worker of an interactive provider does for every connection. Immutable, shared by all threads.</summary>
internal sealed record ProviderPlan
{
    /// <summary>What the login refresh says of the provider.</summary>
    public required LoginOffer Offer { get; init; }

    /// <summary>The service that is announced.</summary>
    public required ServiceOffer Service { get; init; }

    /// <summary>Fields and enum tables, also for consumers that download them.</summary>
    public required FieldDictionary Dictionary { get; init; }

    /// <summary>Image, updates and generic messages.</summary>
    public required MessageData Messages { get; init; }

    /// <summary>Bursts per second, 1 or more.</summary>
    public required int TickRate { get; init; }

    /// <summary>Updates per second and connection; 0 for none.</summary>
    public int UpdateRate { get; init; }

    /// <summary>Stamped updates per second and connection; <see cref="Measurement.StampCells.All"/> stamps every one.</summary>
    public int UpdateStampRate { get; init; }

    /// <summary>Most messages in one buffer; 1 does not pack.</summary>
    public int MaxPackCount { get; init; } = 1;

    /// <summary>Bytes of a packed buffer.</summary>
    public int PackBufferBytes { get; init; } = 6000;

    /// <summary>Images sent between two looks at the clock, 1 or more.</summary>
    public int RefreshBurstSize { get; init; } = 10;

    /// <summary>True when stamps are nanoseconds, not microseconds.</summary>
    public bool NanoStamps { get; init; }
}
