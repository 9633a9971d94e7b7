using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>What one consumer worker does on its connection. Immutable but for the clock of all workers' images.</summary>
internal sealed record ConsumerPlan
{
    /// <summary>Who logs in.</summary>
    public required LoginIdentity Identity { get; init; }

    /// <summary>The service whose items are requested.</summary>
    public required string ServiceName { get; init; }

    /// <summary>The item list.</summary>
    public required ItemList Items { get; init; }

    /// <summary>Which items of the list are this worker's.</summary>
    public required ItemPartition Partition { get; init; }

    /// <summary>Number of the worker, from 0.</summary>
    public required int Thread { get; init; }

    /// <summary>When all workers have their images; shared by them.</summary>
    public required ImageClock ImageClock { get; init; }

    /// <summary>The dictionary of the user's files; null downloads it from the provider.</summary>
    public FieldDictionary? Dictionary { get; init; }

    /// <summary>Our own dictionary, for a provider that refuses the download or stays silent.</summary>
    public required Func<FieldDictionary> CreateFallbackDictionary { get; init; }

    /// <summary>Bursts per second, 1 or more.</summary>
    public required int TickRate { get; init; }

    /// <summary>Item requests per second.</summary>
    public required int RequestRate { get; init; }

    /// <summary>True asks for images only.</summary>
    public bool Snapshot { get; init; }

    /// <summary>True ends the run at the first field that the dictionary lacks.</summary>
    public bool StrictFields { get; init; }

    /// <summary>True when stamps are nanoseconds, not microseconds.</summary>
    public bool NanoStamps { get; init; }

    /// <summary>Nanoseconds after the last image whose latencies count as neither start-up nor steady.</summary>
    public long SteadyDelayNanos { get; init; }

    /// <summary>Samples kept for the latency file between two collections; 0 keeps none.</summary>
    public int LatencyRecords { get; init; }
}
