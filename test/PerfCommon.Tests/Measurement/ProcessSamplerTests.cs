using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class ProcessSamplerTests
{
    [Fact]
    public void Sample_ThisProcess_HasPlausibleFigures()
    {
        using ProcessSampler sampler = new(nowNanos: 0);
        ProcessSample sample = sampler.Sample(Clock.NanosPerSecond);
        Assert.True(sample.CpuPercent >= 0 && sample.CoreCpuPercent >= sample.CpuPercent);
        Assert.Equal(sample.CoreCpuPercent, sample.CpuPercent * Environment.ProcessorCount, 6);
        Assert.True(sample.PeakWorkingSetBytes >= sample.WorkingSetBytes / 2);
        Assert.True(sample.MemoryMegabytes > 1 && sample.ManagedHeapBytes > 0 && sample.CpuSeconds > 0);
    }

    [Theory]
    [InlineData(500, 1_000_000_000, 50)]
    [InlineData(0, 1_000_000_000, 0)]
    [InlineData(500, 0, 0)]
    [InlineData(500, -1, 0)]
    [InlineData(3_000, 1_500_000_000, 200)]
    public void PercentOfCore_TimeUsed_IsItsShareOfWallTime(int cpuMillis, long wallNanos, double percent) =>
        Assert.Equal(percent, ProcessSampler.PercentOfCore(TimeSpan.FromMilliseconds(cpuMillis), wallNanos), 9);

    [Fact]
    public void ResourceStatistics_Samples_AreCollected()
    {
        ResourceStatistics resources = new();
        resources.Add(new ProcessSample { CpuPercent = 2, CoreCpuPercent = 4, PeakWorkingSetBytes = 1_048_576 });
        resources.Add(new ProcessSample { CpuPercent = 4, CoreCpuPercent = 8, PeakWorkingSetBytes = 3_145_728 });
        Assert.Equal((2L, 3.0, 8.0, 2.0), (resources.Count, resources.CpuPercent.Mean, resources.CoreCpuPercent.Max, resources.MemoryMegabytes.Mean));
        Assert.Equal(3, resources.Last.MemoryMegabytes);
    }

    [Fact]
    public void Clock_ReadTwice_NeverGoesBack()
    {
        long first = Clock.NowNanos;
        Assert.InRange(Clock.NowNanos - first, 0, 60 * Clock.NanosPerSecond);
        Assert.InRange(Clock.NowMicros - (first / 1_000), 0, 60_000_000);
    }
}
