namespace PerfTools.Results;

/// <summary>What one role cost.</summary>
/// <param name="CpuCorePercent">Average processor time in percent of one core; null when it was not sampled.</param>
/// <param name="MemoryMegabytes">Highest working set, in units of 1,048,576 bytes; null when it was not sampled.</param>
internal sealed record RoleFigures(double? CpuCorePercent, double? MemoryMegabytes);
