using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Running;

/// <summary>What the options make of time stamps.</summary>
internal static class StampUnits
{
    /// <summary>What a time stamp counts.</summary>
    public static LatencyUnit StampUnit(this SessionOptions options) =>
        options.NanoTime ? LatencyUnit.Nanoseconds : LatencyUnit.Microseconds;
}
