using System.Diagnostics;

namespace PerfCommon.Measurement;

/// <summary>Samples processor time and memory of this process. Main thread only: the first call of the system is slow.</summary>
internal sealed class ProcessSampler : IDisposable
{
    private const double Percent = 100;

    private readonly Process _process = Process.GetCurrentProcess();
    private long _lastNanos;
    private TimeSpan _lastCpu;

    /// <summary>Starts measuring now, so that the first sample is a real one.</summary>
    /// <param name="nowNanos">The time now.</param>
    public ProcessSampler(long nowNanos)
    {
        _lastNanos = nowNanos;
        _lastCpu = Environment.CpuUsage.TotalTime;
    }

    /// <summary>Measures what was used since the last sample, or since the start.</summary>
    /// <param name="nowNanos">The time now.</param>
    public ProcessSample Sample(long nowNanos)
    {
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        double corePercent = PercentOfCore(cpu - _lastCpu, nowNanos - _lastNanos);
        (_lastNanos, _lastCpu) = (nowNanos, cpu);
        _process.Refresh();
        return new ProcessSample
        {
            CpuPercent = corePercent / Environment.ProcessorCount,
            CoreCpuPercent = corePercent,
            CpuSeconds = cpu.TotalSeconds,
            PeakWorkingSetBytes = _process.PeakWorkingSet64,
            WorkingSetBytes = _process.WorkingSet64,
            ManagedHeapBytes = GC.GetTotalMemory(forceFullCollection: false),
            Gen0Collections = GC.CollectionCount(0),
            Gen1Collections = GC.CollectionCount(1),
            Gen2Collections = GC.CollectionCount(2),
            GcPauseMillis = GC.GetTotalPauseDuration().TotalMilliseconds,
        };
    }

    /// <inheritdoc/>
    public void Dispose() => _process.Dispose();

    /// <summary>Processor time as a share of wall time, in percent; 0 when no time has passed.</summary>
    internal static double PercentOfCore(TimeSpan cpu, long wallNanos) =>
        wallNanos <= 0 ? 0 : Percent * cpu.TotalSeconds * Clock.NanosPerSecond / wallNanos;
}
