using PerfCommon.Measurement;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>What all source threads have in common. Immutable.</summary>
internal sealed record SourceSettings
{
    /// <summary>How long an image is kept of which nobody said it.</summary>
    public const int DefaultKeepImagesSeconds = 60;

    /// <summary>The services of all sources.</summary>
    public required ServiceTable Services { get; init; }

    /// <summary>What stands for an item that no non-interactive provider has published.</summary>
    public UncachedAnswer Uncached { get; init; }

    /// <summary>False where each watcher has a stream of its own at the source.</summary>
    public bool IsCaching { get; init; } = true;

    /// <summary>The views of all consumers.</summary>
    public ViewTable Views { get; init; } = new();

    /// <summary>What may be changed while it runs.</summary>
    public HubTuning Tuning { get; init; } = new();

    /// <summary>Most fields of an item.</summary>
    public int MaxFields { get; init; } = FieldLimit.DefaultMaxFields;

    /// <summary>Says when there is no room for more.</summary>
    public HubMemory Memory { get; init; } = new();

    /// <summary>How long an image is kept that nobody publishes or watches any more.</summary>
    public long KeepImagesNanos { get; init; } = DefaultKeepImagesSeconds * Clock.NanosPerSecond;
}
