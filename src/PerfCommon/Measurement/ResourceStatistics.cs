namespace PerfCommon.Measurement;

/// <summary>Processor and memory samples of a run, for the summary.</summary>
internal sealed class ResourceStatistics
{
    /// <summary>Percent of the whole machine.</summary>
    public ValueStatistics CpuPercent { get; } = new();

    /// <summary>Percent of one processor.</summary>
    public ValueStatistics CoreCpuPercent { get; } = new();

    /// <summary>Peak working set in megabytes, as sampled.</summary>
    public ValueStatistics MemoryMegabytes { get; } = new();

    /// <summary>The latest sample; default before the first.</summary>
    public ProcessSample Last { get; private set; }

    /// <summary>Number of samples.</summary>
    public long Count => CpuPercent.Count;

    /// <summary>Adds one sample.</summary>
    public void Add(in ProcessSample sample)
    {
        CpuPercent.Add(sample.CpuPercent);
        CoreCpuPercent.Add(sample.CoreCpuPercent);
        MemoryMegabytes.Add(sample.MemoryMegabytes);
        Last = sample;
    }
}
