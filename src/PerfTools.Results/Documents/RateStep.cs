using System.Text.Json.Serialization;

namespace PerfTools.Results.Documents;

/// <summary>One step of a run whose rate changes, by the collections that lie wholly within it, as run.json has it.</summary>
public sealed record RateStep
{
    /// <summary>How far a rate may be from what was asked for, a part of it.</summary>
    internal const double RateTolerance = 0.01;

    /// <summary>Messages a second that were asked for in their time, over all connections.</summary>
    public required double RateAsked { get; init; }

    /// <summary>Messages a second that were received in it.</summary>
    public required double RateReached { get; init; }

    /// <summary>When the first of its collections began; absent where none lies within the step, and in files of 0.16 and before.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTime? Utc { get; init; }

    /// <summary>Their time; 0 where none lies within the step.</summary>
    public required double Seconds { get; init; }

    /// <summary>Latency in it; null without samples.</summary>
    public required RunLatency? LatencyMicros { get; init; }

    /// <summary>False where the rate was missed by more than one percent.</summary>
    [JsonIgnore]
    public bool IsKept => Seconds <= 0 || IsRateKept(RateReached, RateAsked);

    /// <summary>True when a rate is within one percent of what was asked for.</summary>
    internal static bool IsRateKept(double reached, double asked) => Math.Abs(reached - asked) <= asked * RateTolerance;
}
