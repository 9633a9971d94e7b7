using System.Diagnostics;

namespace PerfCommon.Measurement;

/// <summary>Samples processor time and memory of this process. Main thread only: the first call of the system is slow.</summary>
/// <param name="start">Reading at which the first sample begins.</param>
internal sealed class ProcessSampler(CpuReading start) : IDisposable
{
    private readonly Process _process = Process.GetCurrentProcess();
    private CpuReading _last = start;

    /// <summary>Returns the use since the last sample, or since the start.</summary>
    /// <param name="now">Reading at which the sample ends.</param>
    public ProcessSample Sample(CpuReading now)
    {
        CpuUse use = CpuUse.OfProcess(_last, now) ?? default;
        _last = now;
        _process.Refresh();
        return new ProcessSample
        {
            Seconds = use.Seconds,
            CpuPercent = use.MachinePercent,
            CoreCpuPercent = use.CorePercent,
            CpuSeconds = now.ProcessNanos / (double)Clock.NanosPerSecond,
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
}

/// <summary>Resources that this process used, measured at one collection.</summary>
internal readonly record struct ProcessSample
{
    private const double BytesPerMegabyte = 1_048_576;

    /// <summary>Time since the last sample.</summary>
    public double Seconds { get; init; }

    /// <summary>Processor time in it, in percent of the whole machine (100: every processor busy).</summary>
    public double CpuPercent { get; init; }

    /// <summary>Processor time in percent of one processor.</summary>
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

/// <summary>Collects the processor and memory samples of a run for the summary.</summary>
/// <param name="intervalSeconds">Usual time between two samples.</param>
internal sealed class ResourceStatistics(double intervalSeconds = 0)
{
    public CpuShares CpuPercent { get; } = new();

    public CpuShares CoreCpuPercent { get; } = new();

    /// <summary>Peak working set in megabytes, as sampled.</summary>
    public ValueStatistics MemoryMegabytes { get; } = new();

    /// <summary>The latest sample; default before the first.</summary>
    public ProcessSample Last { get; private set; }

    public long Count => MemoryMegabytes.Count;

    public void Add(in ProcessSample sample)
    {
        bool isExtreme = sample.Seconds >= intervalSeconds / 2;
        CpuPercent.Add(sample.CpuPercent, sample.Seconds, isExtreme);
        CoreCpuPercent.Add(sample.CoreCpuPercent, sample.Seconds, isExtreme);
        MemoryMegabytes.Add(sample.MemoryMegabytes);
        Last = sample;
    }
}

/// <summary>Averages the processor shares of successive samples.</summary>
/// <remarks>
/// The average weights each sample by its length. A sample that is much shorter than the others counts for no extreme.
/// </remarks>
internal sealed class CpuShares
{
    private readonly ValueStatistics _extremes = new();
    private double _percentSeconds;
    private double _seconds;

    public double Average => _seconds > 0 ? _percentSeconds / _seconds : 0;

    public double Max => _extremes.Count > 0 ? _extremes.Max : Average;

    public double Min => _extremes.Count > 0 ? _extremes.Min : Average;

    public void Add(double percent, double seconds, bool isExtreme)
    {
        _percentSeconds += percent * seconds;
        _seconds += seconds;
        if (isExtreme)
            _extremes.Add(percent);
    }
}
