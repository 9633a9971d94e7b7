using System.Diagnostics;
using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>ConsPerf's handler on a session over memory, against a provider that sends every second update without a field list.</summary>
public sealed class ConsumerMeasureTests : IDisposable
{
    private readonly ConsPerfOptions _options = new() { SteadyStateSeconds = 3600 };
    private readonly ImageClock _images = new(workers: 2);
    private readonly EveryOther _load = new();
    private readonly Worker _server;
    private readonly Worker _client;

    public ConsumerMeasureTests()
    {
        MemoryNetwork network = new(TimeSource.System);
        _server = new(new WorkerOptions(), new WorkerRecording(), network);
        _client = new(new WorkerOptions(), ConsPerfRole.CreateRecording(_options), network);
        ConsumerSession consumer = new(
            new() { ServiceName = "TEST", Items = ItemList.Create(["A"]), Dictionary = FieldDictionary.Default },
            new ConsumerMeasure(_options, _client.Recording, _images));
        ServiceOffer service = new() { Name = "TEST", Id = 1 };
        ProviderSession provider = new(new() { Service = service, Dictionary = FieldDictionary.Default }, _load);
        using WorkerListener listener = new(new ListenOptions { Port = 0 }, network);
        _client.Connect(consumer, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        _client.Turn();
        listener.Accept(TimeSpan.Zero, [_server], _ => provider, CancellationToken.None);
    }

    [Fact]
    public void OnUpdate_WithoutFieldList_RecordsNoLatency()
    {
        Until(() => _load.Sent >= 20 && Updates >= 20);
        Assert.Equal(Updates / 2, _client.Recording[Series.Updates].TakeRest().Count);
    }

    [Fact]
    public void OnUpdate_OtherWorkersWithoutTheirImages_AreAheadOfTheRun()
    {
        Until(() => _client.Recording.Counters[Counter.AheadUpdates] > 0);
        Assert.NotNull(_client.Recording.TimeOf(Moment.SteadyBegan));
        Assert.False(_images.IsComplete);
        Assert.Equal(_client.Recording.Counters[Counter.SteadyUpdates], _client.Recording.Counters[Counter.AheadUpdates]);
        _images.Report(Clock.NowNanos);
        long ahead = _client.Recording.Counters[Counter.AheadUpdates];
        Until(() => _client.Recording.Counters[Counter.SteadyUpdates] >= ahead + 4);
        Assert.Equal(ahead, _client.Recording.Counters[Counter.AheadUpdates]);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    private long Updates => _client.Recording.Counters[Counter.StartupUpdates] + _client.Recording.Counters[Counter.SteadyUpdates];

    private void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < TimeSpan.FromSeconds(30), "the condition never held");
            _server.Turn();
            _client.Turn();
        }
    }

    private sealed class EveryOther : ProviderHandler
    {
        private static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

        public int Sent { get; private set; }

        protected internal override bool WantsTicks => true;

        protected internal override int MaxRefreshBytes => Messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => Messages.Refresh.EncodeList(ref writer);

        protected internal override bool OnTick(in TickInfo tick)
        {
            if (Session.UpdatingItems == 0 || !Session.TrySendUpdate(Session.UpdatingItemAt(0), Messages.Updates[0], (ulong)Clock.NowMicros))
                return false;
            Assert.True(Session.Output.TryBegin(100, out Span<byte> room));
            RwfWriter writer = new(room);
            Assert.True(writer.TryWriteHeader(new RwfMsg
            {
                MsgClass = MsgClass.Update,
                DomainType = DomainType.MarketPrice,
                StreamId = Session.Items.StreamIdOf(Session.UpdatingItemAt(0)),
                ContainerType = DataType.NoData,
            }));
            Session.Output.End(writer.Written, MessageKind.Update);
            Sent += 2;
            return true;
        }
    }
}
