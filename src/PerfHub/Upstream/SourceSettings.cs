using PerfCommon.Measurement;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>The settings that all source threads share. Immutable.</summary>
internal sealed record SourceSettings
{
    /// <summary>The default for <see cref="KeepImagesNanos"/>, in seconds.</summary>
    public const int DefaultKeepImagesSeconds = 60;

    /// <summary>The services of all sources.</summary>
    public required ServiceTable Services { get; init; }

    /// <summary>The answer for an item that no non-interactive provider has published.</summary>
    public UncachedAnswer Uncached { get; init; }

    /// <summary>False where each watcher has a separate stream at the source.</summary>
    public bool IsCaching { get; init; } = true;

    /// <summary>The views of all consumers.</summary>
    public ViewTable Views { get; init; } = new();

    /// <summary>The settings that may be changed while it runs.</summary>
    public HubTuning Tuning { get; init; } = new();

    /// <summary>Maximum number of fields of an item.</summary>
    public int MaxFields { get; init; } = FieldLimit.DefaultMaxFields;

    /// <summary>The memory limit of the hub.</summary>
    public HubMemory Memory { get; init; } = new();

    /// <summary>Time for which an image without publisher and watcher is kept.</summary>
    public long KeepImagesNanos { get; init; } = DefaultKeepImagesSeconds * Clock.NanosPerSecond;
}
