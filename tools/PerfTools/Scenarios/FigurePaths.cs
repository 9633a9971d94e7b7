namespace PerfTools.Scenarios;

/// <summary>Where the figures of a scenario stand in the JSON lines of its roles (docs/json-lines.md).</summary>
internal sealed record FigurePaths
{
    /// <summary>The roles that measure: their rates are added, and the latency is that of the one with the highest p99.</summary>
    public required IReadOnlyList<string> MeasuredBy { get; init; }

    /// <summary>Messages a second of the steady state, in the final line.</summary>
    public required string Rate { get; init; }

    /// <summary>Length of the steady state, in the final line.</summary>
    public required string Seconds { get; init; }

    /// <summary>Latency of the steady state, in the final line.</summary>
    public required string Latency { get; init; }

    /// <summary>Messages a second, in the line of an interval.</summary>
    public required string IntervalRate { get; init; }

    /// <summary>Latency, in the line of an interval.</summary>
    public required string IntervalLatency { get; init; }

    /// <summary>The retrieval of images, in a line's <c>overall</c> and <c>threads</c>; null where there are none.</summary>
    public string? Images { get; init; }

    /// <summary>Lateness of the ticks, in the final line of the role that sends on the first link.</summary>
    public string SendLag { get; init; } = "overall.sendLag";

    /// <summary>That role's option for its messages a second on each connection, with one dash.</summary>
    public required string RateOption { get; init; }

    /// <summary>An option of a measuring role with which it asks for no such messages at all; null for none.</summary>
    public string? SilencingOption { get; init; }
}
