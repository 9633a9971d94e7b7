using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using PerfCommon.Subscriptions;
using PerfCommon.Tests.Subscriptions;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>What listeners of the process see of its connections. Nothing else runs meanwhile: they see all of the process.</summary>
[Collection(nameof(ConnectionFiguresTests))]
[CollectionDefinition(nameof(ConnectionFiguresTests), DisableParallelization = true)]
public class ConnectionFiguresTests
{
    [Fact]
    public async Task Meter_OfAProviderAndAConsumer_HasTheirExactCounts()
    {
        using Listener listener = new();
        Dictionary<string, long> before = listener.Collect();
        await using SubscriberBench bench = new();
        ItemSubscriber consumer = await bench.ConnectAsync();
        await using IAsyncEnumerator<ItemEvent> reader =
            consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await reader.MoveNextAsync());
        await bench.Publish("RDT1", "BID", 1, 200);
        for (int i = 0; i < 200; i++)
            Assert.True(await reader.MoveNextAsync());
        await bench.Until(() => Since("perfcommon.messages.received consumer") == Since("perfcommon.messages.sent provider")
            && Since("perfcommon.updates.sent provider") == 200);
        Assert.Equal((1, 1), (Since("perfcommon.connections.open consumer"), Since("perfcommon.connections.open provider")));
        Assert.Equal((1, 1, 1), (Since("perfcommon.requests.sent consumer"), Since("perfcommon.requests.received provider"),
            Since("perfcommon.refreshes.sent provider")));
        Assert.Equal(203, Since("perfcommon.messages.received consumer")); // with login, directory and refresh
        Assert.Equal(Since("perfcommon.bytes.sent provider"), Since("perfcommon.bytes.received consumer"));

        await consumer.DisposeAsync();
        await bench.Until(() => Since("perfcommon.connections.open provider") == 0);
        Assert.Equal((0, 203, 200), (Since("perfcommon.connections.open consumer"), Since("perfcommon.messages.received consumer"),
            Since("perfcommon.updates.sent provider")));

        long Since(string name) => listener.Collect().GetValueOrDefault(name) - before.GetValueOrDefault(name);
    }

    [Fact]
    public async Task Meter_OfAWorkerThatIsDisposed_KeepsItsCounts()
    {
        using Listener listener = new();
        long before = listener.Collect().GetValueOrDefault("perfcommon.updates.sent provider");
        await using (SubscriberBench bench = new())
        {
            await using ItemSubscriber consumer = await bench.ConnectAsync();
            await using IAsyncEnumerator<ItemEvent> reader =
                consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
            Assert.True(await reader.MoveNextAsync());
            await bench.Publish("RDT1", "BID", 1, 10);
            for (int i = 0; i < 10; i++)
                Assert.True(await reader.MoveNextAsync());
        }

        Assert.Equal(before + 10, listener.Collect().GetValueOrDefault("perfcommon.updates.sent provider"));
    }

    [Fact]
    public async Task Events_OfConnectionsAndNotices_HaveTheirFields()
    {
        using Events events = new();
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        await bench.CutAll();
        await bench.Until(() => consumer.Losses == 1 && events.Count("ConnectionOpened consumer 127.0.0.1:") == 2);
        await bench.Until(() => events.Count("Notice 122 Received login response.") == 2);
        Assert.Equal(1, events.Count("ConnectionClosed provider 127.0.0.1:"));
        Assert.Equal(1, events.Count("ConnectionClosed consumer 127.0.0.1:") + events.Count("ConnectionLost consumer 127.0.0.1:"));
        Assert.Equal(2, events.Count($"ConnectionOpened consumer 127.0.0.1:{bench.Port}"));
    }

    [Fact]
    public async Task Counters_OfTheSource_ArePublished()
    {
        using Events events = new(new Dictionary<string, string?> { ["EventCounterIntervalSec"] = "0.1" });
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        string[] names = ["connections-open", "messages-received", "messages-sent", "bytes-received", "bytes-sent"];
        await bench.Until(() => names.All(name => events.Count($"EventCounters {name}") > 0));
        await bench.Until(() => events.OpenConnections == 2);
    }

    private sealed class Listener : IDisposable
    {
        private readonly MeterListener _listener = new();
        private readonly Dictionary<string, long> _values = [];

        public Listener()
        {
            _listener.InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Name == "PerfCommon")
                    listener.EnableMeasurementEvents(instrument);
            };
            _listener.SetMeasurementEventCallback<long>(
                (instrument, value, tags, _) => _values[$"{instrument.Name} {tags[0].Value}"] = value);
            _listener.Start();
        }

        public Dictionary<string, long> Collect()
        {
            _values.Clear();
            _listener.RecordObservableInstruments();
            return new(_values);
        }

        public void Dispose() => _listener.Dispose();
    }

    private sealed class Events : EventListener
    {
        private readonly Lock _lock = new();
        private readonly List<string> _lines = [];
        private readonly Dictionary<string, string?>? _arguments;

        public Events(Dictionary<string, string?>? arguments = null)
        {
            _arguments = arguments;
            foreach (EventSource source in EventSource.GetSources().Where(source => source.Name == "PerfCommon"))
                EnableEvents(source, EventLevel.Informational, EventKeywords.None, arguments);
        }

        public double OpenConnections { get; private set; }

        /// <summary>Counts the events with this beginning.</summary>
        public int Count(string begin)
        {
            lock (_lock)
                return _lines.Count(line => line.StartsWith(begin, StringComparison.Ordinal));
        }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "PerfCommon")
                EnableEvents(eventSource, EventLevel.Informational, EventKeywords.None, _arguments);
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            lock (_lock)
            {
                if (eventData.Payload is [IDictionary<string, object?> counter])
                {
                    _lines.Add($"{eventData.EventName} {counter["Name"]}");
                    if (Equals(counter["Name"], "connections-open"))
                        OpenConnections = (double)counter["Mean"]!;
                    return;
                }

                _lines.Add($"{eventData.EventName} {string.Join(' ', eventData.Payload ?? (IEnumerable<object?>)[])}");
            }
        }
    }
}
