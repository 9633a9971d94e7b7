namespace PerfCommon.Measurement;

/// <summary>The unit of recorded times: that of the stamps. Series of different units are never merged.</summary>
internal enum LatencyUnit
{
    /// <summary>Microseconds, the default of the stamps.</summary>
    Microseconds,

    /// <summary>Nanoseconds: <c>-nanoTime</c> and TransportPerf.</summary>
    Nanoseconds,
}
