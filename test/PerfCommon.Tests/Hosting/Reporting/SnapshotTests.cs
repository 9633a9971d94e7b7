using System.Reflection;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace PerfCommon.Tests.Hosting.Reporting;

public class SnapshotTests
{
    [Fact]
    public void ConsumerCounts_SumAndDifference_CoverEveryCounter() =>
        AssertCombines(ReportSamples.BusyConsumerCounts(), (a, b) => a + b, (a, b) => a - b);

    [Fact]
    public void ProviderCounts_SumAndDifference_CoverEveryCounter() =>
        AssertCombines(ReportSamples.BusyProviderCounts(), (a, b) => a + b, (a, b) => a - b);

    [Fact]
    public void TransportCounts_SumAndDifference_CoverEveryCounter() =>
        AssertCombines(ReportSamples.BusyTransportCounts(), (a, b) => a + b, (a, b) => a - b);

    [Fact]
    public void ConsumerFigures_NothingHappened_HaveNoNegativeOrEndlessFigure()
    {
        ConsumerFigures figures = new() { Counts = ReportSamples.ConsumerCounts(), FirstRequestNanos = 10, FirstUpdateNanos = 20, EndNanos = 5 };
        Assert.Equal((0.0, 0.0, 0.0), (figures.StartupSeconds, figures.SteadySeconds, figures.OverallSeconds));
        Assert.Equal((0.0, 0.0, 0.0), (figures.StartupUpdateRate, figures.SteadyUpdateRate, figures.UpdateRate));
        Assert.Equal(0, new ImageRetrieval(10, 0).PerSecond);
    }

    [Fact]
    public void ConsumerFigures_DrainedUpdates_AreReceivedButInNoRate()
    {
        ConsumerCounts counts = new() { StartupUpdates = 10, SteadyUpdates = 20, DrainedUpdates = 7 };
        ConsumerFigures figures = new() { Counts = counts, FirstRequestNanos = 0, ImagesCompleteNanos = 1_000_000_000, FirstUpdateNanos = 0, EndNanos = 3_000_000_000 };
        Assert.Equal((37L, 10.0), (counts.UpdatesReceived, figures.UpdateRate));
        Assert.Equal((10.0, 10.0), (figures.StartupUpdateRate, figures.SteadyUpdateRate));
    }

    private static void AssertCombines<T>(T counts, Func<T, T, T> add, Func<T, T, T> subtract)
        where T : struct
    {
        PropertyInfo[] counters = [.. typeof(T).GetProperties().Where(p => p.CanWrite)];
        Assert.NotEmpty(counters);
        Assert.All(counters, p => Assert.NotEqual(0L, p.GetValue(counts)));
        Assert.All(counters, p => Assert.Equal(2 * (long)p.GetValue(counts)!, p.GetValue(add(counts, counts))));
        Assert.Equal(default, subtract(counts, counts));
    }
}
