namespace PerfTools.Results.Documents;

/// <summary>
/// How far the wall clock of one rank is ahead of that of another: as it was measured, and as NTP or PTP states it, where the system of both has a
/// synchronized clock.
/// </summary>
public sealed record ClockCheck
{
    /// <summary>Measured by the probes of the clock by which latencies were corrected.</summary>
    internal const string Probes = "probes";

    /// <summary>Measured by the exchanges with rank 0 at the rendezvous.</summary>
    internal const string Rendezvous = "rendezvous";

    /// <summary>Number of the rank.</summary>
    public required int Rank { get; init; }

    /// <summary>Number of the rank with which it is compared.</summary>
    public required int Against { get; init; }

    /// <summary><c>probes</c> or <c>rendezvous</c>.</summary>
    public required string By { get; init; }

    /// <summary>The least difference that the measurement allows, in microseconds.</summary>
    public required double MinMicros { get; init; }

    /// <summary>The greatest one.</summary>
    public required double MaxMicros { get; init; }

    /// <summary>
    /// The greatest difference, either way, by NTP or PTP: the sum of the maximum errors of both; null where a clock is not synchronized, or not known to be.
    /// </summary>
    public required double? StatedMicros { get; init; }

    /// <summary>False where NTP or PTP states less than was measured; null where it states nothing.</summary>
    public bool? Agrees => StatedMicros is { } stated ? MinMicros <= stated && MaxMicros >= -stated : null;
}
