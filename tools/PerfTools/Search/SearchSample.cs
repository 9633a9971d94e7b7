using System.Text.Json.Serialization;

namespace PerfTools.Search;

/// <summary>The stage of a search.</summary>
internal enum SearchStage
{
    /// <summary>It doubles until one value is kept and one is missed.</summary>
    Bracket,

    /// <summary>It bisects between the two, on the logarithm.</summary>
    Narrow,

    /// <summary>It repeats the same value.</summary>
    Confirm,

    /// <summary>It measures parts of the value found.</summary>
    Curve,
}

/// <summary>A measurement that a search requests.</summary>
/// <param name="Number">Its number, from 1.</param>
/// <param name="Stage">Its purpose.</param>
/// <param name="Value">The value to measure.</param>
/// <param name="Kept">The maximum value kept so far; null for none.</param>
/// <param name="Missed">The minimum value missed so far; null for none.</param>
internal sealed record SearchStep(int Number, SearchStage Stage, int Value, int? Kept, int? Missed);

/// <summary>One measurement of one value.</summary>
internal sealed record SearchSample
{
    /// <summary>Its number within the search, from 1.</summary>
    public int Number { get; init; }

    public required int Value { get; init; }

    /// <summary>True when every threshold held.</summary>
    public required bool IsKept { get; init; }

    /// <summary>Why it was not kept; null when it was kept.</summary>
    public string? Reason { get; init; }

    /// <summary>Why it proves nothing, so that it is dropped; null when it counts.</summary>
    public string? Disturbance { get; init; }

    /// <summary>How roles shared processors; null where that is unknown or changed.</summary>
    public string? Placement { get; init; }

    /// <summary>Its duration, start and end included.</summary>
    public double Seconds { get; init; }

    /// <summary>The figures; null where the roles left none.</summary>
    public SampleFigures? Figures { get; init; }

    /// <summary>The folder of the run, within that of the search.</summary>
    public string Folder { get; init; } = "";

    /// <summary>Its purpose.</summary>
    public SearchStage Stage { get; init; }
}

/// <summary>The figures of a measurement, as tables and curves show them.</summary>
internal sealed record SampleFigures
{
    /// <summary>Messages received per second.</summary>
    public required double Rate { get; init; }

    /// <summary>Latency in microseconds; a percentile is null where too few samples are above it.</summary>
    [JsonPropertyName("p50Micros")]
    public required double? P50 { get; init; }

    /// <inheritdoc cref="P50"/>
    [JsonPropertyName("p99Micros")]
    public required double? P99 { get; init; }

    /// <inheritdoc cref="P50"/>
    [JsonPropertyName("p999Micros")]
    public required double? P999 { get; init; }

    /// <summary>Messages sent on the measured link; null when the sender does not report them.</summary>
    public required long? Sent { get; init; }

    /// <summary>Messages that were due on any link and not sent.</summary>
    public required long? NotSent { get; init; }

    /// <summary>Each role, its processor time in percent of a core and its memory in MB.</summary>
    public required IReadOnlyList<RoleUse> Roles { get; init; }
}

/// <summary>The resources of a role; null where unknown.</summary>
internal sealed record RoleUse(string Name, double? CpuCorePercent, double? MemoryMegabytes);
