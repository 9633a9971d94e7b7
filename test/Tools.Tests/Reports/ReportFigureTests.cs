using System.Text.Json;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>What the reports derive from figures.</summary>
public class ReportFigureTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void ConsumerRun_NothingHappened_HasNoNegativeOrEndlessFigure()
    {
        JsonElement overall = Final(new()
        {
            Counts = ConsumerSamples.BusyCounts,
            Moments = ReportSamples.Moments((Moment.FirstRequest, 10), (Moment.FirstUpdate, 20), (Moment.End, 5)),
        });
        foreach (string phase in new[] { "startup", "steady", "whole" })
        {
            Assert.Equal(0, Number(overall, phase, "seconds"));
            Assert.Equal(0, Number(overall, phase, "updateRate"));
        }

        Assert.Equal(0, new ImageRetrieval(10, 0).PerSecond);
    }

    [Fact]
    public void ConsumerRun_DrainedUpdates_AreReceivedButInNoRate()
    {
        JsonElement overall = Final(new()
        {
            Counts = CounterSnapshot.Of((Counter.StartupUpdates, 10), (Counter.SteadyUpdates, 20), (Counter.DrainedUpdates, 7)),
            Moments = ReportSamples.Moments(
                (Moment.FirstRequest, 0), (Moment.RefreshesComplete, Second), (Moment.FirstUpdate, 0), (Moment.End, 3 * Second)),
        });
        Assert.Equal((37, 37), (Number(overall, "counts", "updatesReceived"), Number(overall, "whole", "updates")));
        Assert.Equal(10, Number(overall, "whole", "updateRate"));
        Assert.Equal((10, 10), (Number(overall, "startup", "updateRate"), Number(overall, "steady", "updateRate")));
    }

    [Theory]
    [InlineData("rate", 80_207.94)]
    [InlineData("notsent", 303)]
    [InlineData("cpu", 2.228)]
    [InlineData("memory", 61.25)]
    [InlineData("avg", 31.25)]
    [InlineData("p99.9", 410)]
    public void FindFigure_TransportRun_IsThatOfTheSummary(string metric, double expected) =>
        Assert.Equal(expected, WrittenReports.Transport.FindFigure(TransportSamples.BusySummary, metric)!.Value, tolerance: 0.01);

    [Fact]
    public void FindFigure_NothingReceived_RateIsThatOfSending()
    {
        Figures sender = TransportSamples.BusyRun with { Counts = CounterSnapshot.Of((Counter.MessagesSent, 4987)) };
        Assert.Equal(1000, WrittenReports.Transport.FindFigure(new() { Overall = sender }, "rate"));
    }

    [Fact]
    public void FindFigure_EveryMetricOfAssert_IsKnownWithSamplesAndWithoutOnlyIfItNeedsNone()
    {
        Assert.All(Threshold.Metrics, metric => Assert.NotNull(WrittenReports.Transport.FindFigure(TransportSamples.BusySummary, metric)));
        RunSummary empty = new() { Overall = new() };
        Assert.Equal(
            ["rate", "notsent", "cpu", "memory"],
            Threshold.Metrics.Where(metric => WrittenReports.Transport.FindFigure(empty, metric) is not null));
    }

    private static JsonElement Final(Figures overall)
    {
        string line = WrittenReports.Write(stream => WrittenReports.Consumer.WriteFinal(stream, new() { Overall = overall }));
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.GetProperty("overall").Clone();
    }

    private static double Number(JsonElement overall, string parent, string name) =>
        overall.GetProperty(parent).GetProperty(name).GetDouble();
}
