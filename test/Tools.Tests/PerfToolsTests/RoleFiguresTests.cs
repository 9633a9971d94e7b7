using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Face;
using PerfTools.Hosting.Reporting;
using PerfTools.Results;
using PerfTools.Scenarios;
using Tools.Tests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The tools' own writers make the JSON here, so that a name changed there fails here.</summary>
public class RoleFiguresTests
{
    private const long Second = 1_000_000_000;
    private static readonly LatencyFigures Latency = new() { Count = 20, Average = 33, Min = 10, Max = 99, P50 = 31, P90 = 49, P99 = 74, P999 = 98, P9999 = 99 };

    [Fact]
    public void ReadFigures_Direct_TakesEveryFigureOfTheSteadyState()
    {
        RunFigures figures = new DirectScenario().ReadFigures(new() { Rate = 1000, ClientArguments = ["-threads", "2"] }, FinalProvider(), FinalConsumer());
        Assert.Equal((2000, 1000, 2), (figures.RateAsked, figures.RateReached, figures.SteadySeconds));
        Assert.Equal(
            [new("updates", 2110, 2109, 1), new("requests", 50, 50), new("refreshes", 50, 50), new("posts", 10, 10)], figures.Balances);
        Assert.Equal(7, figures.NotSent);
        Assert.Equal(Latency, figures.Latency);
        Assert.Equal(Latency with { Count = 3 }, figures.SendLag);
        Assert.Equal(new ImageFigures(50, 0.5), figures.Images);
        Assert.Equal(new RoleFigures(0, 0), figures.Server with { MemoryMegabytes = 0 });
    }

    [Fact]
    public void ReadFigures_SnapshotRun_AsksForNoUpdates() => Assert.Equal(
        0, new DirectScenario().ReadFigures(new() { ClientArguments = ["-snapshot"] }, FinalProvider(), FinalConsumer()).RateAsked);

    [Fact]
    public void ReadProgress_Direct_ShowsImagesAndTheLatestInterval()
    {
        Figures interval = new()
        {
            Info = new(1, DateTime.UnixEpoch, 1, 0, 1),
            Counts = CounterSnapshot.Of((Counter.SteadyUpdates, 900)),
            Latencies = SeriesFigures.Of((Series.Updates, null, Latency)),
            Images = new(50, 0.5),
            Process = new() { CoreCpuPercent = 5 },
        };
        JsonElement line = Written(stream => WrittenReports.Consumer.WriteInterval(stream, interval with { Images = null }, [interval]));
        ProgressSample expected = new()
        {
            Images = new(50, 0.5),
            IsMeasuring = true,
            Rate = 900,
            P50Micros = 31,
            P99Micros = 74,
            ClientCpuPercent = 5,
        };
        Assert.Equal(expected, new DirectScenario().ReadProgress(new(), null, line));
        Assert.False(new DirectScenario().ReadProgress(new(), null, FinalConsumer()).IsMeasuring);
    }

    [Fact]
    public void ReadFigures_Transport_ComparesServerWithClient()
    {
        RunFigures figures = new TransportScenario(reflects: false).ReadFigures(new() { Rate = 500 }, FinalTransport(sent: 1000, received: 0), FinalTransport(sent: 0, received: 1000));
        Assert.Equal([new Balance("messages", 1000, 1000)], figures.Balances);
        Assert.Equal((500, 490, 2), (figures.RateAsked, figures.RateReached, figures.SteadySeconds));
        Assert.Equal(Latency, figures.Latency);
        Assert.Equal(4, figures.NotSent);
    }

    [Fact]
    public void ReadFigures_Reflect_FollowsEveryMessageThereAndBack()
    {
        RunFigures figures = new TransportScenario(reflects: true).ReadFigures(new() { Rate = 500 }, FinalTransport(sent: 996, received: 1000), FinalTransport(sent: 1000, received: 996));
        Assert.Equal([new("messages", 1000, 1000), new("turned round", 1000, 996, 4), new("returned", 996, 996)], figures.Balances);
    }

    private static JsonElement FinalConsumer() => Final(WrittenReports.Consumer, new()
    {
        Images = new(50, 0.5),
        Moments = MomentTimes.Of(
            (Moment.FirstRequest, 1 * Second), (Moment.RefreshesComplete, (1 * Second) + (Second / 2)),
            (Moment.FirstUpdate, 1 * Second), (Moment.End, (3 * Second) + (Second / 2))),
        Counts = CounterSnapshot.Of(
            (Counter.RequestsSent, 50), (Counter.RefreshesReceived, 50), (Counter.StartupUpdates, 100), (Counter.SteadyUpdates, 2000),
            (Counter.DrainedUpdates, 9), (Counter.MessagesDropped, 1), (Counter.PostsSent, 10)),
        Latencies = SeriesFigures.Of((Series.Updates, RunPhase.Steady, Latency)),
    });

    private static JsonElement FinalProvider() => Final(WrittenReports.Provider, new()
    {
        Counts = CounterSnapshot.Of(
            (Counter.RequestsReceived, 50), (Counter.RefreshesSent, 50), (Counter.UpdatesSent, 2100), (Counter.UpdatesNotSent, 7),
            (Counter.PostsReceived, 10), (Counter.PostsReflected, 10)),
        Latencies = SeriesFigures.Of((Series.SendLag, null, Latency with { Count = 3 })),
    });

    private static JsonElement FinalTransport(long sent, long received) => Final(WrittenReports.Transport, new()
    {
        Moments = MomentTimes.Of((Moment.Connected, 1 * Second), (Moment.Disconnected, 3 * Second)),
        Counts = CounterSnapshot.Of(
            (Counter.MessagesSent, sent), (Counter.MessagesReceived, received), (Counter.MessagesNotSent, 4),
            (Counter.DrainedMessages, received > 0 ? 20 : 0)),
        Latencies = SeriesFigures.Of((Series.Messages, null, Latency)),
    });

    private static JsonElement Final(Report report, Figures overall) =>
        Written(stream => report.WriteFinal(stream, new RunSummary { Overall = overall }));

    private static JsonElement Written(Action<Stream> write)
    {
        using JsonDocument document = JsonDocument.Parse(WrittenReports.Write(write));
        return document.RootElement.Clone();
    }
}
