using System.Text.Json.Serialization;

namespace PerfTools.Results;

/// <summary>One step of a run whose rate changes, by the collections that lie wholly within it, as run.json has it.</summary>
internal sealed record RateStep
{
    /// <summary>Messages a second that were asked for in their time, over all connections.</summary>
    public required double RateAsked { get; init; }

    /// <summary>Messages a second that were received in it.</summary>
    public required double RateReached { get; init; }

    /// <summary>Their time; 0 where none lies within the step.</summary>
    public required double Seconds { get; init; }

    /// <summary>Latency in it; null without samples.</summary>
    public required RunLatency? LatencyMicros { get; init; }

    /// <summary>False where the rate was missed by more than one percent.</summary>
    [JsonIgnore]
    public bool IsKept => Seconds <= 0 || Verdict.IsKept(RateReached, RateAsked);
}
