using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class ProcessSamplerTests
{
    [Fact]
    public void Sample_ThisProcess_HasPlausibleFigures()
    {
        CpuReading now = CpuClock.Current.Read();
        using ProcessSampler sampler = new(now with { AtNanos = now.AtNanos - Clock.NanosPerSecond, ProcessNanos = 0 });
        ProcessSample sample = sampler.Sample(now);
        Assert.Equal((1, now.ProcessNanos / 1e9), (sample.Seconds, sample.CpuSeconds));
        Assert.Equal(100 * sample.CpuSeconds, sample.CoreCpuPercent, 6);
        Assert.Equal(sample.CoreCpuPercent, sample.CpuPercent * Environment.ProcessorCount, 6);
        Assert.True(sample.PeakWorkingSetBytes >= sample.WorkingSetBytes / 2);
        Assert.True(sample.MemoryMegabytes > 1 && sample.ManagedHeapBytes > 0 && sample.CpuSeconds > 0);
    }

    [Fact]
    public void ResourceStatistics_SamplesOfUnequalLength_AverageIsTimeByTime()
    {
        ResourceStatistics resources = new(intervalSeconds: 5);
        resources.Add(new ProcessSample { Seconds = 5, CpuPercent = 2, CoreCpuPercent = 4, PeakWorkingSetBytes = 1_048_576 });
        resources.Add(new ProcessSample { Seconds = 5, CpuPercent = 4, CoreCpuPercent = 8, PeakWorkingSetBytes = 3_145_728 });
        resources.Add(new ProcessSample { Seconds = 0.1, CpuPercent = 103, CoreCpuPercent = 206, PeakWorkingSetBytes = 3_145_728 });
        Assert.Equal(40.3 / 10.1, resources.CpuPercent.Average, 9); // 5 x 2 + 5 x 4 + 0.1 x 103, divided by all the time
        Assert.Equal((3L, 3.0), (resources.Count, resources.Last.MemoryMegabytes));
    }

    [Fact]
    public void ResourceStatistics_SampleShorterThanHalfAnInterval_IsNoExtreme()
    {
        ResourceStatistics resources = new(intervalSeconds: 5);
        resources.Add(new ProcessSample { Seconds = 2.4, CoreCpuPercent = 50 });
        Assert.Equal((50, 50), (resources.CoreCpuPercent.Max, resources.CoreCpuPercent.Min)); // there is no other
        resources.Add(new ProcessSample { Seconds = 5, CoreCpuPercent = 10 });
        resources.Add(new ProcessSample { Seconds = 2.5, CoreCpuPercent = 20 });
        Assert.Equal((20, 10), (resources.CoreCpuPercent.Max, resources.CoreCpuPercent.Min));
    }

    [Fact]
    public void Clock_ReadTwice_NeverGoesBack()
    {
        long first = Clock.NowNanos;
        Assert.InRange(Clock.NowNanos - first, 0, 60 * Clock.NanosPerSecond);
        Assert.InRange(Clock.NowMicros - (first / 1_000), 0, 60_000_000);
    }
}
