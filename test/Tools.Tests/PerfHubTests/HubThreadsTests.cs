using HubPerf;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using Tools.Tests.Replay;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A hub with several threads of each kind: the order of each item, and the messages of a thousand consumers.</summary>
public class HubThreadsTests
{
    [Theory]
    [InlineData(2, 2)]
    [InlineData(2, 0)]
    public void Items_UnderThreads_KeepTheirOrder(int sessionThreads, int sourceThreads)
    {
        using LoopbackProvider first = new("FIRST");
        using LoopbackProvider second = new("SECOND");
        using LoopbackHub hub = new(new HubPerfOptions { SessionThreads = sessionThreads, SourceThreads = sourceThreads }, first.Address,
            second.Address);
        List<NumberConsumer> consumers = [];
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
        for (int i = 0; i < 12; i++)
            consumers.Add(Connect(worker, hub.Port, i % 2 == 0 ? "FIRST" : "SECOND", 50));
        using (TurnThread turns = new(worker))
        {
            LoopbackHub.Until(() => consumers.TrueForAll(consumer => consumer.Images == 50 && consumer.Updates > 20_000),
                "not enough updates came");
            Assert.True(turns.End());
            Assert.Null(turns.Defect);
        }

        Assert.Empty(consumers.SelectMany(consumer => consumer.Faults));
        Assert.Equal(100, hub.Count(Counter.RequestsSent));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped) + hub.Count(HubCounter.ConnectionsCut));
    }

    [Theory]
    [InlineData(1, 3, false)]
    [InlineData(2, 2, false)]
    [InlineData(2, 0, false)]
    [InlineData(2, 2, true)]
    [InlineData(2, 0, true)]
    public void ItemsOfPublishers_UnderThreads_KeepTheirOrder(int sessionThreads, int sourceThreads, bool isOnePort)
    {
        HubPerfOptions options = new() { SessionThreads = sessionThreads, SourceThreads = sourceThreads };
        using LoopbackHub hub = new(isOnePort ? options with { NiPort = options.Connection.Server.Port } : options);
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
        List<NumberConsumer> consumers = [.. Enumerable.Range(0, 8).Select(_ => Connect(worker, hub.Port, "PUBLISHED", 40))];
        for (int i = 0; i < 4; i++)
        {
            IEnumerable<string> items = Enumerable.Range((i * 10) + 1, 10).Select(item => $"N{item}");
            worker.Connect(MemoryHub.CreatePublisher(new NumberPublisher(), "PUBLISHED", items),
                new ConnectOptions { Host = "127.0.0.1", Port = isOnePort ? hub.Port : hub.ProviderPort, OutputBuffers = 100_000 });
        }

        using (TurnThread turns = new(worker))
        {
            LoopbackHub.Until(() => consumers.TrueForAll(consumer => consumer.Images >= 40 && consumer.Updates > 20_000),
                "not enough updates came");
            Assert.Equal((4, 40), (hub.Read(HubGauge.Sources), hub.Read(HubGauge.Items)));
            Assert.True(turns.End());
            Assert.Null(turns.Defect);
        }

        Assert.Empty(consumers.SelectMany(consumer => consumer.Faults));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped) + hub.Count(HubCounter.ConnectionsCut));
    }

    [Fact]
    public void Consumers_Thousand_GetEveryImageAndUpdatesInOrder()
    {
        const int Count = 1_000;
        using LoopbackProvider provider = new(NumberProvider.ServiceName, tickRate: 10);
        using LoopbackHub hub = new(new HubPerfOptions(), provider.Address);
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
        List<NumberConsumer> consumers =
            [.. Enumerable.Range(0, Count).Select(_ => Connect(worker, hub.Port, NumberProvider.ServiceName, 5))];
        using (TurnThread turns = new(worker))
        {
            LoopbackHub.Until(() => consumers.TrueForAll(consumer => consumer.Images == 5 && consumer.Updates > 20),
                "a consumer misses images or updates");
            Assert.Equal((Count, 5 * Count), (hub.Read(HubGauge.Consumers), hub.Read(HubGauge.Watchers)));
            Assert.True(turns.End());
            Assert.Null(turns.Defect);
        }

        Assert.Empty(consumers.SelectMany(consumer => consumer.Faults));
        Assert.Equal(5, hub.Count(Counter.RequestsSent));
        Assert.Equal(0, hub.Count(HubCounter.ConnectionsCut));
    }

    private static NumberConsumer Connect(Worker worker, int port, string service, int items)
    {
        NumberConsumer handler = new();
        ConsumerSessionOptions options = new()
        {
            ServiceName = service,
            Items = ItemList.Create(Enumerable.Range(1, items).Select(i => $"N{i}")),
            Dictionary = FieldDictionary.Default,
            RequestRate = 1_000,
        };
        worker.Connect(new ConsumerSession(options, handler), new ConnectOptions { Host = "127.0.0.1", Port = port });
        return handler;
    }
}
