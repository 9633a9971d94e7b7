using NIProvPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Plays a recorded hub against our non-interactive provider and compares what it says.</summary>
internal sealed class PublisherReplay(RecordedSession session, NIProvPerfOptions options) : ClientReplay(session)
{
    private readonly HashSet<Said> _paced =
        [.. session.Messages.Where(message =>
            message.FromClient && message.Said.IsPaced).Select(message => message.Said with { StreamId = 0 })];

    private PublisherSession? _publisher;
    private int _updates;

    protected override string Expected => string.Join(
        '\n', Session.Messages.Where(message =>
            message.FromClient && IsCompared(message)).Select(message => AllowedDifferences.AsOurPublisher(message.Said)));

    private bool IsRejected => Session.Has(fromClient: false, DomainType.Login, MsgClass.Status);

    /// <summary>Our program's session, that publishes some items.</summary>
    public static PublisherSession CreatePublisher(NIProvPerfOptions options, IEnumerable<string> items)
    {
        MessageData messages = MessageData.Load(options.MsgFile, FieldDictionary.Default);
        PublisherLoad load = new(messages, new UpdateSource(messages), NIProvPerfRole.CreateUpdates(options, worker: 0));
        return new PublisherSession(NIProvPerfRole.CreateSession(options, ItemList.Create(items)), load);
    }

    public void Run()
    {
        using Worker worker = new(new WorkerOptions { TickRate = options.Run.TickRate });
        _publisher = CreatePublisher(options, NamesOfImages());
        Play(worker, _publisher, options.Connection.ForClient("NIProvPerf"));
        Assert.Equal(IsRejected ? PublisherStage.Rejected : PublisherStage.Publishing, _publisher.Stage);
        Assert.Equal(_paced.Count > 0, _updates > 0);
    }

    protected override bool IsCompared(RecordedMessage message) => !message.Said.IsPaced;

    protected override void FinishPlaying(ReplayPeer server, Worker worker)
    {
        while (_updates == 0 && _paced.Count > 0)
            Read(server);
        SpinWait.SpinUntil(() => _publisher!.Stage >= PublisherStage.Rejected, ReplayPeer.Patience);
    }

    protected override void TakePaced(Said said)
    {
        _updates++;
        Assert.Contains(said with { StreamId = 0 }, _paced);
        Assert.Contains(Spoken, image => image.IsImage && image.StreamId == said.StreamId);
    }

    // The recorded programs had other lists.
    private IEnumerable<string> NamesOfImages()
    {
        foreach (RecordedMessage message in Session.Messages.Where(message => message.FromClient && message.Said.IsImage))
        {
            RwfMsg.TryDecode(message.Bytes, out RwfMsg image);
            yield return System.Text.Encoding.UTF8.GetString(image.Key.Name);
        }
    }
}
