using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Plays a recorded server against our consumer and compares what it says.</summary>
internal sealed class ConsumerReplay(RecordedSession session, ConsPerfOptions options) : ClientReplay(session)
{
    private readonly ConsumerScript _script = new(session);
    private readonly bool _downloads = session.Has(fromClient: true, DomainType.Dictionary, MsgClass.Request);
    private readonly HashSet<Said> _paced = [];

    protected override string Expected => string.Join('\n', _script.Expected);

    protected override IReadOnlyList<RecordedFrame> Frames => _script.Frames;

    public void Run()
    {
        using Worker worker = new(new WorkerOptions { TickRate = options.Run.TickRate }, ConsPerfRole.CreateRecording(options));
        ConsumerSession consumer = CreateConsumer(worker);
        Play(worker, consumer, options.Connection.ForClient("ConsPerf"));
        Compare(consumer, worker.Recording);
    }

    protected override bool IsCompared(RecordedMessage message) => ConsumerScript.IsExpected(message);

    protected override void TakePaced(Said said)
    {
        Assert.Contains(said with { StreamId = 0 }, _script.Paced);
        _paced.Add(said with { StreamId = 0 });
    }

    protected override void FinishPlaying(ReplayPeer server, Worker worker)
    {
        while (options.SendsToItems && !_paced.SetEquals(_script.Paced))
            Read(server);
        server.Send(EncodeBarrier());
        SpinWait.SpinUntil(() =>
            worker.Recording.Counters[Counter.MessagesDropped] > _script.CountOf(MsgClass.Ack) && IsAllCounted(worker.Recording.Counters),
            ReplayPeer.Patience);
    }

    // Consumers ask for dictionaries when they have none; so the recording tells whether this one had.
    private ConsumerSession CreateConsumer(Worker worker)
    {
        string folder = AppContext.BaseDirectory;
        FieldDictionary? dictionary = _downloads ? null : DictionaryFiles.Find(null, null, folder, null)!.Load();
        ItemList items = _script.LoadItems(options.ItemFile, options.ItemCount, options.Snapshot);
        ConsumerSessionOptions asked = ConsPerfRole.CreateSession(options, items, new ItemPartition(items.Count, 1, 0), part: 0) with
        {
            Dictionary = dictionary,
        };
        if (options.Recovery is { Watchlist: true })
            asked = asked.WithWatchlist();
        MessageData? messages = options.SendsToItems ? MessageData.Load(options.MsgFile, FieldDictionary.Default) : null;
        ConsumerPlan? plan = ConsumerPlan.Of(options, messages, worker.Options.Number);
        return new ConsumerSession(asked, new ConsumerMeasure(options, worker.Recording, new ImageClock(1), plan));
    }

    private bool IsAllCounted(CounterSet counters) =>
        counters[Counter.RefreshesReceived] == _script.CountOf(MsgClass.Refresh)
            && counters[Counter.StatusesReceived] == _script.CountOf(MsgClass.Status);

    private void Compare(ConsumerSession consumer, WorkerRecording recording)
    {
        CounterSet counters = recording.Counters;
        Assert.Equal(_script.CountOf(MsgClass.Refresh), counters[Counter.RefreshesReceived]);
        Assert.Equal(_script.CountOf(MsgClass.Status), counters[Counter.StatusesReceived]);
        long updates = counters[Counter.StartupUpdates] + counters[Counter.SteadyUpdates] + counters[Counter.DrainedUpdates];
        Assert.Equal(_script.CountOf(MsgClass.Update), updates);
        Assert.Equal(_script.CountOf(MsgClass.Generic), counters[Counter.GenericReceived]);
        Assert.Equal(_script.ItemsWithImage, counters[Counter.ItemsWithRefresh]);
        Assert.Equal(_script.SuspectImages, counters[Counter.SuspectRefreshes]);
        Assert.Equal(_script.ClosesItem ? ConsumerFailureKind.ItemClosed : null, consumer.Failure?.Kind);
        bool asks = Session.ItemRequests.Any();
        Assert.Equal(asks ? ConsumerStage.Items : _downloads ? ConsumerStage.Dictionary : ConsumerStage.Service, consumer.Stage);
        bool isComplete = asks && consumer.ItemCount <= _script.ItemsWithImage;
        Assert.Equal(isComplete, recording.TimeOf(Moment.RefreshesComplete) is not null);
    }

    // An update of an item that was never requested: once it is counted as dropped, all before it was handled.
    private static byte[] EncodeBarrier()
    {
        const int HeaderBytes = 3;
        const byte DataFlag = 0x02;
        byte[] frame = new byte[64];
        RwfWriter writer = new(frame.AsSpan(HeaderBytes));
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketPrice,
            StreamId = int.MaxValue,
        });
        frame[1] = (byte)(HeaderBytes + writer.Written);
        frame[2] = DataFlag;
        return frame[..(HeaderBytes + writer.Written)];
    }
}
