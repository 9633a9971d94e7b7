using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace Tools.Tests.Replay;

/// <summary>The messages of a recorded client turn by turn, and the answers expected of our provider.</summary>
internal sealed class ProviderScript
{
    private readonly OpenStreams _open = new();
    private readonly HashSet<RecordedMessage> _replaced = [];
    private readonly Dictionary<int, int> _imagesOnStream = [];
    private readonly HashSet<int> _unanswered = [];
    private readonly List<Said> _unansweredDictionaries = [];
    private readonly HashSet<int> _private = [];

    public ProviderScript(RecordedSession session)
    {
        List<byte> frames = [];
        IEnumerator<RecordedMessage> messages = session.Messages.GetEnumerator();
        bool more = messages.MoveNext();
        for (int i = 0; i < session.Frames.Count; i++)
        {
            if (session.Frames[i].FromClient && !session.Frames[i].IsHandshake)
                frames.AddRange(session.Frames[i].Bytes);
            for (; more && messages.Current.Frame == i; more = messages.MoveNext())
                Take(session, messages.Current);
            bool isTurnOver = i + 1 == session.Frames.Count || (session.Frames[i + 1].FromClient && !session.Frames[i].FromClient);
            if (isTurnOver && frames.Count > 0)
            {
                Turns.Add(([.. frames], Expected.Lengths));
                frames.Clear();
            }
        }

        // 16.1: C# may leave the second of two requests unanswered, ours answers it
        _unansweredDictionaries.ForEach(Expected.Add);
        Turns[^1] = (Turns[^1].Frames, Expected.Lengths);
    }

    /// <summary>The frames of each turn of the client, and how long the transcript is before its next turn.</summary>
    public List<(byte[] Frames, (int Images, int DictionaryParts, int Replies) Lengths)> Turns { get; } = [];

    /// <summary>Every answer that must come.</summary>
    public Transcript Expected { get; } = new();

    /// <summary>Headers of the updates and generic messages, on stream 0; plain updates also where the recording left them out.</summary>
    public HashSet<Said> Paced { get; } = [new Said { Class = MsgClass.Update, Domain = DomainType.MarketPrice, StreamId = 0 }];

    /// <summary>Those of them that our provider must send: generic messages, and what comes of posts.</summary>
    public IEnumerable<Said> Demanded => Paced.Where(said => said.Class != MsgClass.Update || said.Flags != 0);

    /// <summary>
    /// The acknowledgements that posts ask for: id, sequence number, whether it is a refusal. 6.2: most providers never send them, ours
    /// does.
    /// </summary>
    public List<(uint Id, uint SeqNum, bool IsRefusal)> Acks { get; } = [];

    /// <summary>Posts that the client sent.</summary>
    public int Posts { get; private set; }

    /// <summary>Generic messages that the client sent on items.</summary>
    public int Generics { get; private set; }

    /// <summary>What an acknowledgement says.</summary>
    public static (uint Id, uint SeqNum, bool IsRefusal) ReadAck(byte[] message)
    {
        RwfMsg.TryDecode(message, out RwfMsg ack);
        return (ack.AckId, ack.SeqNum, ack.Has(AckFlags.HasNakCode));
    }

    /// <summary>True for an image that the recorded provider had no time to send before its client left.</summary>
    /// <param name="streamId">Stream of the image.</param>
    /// <param name="before">Images on that stream before it.</param>
    public bool ComesTooLate(int streamId, int before) =>
        _unanswered.Contains(streamId) && before >= _imagesOnStream.GetValueOrDefault(streamId);

    private void Take(RecordedSession session, RecordedMessage message)
    {
        Said said = message.Said;
        if (!message.FromClient)
            TakeAnswer(message);
        else if (said.Class == MsgClass.Request && AnswerTo(session, message) is { Said.IsImage: true } image && (said.Flags & RequestFlags.HasBatch) != 0)
            TakeBatch(message, image);
        else if (said.Class == MsgClass.Request)
            TakeRequest(said, AnswerTo(session, message));
        else if (said.Class == MsgClass.Close)
            _open.Close(said);
        else if (said.Class == MsgClass.Post)
            TakePost(session, message);
        else if (said is { Class: MsgClass.Generic, Domain: DomainType.MarketPrice })
            Generics++;
    }

    private void TakeRequest(Said request, RecordedMessage? recorded)
    {
        if (AllowedDifferences.InsteadOfRecorded(request, _open) is { } ours)
        {
            Expected.Add(ours);
            if (recorded is not null)
                _replaced.Add(recorded);
        }
        else if (request.Domain == DomainType.Dictionary && recorded is null)
        {
            _unansweredDictionaries.Add(Said.WholeDictionary(request));
        }
        else if (request.Domain == DomainType.MarketPrice)
        {
            if ((request.Flags & RequestFlags.PrivateStream) != 0)
                _private.Add(request.StreamId);
            if (recorded is null)
                _unanswered.Add(request.StreamId);
            if (recorded is null or { Said.IsImage: true })
                _open.Open(request);
        }
    }

    // 2.2, 5.6: perf providers answer a batch as one item without a name, ours opens the items it lists
    private void TakeBatch(RecordedMessage batch, RecordedMessage image)
    {
        _replaced.Add(image);
        RwfMsg.TryDecode(batch.Bytes, out RwfMsg msg);
        BatchRequest.TryOpen(msg, out ArrayReader names);
        for (int streamId = batch.Said.StreamId + 1; names.TryReadNext(out ReadOnlySpan<byte> name) == DecodeResult.Success; streamId++)
            Expected.Add(image.Said with { StreamId = streamId, Key = $"{image.Said.Key} name {Encoding.ASCII.GetString(name)} type 1" });
        Expected.Add(Said.Closing(batch.Said, StreamState.Closed, StateCode.None, DataState.NoChange));
    }

    private void TakePost(RecordedSession session, RecordedMessage message)
    {
        Posts++;
        RwfMsg.TryDecode(message.Bytes, out RwfMsg post);
        if (!post.Has(PostFlags.Ack))
            return;
        (uint id, uint seqNum) = (post.PostId, post.SeqNum);
        Acks.Add((id, seqNum,
            session.Messages.Any(answer => answer.Said.Class == MsgClass.Ack && ReadAck(answer.Bytes) == (id, seqNum, true))));
    }

    private void TakeAnswer(RecordedMessage message)
    {
        Said said = message.Said;
        if (said.IsPaced)
            Paced.Add(AllowedDifferences.AsOurProviderPaces(said) with { StreamId = 0 });
        if (said.IsPaced || AllowedDifferences.IsFree(said) || _replaced.Contains(message))
            return;
        Expected.Add(said.IsImage
            ? AllowedDifferences.AsOurProvider(said, _private.Contains(said.StreamId)) : AllowedDifferences.AsOurDirectory(said));
        if (said.IsImage)
            _imagesOnStream[said.StreamId] = _imagesOnStream.GetValueOrDefault(said.StreamId) + 1;
    }

    // A status is matched by its stream: editions differ in the domain they put on it (16).
    private RecordedMessage? AnswerTo(RecordedSession session, RecordedMessage request) => session.Messages
        .SkipWhile(message => message != request)
        .FirstOrDefault(message => !message.FromClient && message.Said.StreamId == request.Said.StreamId
            && message.Said.Class is MsgClass.Refresh or MsgClass.Status && !_replaced.Contains(message)
            && (message.Said.Class == MsgClass.Status || message.Said.Domain == request.Said.Domain));
}
