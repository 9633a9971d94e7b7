namespace PerfCommon.Measurement;

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

    /// <summary>Largest working set so far, in bytes: the reports' memory figure.</summary>
    public long PeakWorkingSetBytes { get; init; }

    /// <summary>Working set now, in bytes.</summary>
    public long WorkingSetBytes { get; init; }

    /// <summary>Managed heap in use, in bytes.</summary>
    public long ManagedHeapBytes { get; init; }

    /// <summary>Collections of generation 0 since the start, those of higher generations included.</summary>
    public int Gen0Collections { get; init; }

    /// <summary>Collections of generation 1 since the start, those of generation 2 included.</summary>
    public int Gen1Collections { get; init; }

    /// <summary>Collections of generation 2 since the start.</summary>
    public int Gen2Collections { get; init; }

    /// <summary>Time the collector has stopped the process since the start, in milliseconds.</summary>
    public double GcPauseMillis { get; init; }

    /// <summary><see cref="PeakWorkingSetBytes"/> in megabytes of 1,048,576 bytes.</summary>
    public double MemoryMegabytes => PeakWorkingSetBytes / BytesPerMegabyte;
}
