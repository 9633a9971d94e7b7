using System.Collections.Immutable;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Verdicts;
using Tools.Tests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The tools' own writers make the JSON here, so that a name changed there fails here.</summary>
[Trait("Category", "Fast")]
public class RoleFiguresTests
{
    private const long Second = 1_000_000_000;
    private static readonly LatencyFigures Latency = new()
    {
        Count = 20,
        Average = 33,
        Min = 10,
        Max = 99,
        P50 = 31,
        P90 = 49,
        P99 = 74,
        P999 = 98,
        P9999 = 99
    };

    private static readonly RunLatency RunSamples = new()
    {
        Count = 20,
        Average = 33,
        Deviation = 0,
        Min = 10,
        Max = 99,
        P50 = 31,
        P90 = 49,
        P99 = 74,
        P999 = 98,
        P9999 = 99,
    };

    [Fact]
    public void Read_Direct_TakesEveryFigureOfTheSteadyState()
    {
        FigureReader reader = Direct(new ScenarioOptions { Rate = 1000 }.WithArguments("consumer", ["-threads", "2"]));
        RunFigures figures = reader.Read(DirectFinals)!;
        Assert.Equal((2000, 1000, 2), (figures.RateAsked, figures.RateReached, figures.SteadySeconds));
        Assert.Equal(RunSamples, figures.LatencyMicros);
        Assert.Equal(RunSamples with { Count = 3 }, figures.SendLagMicros);
        Assert.Equal(new ImageFigures(50, 0.5), figures.Images);
        Assert.Equal(
            [
                ("provider", "consumer", "updates", 2110, 2109, 1, 7),
                ("consumer", "provider", "requests", 50, 50, 0, 0),
                ("provider", "consumer", "refreshes", 50, 50, 0, 0),
                ("consumer", "provider", "posts", 10, 10, 0, 2),
            ],
            Flat(reader.ReadLinks(DirectFinals)));
        Assert.All(reader.ReadLinks(DirectFinals), link => Assert.True(link.Balanced));
    }

    [Fact]
    public void Read_SnapshotRun_AsksForNoUpdates() => Assert.Equal(
        0, Direct(new ScenarioOptions().WithArguments("consumer", ["-snapshot"])).Read(DirectFinals)!.RateAsked);

    [Fact]
    public void Read_UsersOwnRateOfTheProvider_IsWhatWasAsked() => Assert.Equal(
        5000, Direct(new ScenarioOptions().WithArguments("provider", ["-updateRate", "5000"])).Read(DirectFinals)!.RateAsked);

    [Fact]
    public void Read_ConsumerPosts_AreAskedForOfTheWorkersThatHaveItemsToPostTo()
    {
        using JsonDocument consumer = JsonDocument.Parse(
            """{"overall":{},"threads":[{"counts":{"postsSent":0,"postsNotSent":1}},{"counts":{"postsSent":0,"postsNotSent":0}}]}""");
        Dictionary<string, JsonElement> finals = new() { ["provider"] = FinalProvider(), ["consumer"] = consumer.RootElement };
        FigureReader reader =
            Direct(new ScenarioOptions { Rate = 5000 }.WithArguments("consumer", ["-threads", "2", "-postingRate", "3000"]));
        Assert.Equal((2 * 5000) + 3000, reader.Read(finals)!.RateAsked);
    }

    [Fact]
    public void Read_ExternalProvider_ComparesNothingAndAsksForNoRate()
    {
        FigureReader reader =
            Direct(new() { External = ImmutableDictionary<string, HostAddress>.Empty.Add("provider", new("localhost", 1)) });
        Dictionary<string, JsonElement> finals = new() { ["consumer"] = FinalConsumer() };
        Assert.Null(reader.Read(finals)!.RateAsked);
        LinkResult updates = reader.ReadLinks(finals)[0];
        Assert.Equal((null, 2109, 1, null, null, false),
            (updates.Sent, updates.Received, updates.Lost, updates.NotSent, updates.Balanced, updates.Comparable));
    }

    [Fact]
    public void Read_RoleWithoutFinalLine_HasNoFigures() =>
        Assert.Null(Direct(new()).Read(new Dictionary<string, JsonElement> { ["consumer"] = FinalConsumer() }));

