using System.Net;
using System.Net.Sockets;
using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Plays a recorded server against our consumer and compares what it says.</summary>
internal sealed class ConsumerReplay(RecordedSession session, ConsPerfOptions options)
{
    private readonly ConsumerScript _script = new(session);
    private readonly bool _downloads = session.Has(fromClient: true, DomainType.Dictionary, MsgClass.Request);
    private readonly List<Said> _said = [];
    private readonly HashSet<Said> _paced = [];
    private readonly MessageSplitter _splitter = new(session.FragmentIdBytes);

    public void Run()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        ConnectOptions connect = options.Connection.ForClient("ConsPerf") with { Host = "127.0.0.1", Port = port };
        using Worker worker = new(new WorkerOptions { TickRate = options.Run.TickRate }, ConsPerfRole.CreateRecording(options));
        ConsumerSession consumer = CreateConsumer(worker);
        worker.Connect(consumer, connect);
        using (TurnThread thread = new(worker))
        {
            using (ReplayPeer server = ReplayPeer.Accept(listener))
                Play(server, worker);
            Assert.True(thread.End());
            Assert.Null(thread.Defect);
        }

        Compare(consumer, worker.Recording);
    }

    // Consumers ask for dictionaries when they have none; so the recording tells whether this one had.
    private ConsumerSession CreateConsumer(Worker worker)
    {
        string folder = AppContext.BaseDirectory;
        FieldDictionary? dictionary = _downloads ? null : DictionaryFiles.Find(null, null, folder, null)!.Load();
        ItemList items = _script.LoadItems(options.ItemFile, options.ItemCount, options.Snapshot);
        ConsumerSessionOptions asked = ConsPerfRole.CreateSession(options, items, new ItemPartition(items.Count, 1, 0), part: 0, dictionary);
        MessageData? messages = options.SendsToItems ? MessageData.Load(options.MsgFile, FieldDictionary.Default) : null;
        ConsumerPlan? plan = ConsumerPlan.Of(options, messages, worker.Options.Number);
        return new ConsumerSession(asked, new ConsumerMeasure(options, worker.Recording, new ImageClock(1), plan));
    }

    private void Play(ReplayPeer server, Worker worker)
    {
        int expected = 0;
        for (int i = 0; i < _script.Frames.Count; i++)
        {
            RecordedFrame frame = _script.Frames[i];
            if (!frame.FromClient)
                server.Send(frame.Bytes);
            else if (frame.IsHandshake)
                Assert.NotNull(server.ReadFrame());
            expected += session.Messages.Count(message => message.FromClient && message.Frame == i && ConsumerScript.IsExpected(message));
            while (_said.Count < expected)
                Assert.True(TryRead(server), $"our consumer should have said\n{string.Join('\n', _script.Expected)}\nbut said\n{string.Join('\n', _said)}");
        }

        while (options.SendsToItems && !_paced.SetEquals(_script.Paced))
            Assert.True(TryRead(server), $"our consumer should also have sent\n{string.Join('\n', _script.Paced)}");
        server.Send(EncodeBarrier());
        SpinWait.SpinUntil(() => worker.Recording.Counters[Counter.MessagesDropped] > _script.CountOf(MsgClass.Ack) && IsAllCounted(worker.Recording.Counters), ReplayPeer.Patience);
        worker.RequestEnd();
        while (TryRead(server))
        {
        }
    }

    private bool TryRead(ReplayPeer server)
    {
        if (server.ReadFrame() is not { } frame)
            return false;
        foreach ((byte[] message, _) in _splitter.Take(frame, number: 0))
            Take(Said.From(message));
        return true;
    }

    private void Take(Said said)
    {
        if (!said.IsPaced)
        {
            _said.Add(said);
            return;
        }

        Assert.Contains(said with { StreamId = 0 }, _script.Paced);
        _paced.Add(said with { StreamId = 0 });
    }

    private bool IsAllCounted(CounterSet counters) =>
        counters[Counter.RefreshesReceived] == _script.CountOf(MsgClass.Refresh) && counters[Counter.StatusesReceived] == _script.CountOf(MsgClass.Status);

    private void Compare(ConsumerSession consumer, WorkerRecording recording)
    {
        CounterSet counters = recording.Counters;
        Assert.Equal(string.Join('\n', _script.Expected), string.Join('\n', _said));
        Assert.Equal(_script.CountOf(MsgClass.Refresh), counters[Counter.RefreshesReceived]);
        Assert.Equal(_script.CountOf(MsgClass.Status), counters[Counter.StatusesReceived]);
        long updates = counters[Counter.StartupUpdates] + counters[Counter.SteadyUpdates] + counters[Counter.DrainedUpdates];
        Assert.Equal(_script.CountOf(MsgClass.Update), updates);
        Assert.Equal(_script.CountOf(MsgClass.Generic), counters[Counter.GenericReceived]);
        Assert.Equal(_script.ItemsWithImage, counters[Counter.ItemsWithRefresh]);
        Assert.Equal(_script.SuspectImages, counters[Counter.SuspectRefreshes]);
        Assert.Equal(_script.ClosesItem ? ConsumerFailureKind.ItemClosed : null, consumer.Failure?.Kind);
        bool asks = session.ItemRequests.Any();
        Assert.Equal(asks ? ConsumerStage.Items : _downloads ? ConsumerStage.Dictionary : ConsumerStage.Service, consumer.Stage);
        bool isComplete = asks && consumer.ItemCount <= _script.ItemsWithImage;
        Assert.Equal(isComplete, recording.TimeOf(Moment.RefreshesComplete) is not null);
    }

    // An update of an item that nobody asked for: once it is counted as dropped, all before it was handled.
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
