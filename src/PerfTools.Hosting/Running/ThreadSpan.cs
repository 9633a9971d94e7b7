using PerfCommon.Measurement;

namespace PerfTools.Hosting.Running;

/// <summary>A span of time on a thread, of which the processor time is measured. That thread only.</summary>
internal readonly struct ThreadSpan
{
    private readonly CpuReading _from;

    private ThreadSpan(CpuReading from) => _from = from;

    /// <summary>Processor time since the beginning, in percent of one processor; null where the system does not report that of threads.</summary>
    public double? CorePercent => CpuUse.OfThread(_from, CpuClock.Current.Read())?.CorePercent;

    /// <summary>Begins a span now.</summary>
    public static ThreadSpan Begin() => new(CpuClock.Current.Read());
}
