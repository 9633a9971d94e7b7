using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Running;

/// <summary>Derives the unit of time stamps from the options.</summary>
internal static class StampUnits
{
    /// <summary>Returns the unit of time stamps.</summary>
    public static LatencyUnit StampUnit(this SessionOptions options) =>
        options.NanoTime ? LatencyUnit.Nanoseconds : LatencyUnit.Microseconds;
}
