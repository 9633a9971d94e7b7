using System.Text.Json.Serialization;

namespace PerfTools.Results.Documents;

/// <summary>One step of a run with a changing rate, by the collections that lie entirely within it, as run.json has it.</summary>
public sealed record RateStep
{
    /// <summary>Maximum deviation of a rate from the requested one, as a part of it.</summary>
    internal const double RateTolerance = 0.01;

    /// <summary>Messages per second that were requested in their time, over all connections.</summary>
    public required double RateAsked { get; init; }

    /// <summary>Messages per second that were received in it.</summary>
    public required double RateReached { get; init; }

    /// <summary>When the first of its collections began; absent where none lies within the step, and in files of 0.16 and before.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTime? Utc { get; init; }

    /// <summary>Total time of its collections; 0 where none lies within the step.</summary>
    public required double Seconds { get; init; }

    /// <summary>Latency in it; null without samples.</summary>
    public required RunLatency? LatencyMicros { get; init; }

    /// <summary>True where the rate was reached to within one percent.</summary>
    [JsonIgnore]
    public bool IsKept => Seconds <= 0 || IsRateKept(RateReached, RateAsked);

    /// <summary>True when a rate is within one percent of the requested one.</summary>
    internal static bool IsRateKept(double reached, double asked) => Math.Abs(reached - asked) <= asked * RateTolerance;
}
