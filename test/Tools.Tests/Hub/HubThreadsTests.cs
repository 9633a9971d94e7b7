using HubPerf;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Tools.Tests.Replay;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Hub;

/// <summary>A hub with several threads of each kind: order of each item, and what a thousand consumers get.</summary>
[Collection(ProgramRuns.Name)]
public class HubThreadsTests
{
    [Fact]
    public void Items_UnderThreads_KeepTheirOrder()
    {
        using Provider first = new("FIRST");
        using Provider second = new("SECOND");
        using LoopbackHub hub = new(new HubPerfOptions { SessionThreads = 2, SourceThreads = 2 }, first.Address, second.Address);
        List<NumberConsumer> consumers = [];
        using Worker worker = new(new WorkerOptions(), new WorkerRecording());
        for (int i = 0; i < 12; i++)
            consumers.Add(Connect(worker, hub.Port, i % 2 == 0 ? "FIRST" : "SECOND", 50));
        using (TurnThread turns = new(worker))
        {
            LoopbackHub.Until(() => consumers.TrueForAll(consumer => consumer.Images == 50 && consumer.Updates > 20_000), "not enough updates came");
            Assert.True(turns.End());
            Assert.Null(turns.Defect);
        }

        Assert.Empty(consumers.SelectMany(consumer => consumer.Faults));
        Assert.Equal(100, hub.Count(Counter.RequestsSent));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped) + hub.Count(Counter.ConnectionsCut));
    }

    [Fact]
    public void Consumers_Thousand_GetEveryImageAndUpdatesInOrder()
    {
        const int Count = 1_000;
        using Provider provider = new(NumberProvider.ServiceName, tickRate: 10);
        using LoopbackHub hub = new(new HubPerfOptions(), provider.Address);
        using Worker worker = new(new WorkerOptions(), new WorkerRecording());
        List<NumberConsumer> consumers = [.. Enumerable.Range(0, Count).Select(_ => Connect(worker, hub.Port, NumberProvider.ServiceName, 5))];
        using (TurnThread turns = new(worker))
        {
            LoopbackHub.Until(() => consumers.TrueForAll(consumer => consumer.Images == 5 && consumer.Updates > 20), "a consumer misses images or updates");
            Assert.Equal((Count, 5 * Count), (hub.Read(Gauge.Consumers), hub.Read(Gauge.Watchers)));
            Assert.True(turns.End());
            Assert.Null(turns.Defect);
        }

        Assert.Empty(consumers.SelectMany(consumer => consumer.Faults));
        Assert.Equal(5, hub.Count(Counter.RequestsSent));
        Assert.Equal(0, hub.Count(Counter.ConnectionsCut));
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

    // A provider of numbers on loopback, with a thread of its own.
    private sealed class Provider : IDisposable
    {
        private readonly Worker _worker;
        private readonly WorkerListener _listener = new(new ListenOptions { Port = 0, OutputBuffers = 100_000 });
        private readonly TurnThread _turns;
        private readonly CancellationTokenSource _ending = new();
        private readonly Thread _accepting;

        public Provider(string service, int tickRate = 1_000)
        {
            _worker = new Worker(new WorkerOptions { TickRate = tickRate }, new WorkerRecording());
            _turns = new TurnThread(_worker);
            _accepting = new Thread(() => Accept(service)) { IsBackground = true };
            _accepting.Start();
        }

        public ConnectOptions Address => new() { Host = "127.0.0.1", Port = _listener.Port, OutputBuffers = 100_000 };

        public void Dispose()
        {
            _ending.Cancel();
            _accepting.Join();
            _turns.Dispose();
            _worker.Dispose();
            _listener.Dispose();
            _ending.Dispose();
        }

        private void Accept(string service)
        {
            while (!_ending.IsCancellationRequested)
                _listener.Accept(TimeSpan.FromMilliseconds(5), [_worker], _ => Create(service), _ending.Token);
        }

        private static ProviderSession Create(string service)
        {
            NumberProvider handler = new(service);
            return new ProviderSession(new ProviderSessionOptions { Service = handler.Describe(), Dictionary = FieldDictionary.Default }, handler);
        }
    }
}
