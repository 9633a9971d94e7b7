using System.Runtime.InteropServices;
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
        Assert.Equal(100 * sample.CpuSeconds, sample.CoreCpuPercent, tolerance: 1e-6);
        Assert.Equal(sample.CoreCpuPercent, sample.CpuPercent * Environment.ProcessorCount, tolerance: 1e-6);
        Assert.True(sample.PeakWorkingSetBytes >= sample.WorkingSetBytes / 2);
        Assert.True(sample.MemoryMegabytes > 1 && sample.ManagedHeapBytes > 0 && sample.CpuSeconds > 0);
    }

    [Fact]
    public void Sample_Second_IsOfTheTimeSinceTheFirst()
    {
        CpuReading start = CpuClock.Current.Read();
        using ProcessSampler sampler = new(start);
        CpuReading first = start with
        {
            AtNanos = start.AtNanos + (3 * Clock.NanosPerSecond),
            ProcessNanos = start.ProcessNanos + Clock.NanosPerSecond
        };
        CpuReading second = first with
        {
            AtNanos = first.AtNanos + (2 * Clock.NanosPerSecond),
            ProcessNanos = first.ProcessNanos + Clock.NanosPerSecond
        };
        Assert.Equal((3, 100 / 3.0), Rounded(sampler.Sample(first)));
        Assert.Equal((2, 50), Rounded(sampler.Sample(second)));
    }

    [Fact]
    public void Sample_NoTimeSinceTheLast_IsNothingAndNoError()
    {
        CpuReading start = CpuClock.Current.Read();
        using ProcessSampler sampler = new(start);
        Assert.Equal((0, 0), Rounded(sampler.Sample(start)));
    }

    [Fact]
    public unsafe void Sample_MemoryTakenMeanwhile_IsInTheFigures()
    {
        const int Bytes = 96 * 1024 * 1024;
        CpuReading now = CpuClock.Current.Read();
        using ProcessSampler sampler = new(now);
        ProcessSample before = sampler.Sample(now);
        void* memory = NativeMemory.Alloc(Bytes);
        NativeMemory.Fill(memory, Bytes, 1);
        ProcessSample after = sampler.Sample(now);
        NativeMemory.Free(memory);
        Assert.NotEqual(before.WorkingSetBytes, after.WorkingSetBytes); // the system's figures do not change until they are refreshed
        Assert.InRange(after.PeakWorkingSetBytes, Math.Max(Bytes, before.PeakWorkingSetBytes), long.MaxValue);
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

    private static (double Seconds, double CorePercent) Rounded(in ProcessSample sample) => (sample.Seconds, sample.CoreCpuPercent);

    [Fact]
    public void Clock_ReadTwice_NeverGoesBack()
    {
        long first = Clock.NowNanos;
        Assert.InRange(Clock.NowNanos - first, 0, 60 * Clock.NanosPerSecond);
        Assert.InRange(Clock.NowMicros - (first / 1_000), 0, 60_000_000);
    }
}
