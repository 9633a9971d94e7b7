using System.Text;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Face;
using PerfTools.Hosting.Reporting;
using PerfTools.Results;
using PerfTools.Scenarios;
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
        ConsumerInterval interval = new()
        {
            Info = new(1, DateTime.UnixEpoch, 1, 0, 1),
            Counts = new() { SteadyUpdates = 900 },
            UpdateLatency = Latency,
            Images = new(50, 0.5),
            Process = new() { CoreCpuPercent = 5 },
        };
        JsonElement line = Written(stream => ConsumerJson.WriteInterval(stream, interval with { Images = null }, [interval]));
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

    private static JsonElement FinalConsumer() => Written(stream => ConsumerJson.WriteFinal(stream, new ConsumerSummary
    {
        Overall = new()
        {
            Items = 50,
            FirstRequestNanos = 1 * Second,
            ImagesCompleteNanos = (1 * Second) + (Second / 2),
            FirstUpdateNanos = 1 * Second,
            EndNanos = (3 * Second) + (Second / 2),
            Counts = new() { RequestsSent = 50, RefreshesReceived = 50, StartupUpdates = 100, SteadyUpdates = 2000, DrainedUpdates = 9, MessagesDropped = 1, PostsSent = 10 },
            SteadyLatency = Latency,
        },
    }));

    private static JsonElement FinalProvider() => Written(stream => ProviderJson.WriteFinal(stream, new ProviderSummary
    {
        Overall = new()
        {
            Counts = new() { RequestsReceived = 50, ImagesSent = 50, UpdatesSent = 2100, UpdatesNotSent = 7, PostsReceived = 10, PostsReflected = 10 },
            SendLag = Latency with { Count = 3 },
        },
    }));

    private static JsonElement FinalTransport(long sent, long received) => Written(stream => TransportJson.WriteFinal(stream, new TransportSummary
    {
        Overall = new()
        {
            ConnectedSeconds = 2,
            Latency = Latency,
            Counts = new() { MessagesSent = sent, MessagesReceived = received, MessagesNotSent = 4, DrainedMessages = received > 0 ? 20 : 0 },
        },
    }));

    private static JsonElement Written(Action<Stream> write)
    {
        using MemoryStream stream = new();
        write(stream);
        using JsonDocument document = JsonDocument.Parse(Encoding.UTF8.GetString(stream.ToArray()));
        return document.RootElement.Clone();
    }
}