    [Fact]
    public void ReadProgress_Direct_ShowsImagesAndTheLatestInterval()
    {
        Figures interval = new()
        {
            Info = new(1, DateTime.UnixEpoch, 1, 0, 1),
            Counts = CounterSnapshot.Of((Counter.SteadyUpdates, 900)),
            Latencies = ReportSamples.Samples((Series.Updates, null, Latency)),
            Images = new(50, 0.5),
            Process = new() { CoreCpuPercent = 5 },
        };
        JsonElement line = Written(stream => WrittenReports.Consumer.WriteInterval(stream, interval with { Images = null }, [interval]));
        ProgressSample sample = Direct(new()).ReadProgress(line, [("provider", line), ("consumer", line)]);
        Assert.Equal((new ImageFigures(50, 0.5), true, 900, 31, 74),
            (sample.Images, sample.IsMeasuring, sample.Rate, sample.P50Micros, sample.P99Micros));
        Assert.Equal([new("provider", 5, 0), new("consumer", 5, 0)], sample.Roles);
        Assert.Single(Direct(new()).ReadProgress(line, [("provider", null), ("consumer", line)]).Roles);
        Assert.False(Direct(new()).ReadProgress(FinalConsumer(), []).IsMeasuring);
    }

    [Fact]
    public void Read_Transport_ComparesServerWithClient()
    {
        FigureReader reader = new(TransportScenario.Transport, new() { Rate = 500 });
        Dictionary<string, JsonElement> finals = new()
        {
            ["server"] = FinalTransport(sent: 1000, received: 0),
            ["client"] = FinalTransport(sent: 0, received: 1000)
        };
        RunFigures figures = reader.Read(finals)!;
        Assert.Equal([("server", "client", "messages", 1000, 1000, 0, 4)], Flat(reader.ReadLinks(finals)));
        Assert.Equal((500, 490, 2), (figures.RateAsked, figures.RateReached, figures.SteadySeconds));
        Assert.Equal(RunSamples, figures.LatencyMicros);
    }

    [Fact]
    public void Read_Reflect_FollowsEveryMessageThereAndBack()
    {
        FigureReader reader = new(TransportScenario.Reflect, new() { Rate = 500 });
        Dictionary<string, JsonElement> finals = new()
        {
            ["server"] = FinalTransport(sent: 996, received: 1000),
            ["client"] = FinalTransport(sent: 1000, received: 996)
        };
        Assert.Equal(
            [
                ("client", "server", "messages", 1000, 1000, 0, 4),
                ("server", "server", "turned round", 1000, 996, 4, 0),
                ("server", "client", "returned", 996, 996, 0, 0),
            ],
            Flat(reader.ReadLinks(finals)));
    }

    [Theory]
    [InlineData("", 100, 60)]
    [InlineData("-updateRate 1500 -tickRate 100 -maxPackCount 4", 4, 60)]
    public void ReadCause_FinalLines_HasWhatProvesALimit(string arguments, int buffersPerTick, double lagMicros)
    {
        using JsonDocument provider = JsonDocument.Parse("""
            {"overall":{"counts":{"updatesStopped":5},"sendLag":{"count":1,"maxMicros":60}},"threads":[{"coreCpuPercent":50},{"coreCpuPercent":98.5}],
             "connections":[{"address":"10.1.2.3:40000","outputBuffers":50,"peerLimitedPercent":12.5}],
             "network":[{"local":"10.1.2.1","peer":"10.1.2.33","busySeconds":1},{"local":"10.1.2.1","peer":"10.1.2.3","busySeconds":2,"bytesSent":250000}]}
            """);
        using JsonDocument consumer = JsonDocument.Parse("""{"threads":[{"coreCpuPercent":7}]}""");
        FigureReader reader =
            Direct(new ScenarioOptions().WithArguments("provider", arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
        SlowCause cause =
            reader.ReadCause(new Dictionary<string, JsonElement>
            {
                ["provider"] = provider.RootElement,
                ["consumer"] = consumer.RootElement
            }, 3);
        Assert.Equal([("worker 1 of the provider", 50), ("worker 2 of the provider", 98.5), ("the worker of the consumer", 7)],
            cause.Workers);
        Assert.Equal((5, "10.1.2.3:40000", 50L, buffersPerTick),
            (cause.Stopped, cause.SlowPeer, cause.OutputBuffers, cause.BuffersPerTick));
        Assert.Equal(("10.1.2.3", 1.0), (cause.Path?.Peer, cause.Path?.Megabits));
        Assert.Equal((lagMicros, 3, 12.5), (cause.MaxLagMicros, cause.ForeignPercent, cause.PeerLimitedPercent));
    }

    [Fact]
    public void Read_PercentileOfTooFewSamples_IsNone()
    {
        using JsonDocument latency = JsonDocument.Parse("""{"count":50,"maxMicros":99,"p50Micros":20,"p99Micros":null}""");
        RunLatency read = RunLatency.Read(new(latency.RootElement))!;
        Assert.Equal((20, null, null), (read.P50, read.P99, read.P9999));
    }

    [Theory]
    [MemberData(nameof(Scenarios))]
    public void Counters_OfEveryLink_AreThoseOfTheDocumentation(string name)
    {
        string documented = File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "docs/json-lines.md"));
        foreach (string counter in ScenarioList.All.Single(scenario => scenario.Name == name).Links.SelectMany(link => link.Counters))
        {
            Assert.StartsWith("overall.counts.", counter, StringComparison.Ordinal);
            Assert.Contains($"`{counter.Split('.')[^1]}`", documented, StringComparison.Ordinal);
        }
    }

