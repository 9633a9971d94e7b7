namespace PerfCommon.Measurement;

/// <summary>The unit of recorded times: that of the stamps. Series of different units are never merged.</summary>
public enum LatencyUnit
{
    /// <summary>Microseconds, the default of the stamps.</summary>
    Microseconds,

    /// <summary>Nanoseconds: <c>-nanoTime</c> and TransportPerf.</summary>
    Nanoseconds,
}

/// <summary>Converts times of the clock to the unit of stamps.</summary>
internal static class LatencyUnits
{
    /// <summary>Converts a time or a span of the clock to this unit, rounded down as a stamp is.</summary>
    public static long FromNanos(this LatencyUnit unit, long nanos) =>
        unit == LatencyUnit.Nanoseconds ? nanos : nanos / Clock.NanosPerMicro;
}
