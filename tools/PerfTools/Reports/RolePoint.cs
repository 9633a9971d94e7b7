namespace PerfTools.Reports;

/// <summary>The values of a role's collection, or of several merged into one point, for charts over time.</summary>
/// <param name="Utc">The end of its time.</param>
/// <param name="Seconds">The length of its time.</param>
internal sealed record RolePoint(DateTime Utc, double Seconds)
{
    /// <summary>Messages per second received by a role that measures; null for others.</summary>
    public double? Received { get; init; }

    /// <summary>Messages per second sent by the role whose messages are measured; null for others.</summary>
    public double? Sent { get; init; }

    /// <summary>The latency measured by a role.</summary>
    public LatencyPoint? Latency { get; init; }

    /// <summary>The lateness of the sender's ticks.</summary>
    public LatencyPoint? Lag { get; init; }

    /// <summary>Processor time, in percent of one core.</summary>
    public double? CpuPercent { get; init; }

    /// <summary>The working set, in units of 1,048,576 bytes.</summary>
    public double? Megabytes { get; init; }

    /// <summary>Merges it with the next point: rates as their mean, percentiles as their maximum.</summary>
    public RolePoint With(RolePoint next) => new(next.Utc, Seconds + next.Seconds)
    {
        Received = Mean(Received, next.Received, next),
        Sent = Mean(Sent, next.Sent, next),
        Latency = LatencyPoint.Highest(Latency, next.Latency),
        Lag = LatencyPoint.Highest(Lag, next.Lag),
        CpuPercent = Mean(CpuPercent, next.CpuPercent, next),
        Megabytes = Mean(Megabytes, next.Megabytes, next),
    };

    private double? Mean(double? own, double? others, RolePoint next) =>
        own is null || others is null || Seconds + next.Seconds <= 0
        ? others ?? own : ((own * Seconds) + (others * next.Seconds)) / (Seconds + next.Seconds);
}

/// <summary>A latency in a point, in microseconds; null where there are too few samples.</summary>
internal sealed record LatencyPoint(double? P50, double? P99, double? Max)
{
    public static LatencyPoint? Highest(LatencyPoint? a, LatencyPoint? b) =>
        a is null || b is null ? a ?? b : new(Higher(a.P50, b.P50), Higher(a.P99, b.P99), Higher(a.Max, b.Max));

    private static double? Higher(double? a, double? b) => a is null || b is null ? a ?? b : Math.Max(a.Value, b.Value);
}
