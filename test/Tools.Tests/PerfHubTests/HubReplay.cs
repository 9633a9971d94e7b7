using HubPerf;
using NIProvPerf;
using PerfCommon.Codec;
using PerfCommon.Tests;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Upstream;
using Tools.Tests.Replay;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// Plays a recorded consumer of a hub against ours, to which our non-interactive provider publishes, and compares what it receives.
/// </summary>
internal sealed class HubReplay(RecordedSession session, NIProvPerfOptions published) : IDisposable
{
    private readonly LoopbackHub _hub =
        new(new HubPerfOptions { Uncached = Refuses(session) ? UncachedAnswer.Closed : UncachedAnswer.Image });
    private readonly List<(Worker Worker, TurnThread Turns)> _publishers = [];
    private readonly MessageSplitter _splitter = new(session.FragmentIdBytes);
    private readonly List<Said> _answers = [];
    private readonly List<Said> _updates = [];
    private readonly string[] _items = [.. session.ItemRequests.Select(message => NameOf(message.Bytes))];

    private static readonly string[] Others = ["OTHER"];

    public void Run()
    {
        bool isListedAtOnce = session.Messages.First(IsDirectory).Said.Content.Contains("Name=", StringComparison.Ordinal);
        bool comesLate = Refuses(session) || session.Messages.Any(IsUnsolicited);
        if (isListedAtOnce)
            Publish(comesLate ? Others : _items);
        using ReplayPeer consumer = ReplayPeer.Connect(_hub.Port);
        int expected = 0;
        for (int i = 0; i < session.Frames.Count; i++)
        {
            RecordedFrame frame = session.Frames[i];
            if (frame.FromClient)
                consumer.Send(frame.Bytes);
            else if (frame.IsHandshake)
                Assert.NotNull(consumer.ReadFrame());
            RecordedMessage[] said = [.. session.Messages.Where(message => message.Frame == i && !message.FromClient)];
            if (Array.Exists(said, IsUnsolicited))
                Publish(_items);
            expected += said.Count(message => !message.Said.IsPaced);
            ReadUntil(consumer, () => _answers.Count >= expected);
        }

        ReadUntil(consumer, () => _updates.Count(IsOfPost) == session.Messages.Count(message => message.Said.Class == MsgClass.Post));
        Compare();
    }

    public void Dispose()
    {
        foreach ((Worker worker, TurnThread turns) in _publishers)
        {
            turns.Dispose();
            worker.Dispose();
        }

        _hub.Dispose();
    }

    private static bool Refuses(RecordedSession session) =>
        session.Messages.Any(message =>
            message.Said is { Class: MsgClass.Status, Domain: DomainType.MarketPrice }
            && message.Said.State.StartsWith("Closed", StringComparison.Ordinal));

    private static bool IsDirectory(RecordedMessage message) =>
        message is { FromClient: false, Said: { Domain: DomainType.Source, Class: MsgClass.Refresh } };

    private static bool IsUnsolicited(RecordedMessage message) =>
        IsDirectory(message) && (message.Said.Flags & RefreshFlags.Solicited) == 0;

    private static bool IsOfPost(Said update) => (update.Flags & UpdateFlags.HasPostUserInfo) != 0;

    private static string NameOf(byte[] message)
    {
        RwfMsg.TryDecode(message, out RwfMsg msg);
        return System.Text.Encoding.ASCII.GetString(msg.Key.Name);
    }

    private void Publish(string[] items)
    {
        long images = _hub.Count(Counter.RefreshesReceived) + items.Length;
        Worker worker = new(new WorkerOptions { TickRate = published.Run.TickRate });
        worker.Connect(PublisherReplay.CreatePublisher(published, items),
            new ConnectOptions { Host = "127.0.0.1", Port = _hub.ProviderPort });
        _publishers.Add((worker, new TurnThread(worker)));
        LoopbackHub.Until(() => _hub.Count(Counter.RefreshesReceived) >= images, "the publisher's images do not come");
    }

    private void ReadUntil(ReplayPeer consumer, Func<bool> isEnough)
    {
        while (!isEnough())
        {
            byte[]? frame = consumer.ReadFrame();
            Assert.NotNull(frame);
            foreach ((byte[] message, _) in _splitter.Take(frame, number: 0))
                Take(Said.From(message));
        }
    }

    private void Take(Said said)
    {
        if (!said.IsPaced)
        {
            _answers.Add(said);
            return;
        }

        Assert.Contains(_answers, image => image.IsImage && image.StreamId == said.StreamId);
        _updates.Add(said);
    }

    // Order holds on each stream.
    private void Compare()
    {
        Assert.NotEmpty(_items);
        foreach (int stream in session.ItemRequests.Select(message => message.Said.StreamId))
        {
            IEnumerable<Said> expected = session.Messages.Where(message =>
                !message.FromClient && !message.Said.IsPaced).Select(message => message.Said);
            Assert.Equal(Lines(expected.Where(said => said.StreamId == stream)), Lines(_answers.Where(said => said.StreamId == stream)));
            Assert.Equal(
                session.Messages.Count(message => message.Said.Class == MsgClass.Post && message.Said.StreamId == stream),
                _updates.Count(update => update.StreamId == stream && IsOfPost(update)));
        }
    }

    private static string Lines(IEnumerable<Said> said) => string.Join('\n', said);
}
