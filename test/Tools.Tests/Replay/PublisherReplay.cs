using System.Net;
using System.Net.Sockets;
using NIProvPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Plays a recorded hub against our non-interactive provider and compares what it says.</summary>
internal sealed class PublisherReplay(RecordedSession session, NIProvPerfOptions options)
{
    private readonly List<Said> _said = [];
    private readonly MessageSplitter _splitter = new(session.FragmentIdBytes);
    private readonly HashSet<Said> _paced =
        [.. session.Messages.Where(message => message.FromClient && message.Said.IsPaced).Select(message => message.Said with { StreamId = 0 })];

    private int _updates;

    private string Expected =>
        string.Join('\n', session.Messages.Where(IsCompared).Select(message => AllowedDifferences.AsOurPublisher(message.Said)));

    private string Actual => string.Join('\n', _said);

    private bool IsRejected => session.Has(fromClient: false, DomainType.Login, MsgClass.Status);

    public void Run()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        ConnectOptions connect = options.Connection.ForClient("NIProvPerf") with { Host = "127.0.0.1", Port = port };
        using Worker worker = new(new WorkerOptions { TickRate = options.Run.TickRate });
        PublisherSession publisher = CreatePublisher();
        worker.Connect(publisher, connect);
        using (TurnThread thread = new(worker))
        {
            using (ReplayPeer hub = ReplayPeer.Accept(listener))
                Play(hub, worker, publisher);
            Assert.True(thread.End());
            Assert.Null(thread.Defect);
        }

        Assert.Equal(Expected, Actual);
        Assert.Equal(IsRejected ? PublisherStage.Rejected : PublisherStage.Publishing, publisher.Stage);
        Assert.Equal(_paced.Count > 0, _updates > 0);
    }

    private static bool IsCompared(RecordedMessage message) => message.FromClient && !message.Said.IsPaced;

    private PublisherSession CreatePublisher()
    {
        MessageData messages = MessageData.Load(options.MsgFile, FieldDictionary.Default);
        PublisherLoad load = new(messages, new UpdateSource(messages), NIProvPerfRole.CreateUpdates(options, worker: 0));
        return new PublisherSession(NIProvPerfRole.CreateSession(options, ItemList.Create(NamesOfImages())), load);
    }

    // The recorded programs had lists of their own.
    private IEnumerable<string> NamesOfImages()
    {
        foreach (RecordedMessage message in session.Messages.Where(message => message.FromClient && message.Said.IsImage))
        {
            RwfMsg.TryDecode(message.Bytes, out RwfMsg image);
            yield return System.Text.Encoding.UTF8.GetString(image.Key.Name);
        }
    }

    private void Play(ReplayPeer hub, Worker worker, PublisherSession publisher)
    {
        int expected = 0;
        for (int i = 0; i < session.Frames.Count; i++)
        {
            RecordedFrame frame = session.Frames[i];
            if (!frame.FromClient)
                hub.Send(frame.Bytes);
            else if (frame.IsHandshake)
                Assert.NotNull(hub.ReadFrame());
            expected += session.Messages.Count(message => message.Frame == i && IsCompared(message));
            while (_said.Count < expected)
                Read(hub);
        }

        while (_updates == 0 && _paced.Count > 0)
            Read(hub);
        SpinWait.SpinUntil(() => publisher.Stage >= PublisherStage.Rejected, ReplayPeer.Patience);
        worker.RequestEnd();
        while (TryRead(hub))
        {
        }
    }

    private void Read(ReplayPeer hub) =>
        Assert.True(TryRead(hub), $"our publisher should have said\n{Expected}\nbut said\n{Actual}");

    private bool TryRead(ReplayPeer hub)
    {
        if (hub.ReadFrame() is not { } frame)
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

        _updates++;
        Assert.Contains(said with { StreamId = 0 }, _paced);
        Assert.Contains(_said, image => image.IsImage && image.StreamId == said.StreamId);
    }
}
