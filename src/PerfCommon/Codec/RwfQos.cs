using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>A quality of service.</summary>
/// <param name="Timeliness">Values of <see cref="QosTimeliness"/>, 0 to 7.</param>
/// <param name="Rate">Values of <see cref="QosRate"/>, 0 to 15.</param>
/// <param name="Dynamic">May change while the stream is open.</param>
/// <param name="TimeInfo">Delay; travels when the timeliness is above 2.</param>
/// <param name="RateInfo">Interval of conflation; travels when the rate is above 2.</param>
[DebuggerDisplay("timeliness {Timeliness}, rate {Rate}")]
public readonly record struct RwfQos(byte Timeliness, byte Rate, bool Dynamic = false, ushort TimeInfo = 0, ushort RateInfo = 0)
{
    /// <summary>Real time, tick by tick: the single byte 0x22.</summary>
    public static RwfQos RealTimeTickByTick => new((byte)QosTimeliness.RealTime, (byte)QosRate.TickByTick);

    /// <summary>True when the delay travels.</summary>
    internal bool HasTimeInfo => Timeliness > (byte)QosTimeliness.DelayedUnknown;

    /// <summary>True when the interval of conflation travels.</summary>
    internal bool HasRateInfo => Rate > (byte)QosRate.JitConflated;
}
