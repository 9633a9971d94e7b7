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
    public ProcessSampler(long nowNanos)
    {
        _lastNanos = nowNanos;
        _lastCpu = Environment.CpuUsage.TotalTime;
    }

    /// <summary>Measures what was used since the last sample, or since the start.</summary>
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

    public void Dispose() => _process.Dispose();

    /// <summary>Processor time as a share of wall time, in percent; 0 when no time has passed.</summary>
    internal static double PercentOfCore(TimeSpan cpu, long wallNanos) =>
        wallNanos <= 0 ? 0 : Percent * cpu.TotalSeconds * Clock.NanosPerSecond / wallNanos;
}

/// <summary>What this process used, measured at one collection.</summary>
internal readonly record struct ProcessSample
{
    private const double BytesPerMegabyte = 1_048_576;

    /// <summary>Processor time since the last sample, in percent of the whole machine (100: every processor busy).</summary>
    public double CpuPercent { get; init; }

    /// <summary>The same in percent of one processor.</summary>
    public double CoreCpuPercent { get; init; }

    /// <summary>Processor time of the process since its start, in seconds.</summary>
    public double CpuSeconds { get; init; }

    /// <summary>Largest working set so far: the reports' memory figure.</summary>
    public long PeakWorkingSetBytes { get; init; }

    public long WorkingSetBytes { get; init; }

    public long ManagedHeapBytes { get; init; }

    /// <summary>Collections since the start, those of higher generations included.</summary>
    public int Gen0Collections { get; init; }

    public int Gen1Collections { get; init; }

    public int Gen2Collections { get; init; }

    /// <summary>Time the collector has stopped the process since the start, in milliseconds.</summary>
    public double GcPauseMillis { get; init; }

    /// <summary><see cref="PeakWorkingSetBytes"/> in megabytes of 1,048,576 bytes.</summary>
    public double MemoryMegabytes => PeakWorkingSetBytes / BytesPerMegabyte;
}

/// <summary>Processor and memory samples of a run, for the summary.</summary>
internal sealed class ResourceStatistics
{
    public ValueStatistics CpuPercent { get; } = new();

    public ValueStatistics CoreCpuPercent { get; } = new();

    /// <summary>Peak working set in megabytes, as sampled.</summary>
    public ValueStatistics MemoryMegabytes { get; } = new();

    /// <summary>The latest sample; default before the first.</summary>
    public ProcessSample Last { get; private set; }

    public long Count => CpuPercent.Count;

    public void Add(in ProcessSample sample)
    {
        CpuPercent.Add(sample.CpuPercent);
        CoreCpuPercent.Add(sample.CoreCpuPercent);
        MemoryMegabytes.Add(sample.MemoryMegabytes);
        Last = sample;
    }
}