    public static TheoryData<string> Scenarios => new(ScenarioList.All.Select(scenario => scenario.Name));

    private static Dictionary<string, JsonElement> DirectFinals => new() { ["provider"] = FinalProvider(), ["consumer"] = FinalConsumer() };

    private static FigureReader Direct(ScenarioOptions options) => new(DirectScenario.Direct, options);

    private static IEnumerable<(string, string, string, long?, long?, long?, long?)> Flat(IEnumerable<LinkResult> links) =>
        links.Select(link => (link.From, link.To, link.What, link.Sent, link.Received, link.Lost, link.NotSent));

    private static JsonElement FinalConsumer() => Final(WrittenReports.Consumer, new()
    {
        Images = new(50, 0.5),
        Moments = ReportSamples.Moments(
            (Moment.FirstRequest, 1 * Second), (Moment.RefreshesComplete, (1 * Second) + (Second / 2)),
            (Moment.FirstUpdate, 1 * Second), (Moment.End, (3 * Second) + (Second / 2))),
        Counts = CounterSnapshot.Of(
            (Counter.RequestsSent, 50), (Counter.RefreshesReceived, 50), (Counter.StartupUpdates, 100), (Counter.SteadyUpdates, 2000),
            (Counter.DrainedUpdates, 9), (Counter.MessagesDropped, 1), (Counter.PostsSent, 10), (Counter.PostsNotSent, 2)),
        Latencies = ReportSamples.Samples((Series.Updates, RunPhase.Steady, Latency)),
    });

    private static JsonElement FinalProvider() => Final(WrittenReports.Provider, new()
    {
        Counts = CounterSnapshot.Of(
            (Counter.RequestsReceived, 50), (Counter.RefreshesSent, 50), (Counter.UpdatesSent, 2100), (Counter.UpdatesNotSent, 7),
            (Counter.PostsReceived, 10), (Counter.PostsReflected, 10)),
        Latencies = ReportSamples.Samples((Series.SendLag, null, Latency with { Count = 3 })),
    });

    private static JsonElement FinalTransport(long sent, long received) => Final(WrittenReports.Transport, new()
    {
        Moments = ReportSamples.Moments((Moment.Connected, 1 * Second / 2), (Moment.FirstMessage, 1 * Second),
            (Moment.Disconnected, 3 * Second)),
        Counts = CounterSnapshot.Of(
            (Counter.MessagesSent, sent), (Counter.MessagesReceived, received), (Counter.MessagesNotSent, 4),
            (Counter.DrainedMessages, received > 0 ? 20 : 0)),
        Latencies = ReportSamples.Samples((Series.Messages, null, Latency)),
    });

    private static JsonElement Final(Report report, Figures overall) =>
        Written(stream => report.WriteFinal(stream, new RunSummary { Overall = overall }));

    private static JsonElement Written(Action<Stream> write)
    {
        using JsonDocument document = JsonDocument.Parse(WrittenReports.Write(write));
        return document.RootElement.Clone();
    }
}
