using System.Buffers.Binary;
using System.Security;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace Tools.Tests.Replay;

/// <summary>The messages expected of our consumer, and the recorded server's frames with our consumer's stream ids.</summary>
internal sealed class ConsumerScript
{
    private const int JavaEnumStream = StreamIds.Directory; // its own slip (domains.md 1, 13)

    private static readonly string[] FinalStates = [nameof(StreamState.Closed), nameof(StreamState.Redirected)];

    private readonly RecordedSession _session;
    private readonly Dictionary<int, int> _ourItemStreams = []; // C counts from 5, watchlists from 3 or 4 (domains.md 1, 16.12)

    public ConsumerScript(RecordedSession session)
    {
        _session = session;
        foreach (RecordedMessage request in session.ItemRequests)
            _ourItemStreams.TryAdd(request.Said.StreamId, StreamIds.FirstItem + _ourItemStreams.Count);
        Expected = [.. session.Messages.Where(IsExpected).Select(message => Ours(message.Said))];
        Paced = [.. session.Messages.Where(message =>
            message.FromClient && message.Said.IsPaced).Select(message => message.Said with { StreamId = 0 })];
        Frames = [.. session.Frames.Select(frame => frame with { Bytes = [.. frame.Bytes] })];
        foreach (RecordedMessage message in session.Messages)
        {
            Span<byte> header = Frames[message.Start.Frame].Bytes.AsSpan(message.Start.Offset);
            BinaryPrimitives.WriteInt32BigEndian(header[Said.StreamIdOffset..], OurStreamOf(message.Said));
        }
    }

    /// <summary>True for a message that our consumer says, too, in its place.</summary>
    public static bool IsExpected(RecordedMessage message) =>
        message.FromClient && !message.Said.IsPaced && AllowedDifferences.IsOfTools(message.Said);

    /// <summary>The consumer's messages in order.</summary>
    public IReadOnlyList<Said> Expected { get; }

    /// <summary>Headers of the posts and generic messages, on stream 0.</summary>
    public HashSet<Said> Paced { get; }

    /// <summary>The frames of both sides, those of the server as they are to be sent.</summary>
    public IReadOnlyList<RecordedFrame> Frames { get; }

    /// <summary>The server's messages on item streams, counted.</summary>
    public int CountOf(MsgClass msgClass) => ItemAnswers.Count(said => said.Class == msgClass);

    /// <summary>Items that the server sent an image of.</summary>
    public int ItemsWithImage => ItemAnswers
        .Where(said =>
            said.IsImage && (said.Flags & RefreshFlags.RefreshComplete) != 0
            && said.State.Contains($"/{DataState.Ok}/", StringComparison.Ordinal))
        .Select(said => said.StreamId).Distinct().Count();

    /// <summary>Temporary images.</summary>
    public int SuspectImages =>
        ItemAnswers.Count(said => said.IsImage && said.State.Contains($"Open/{DataState.Suspect}/", StringComparison.Ordinal));

    /// <summary>True when the server closed an item.</summary>
    public bool ClosesItem =>
        ItemAnswers.Any(said =>
            said.Class == MsgClass.Status && FinalStates.Any(state => said.State.StartsWith(state, StringComparison.Ordinal)));

    private IEnumerable<Said> ItemAnswers =>
        _session.Messages.Where(message =>
            !message.FromClient).Select(message => message.Said).Where(said => said.Domain == DomainType.MarketPrice);

    /// <summary>The items that were requested, in order; those of the shipped list when none was.</summary>
    /// <param name="itemFile">The shipped list.</param>
    /// <param name="count">How many of it.</param>
    /// <param name="allSnapshots">True when the command line asks for snapshots only.</param>
    public ItemList LoadItems(string itemFile, int count, bool allSnapshots)
    {
        RecordedMessage[] requests = [.. _session.ItemRequests];
        if (requests.Length == 0)
            return ItemList.Load(itemFile, count);
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path,
                $"<itemList>{string.Concat(requests.Select(request => ItemElement(request, allSnapshots)))}</itemList>");
            return ItemList.Load(path, requests.Length);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private string ItemElement(RecordedMessage request, bool allSnapshots)
    {
        RwfMsg.TryDecode(request.Bytes, out RwfMsg msg);
        bool isSnapshot = !allSnapshots && !msg.Has(RequestFlags.Streaming);
        string name = SecurityElement.Escape(System.Text.Encoding.UTF8.GetString(msg.Key.Name));
        return $"<item domain=\"MarketPrice\" name=\"{name}\"{(isSnapshot ? " snapshot=\"true\"" : "")}{MarkOf(request, MsgClass.Post, "post")}{MarkOf(request, MsgClass.Generic, "genMsg")}/>";
    }

    // An item is marked for what the recorded client sent on its stream.
    private string MarkOf(RecordedMessage request, MsgClass msgClass, string attribute) =>
        _session.Messages.Any(message =>
            message.FromClient && message.Said.Class == msgClass && message.Said.StreamId == request.Said.StreamId)
            ? $" {attribute}=\"true\"" : "";

    private Said Ours(Said said) => AllowedDifferences.AsOurConsumer(said) with { StreamId = OurStreamOf(said) };

    private int OurStreamOf(Said said) => said switch
    {
        { Domain: DomainType.Dictionary, StreamId: JavaEnumStream } => StreamIds.EnumDictionary,
        { Domain: DomainType.MarketPrice } when _ourItemStreams.TryGetValue(said.StreamId, out int ours) => ours,
        _ => said.StreamId,
    };
}
