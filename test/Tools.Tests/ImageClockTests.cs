using ConsPerf;
using Xunit;

namespace Tools.Tests;

public class ImageClockTests
{
    [Fact]
    public void Report_AllWorkers_TakesTheLatest()
    {
        ImageClock clock = new(3);
        clock.Report(50);
        clock.Report(70);
        Assert.False(clock.IsComplete);
        Assert.Equal(long.MaxValue, clock.CompleteNanos);
        clock.Report(60);

        Assert.True(clock.IsComplete);
        Assert.Equal(70, clock.CompleteNanos);
    }

    [Fact]
    public void Report_FromManyThreads_TakesTheLatest()
    {
        ImageClock clock = new(8_000);
        Parallel.For(0, 8_000, i => clock.Report(i + 1));

        Assert.Equal(8_000, clock.CompleteNanos);
    }
}
