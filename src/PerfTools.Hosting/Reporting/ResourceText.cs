using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>The summary's lines about processor and memory.</summary>
internal static class ResourceText
{
    /// <summary>Writes the lines; nothing without samples.</summary>
    public static void Write(TextWriter writer, ResourceStatistics resources)
    {
        if (resources.Count == 0)
            return;

        writer.Line($"  CPU/Memory Samples: {resources.Count}");
        writer.Line($"  CPU Usage max (%): {resources.CpuPercent.Max:F2}");
        writer.Line($"  CPU Usage min (%): {resources.CpuPercent.Min:F2}");
        writer.Line($"  CPU Usage avg (%): {resources.CpuPercent.Mean:F2}");
        writer.Line($"  Memory Usage max (MB): {resources.MemoryMegabytes.Max:F2}");
        writer.Line($"  Memory Usage min (MB): {resources.MemoryMegabytes.Min:F2}");
        writer.Line($"  Memory Usage avg (MB): {resources.MemoryMegabytes.Mean:F2}");
    }
}
