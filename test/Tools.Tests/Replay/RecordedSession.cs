using System.Buffers.Binary;
using System.Text.Json;
using PerfCommon.Codec;

namespace Tools.Tests.Replay;

/// <summary>One recorded connection: its frames in the order they were seen, and the messages in them.</summary>
internal sealed class RecordedSession
{
    private const uint FirstVersionWithLongIds = 0x16; // version 13 as a connect request says it

    private List<RecordedMessage>? _messages;

    private RecordedSession(JsonElement root)
    {
        root.TryGetProperty("options", out JsonElement options);
        ConsumerOptions = TextOf(options, "consumer");
        ProviderOptions = TextOf(options, "provider");
        PublisherOptions = TextOf(options, "niprovider");
        JsonElement[] frames = [.. root.GetProperty("frames").EnumerateArray()];
        string? client = frames[0].GetProperty("dir").GetString();
        Frames = [.. frames.Select(frame => new RecordedFrame(
            frame.GetProperty("dir").GetString() == client, Convert.FromHexString(frame.GetProperty("hex").GetString()!)))];
        FragmentIdBytes = BinaryPrimitives.ReadUInt32BigEndian(Frames[0].Bytes.AsSpan(3)) < FirstVersionWithLongIds ? 1 : 2;
    }

    /// <summary>Command line of the recorded consumer; null when none is told.</summary>
    public string? ConsumerOptions { get; }

    /// <summary>Command line of the recorded interactive provider; null when none is told.</summary>
    public string? ProviderOptions { get; }

    /// <summary>Command line of the recorded non-interactive provider; null when none is told.</summary>
    public string? PublisherOptions { get; }

    /// <summary>The frames.</summary>
    public IReadOnlyList<RecordedFrame> Frames { get; }

    /// <summary>The messages; taken out of the frames when they are wanted, so that a recording we have no part in may hold anything.</summary>
    public IReadOnlyList<RecordedMessage> Messages => _messages ??= [.. ReadMessages()];

    /// <summary>Bytes of a fragment id on this connection.</summary>
    public int FragmentIdBytes { get; }

    /// <summary>The requests for items that the client sent.</summary>
    public IEnumerable<RecordedMessage> ItemRequests =>
        Messages.Where(message => message is { FromClient: true, Said: { Class: MsgClass.Request, Domain: DomainType.MarketPrice } });

    public static RecordedSession Load(string file)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(file));
        return new RecordedSession(document.RootElement);
    }

    /// <summary>True when this side said a message of that kind.</summary>
    public bool Has(bool fromClient, DomainType domain, MsgClass msgClass) =>
        Messages.Any(message => message.FromClient == fromClient && message.Said.Domain == domain && message.Said.Class == msgClass);

    private static string? TextOf(JsonElement options, string name) =>
        options.ValueKind == JsonValueKind.Object && options.TryGetProperty(name, out JsonElement text) ? text.GetString() : null;

    private IEnumerable<RecordedMessage> ReadMessages()
    {
        MessageSplitter client = new(FragmentIdBytes);
        MessageSplitter server = new(FragmentIdBytes);
        for (int i = 0; i < Frames.Count; i++)
        {
            RecordedFrame frame = Frames[i];
            if (frame.IsHandshake)
                continue;
            MessageSplitter splitter = frame.FromClient ? client : server;
            foreach ((byte[] message, (int, int) start) in splitter.Take(frame.Bytes, i))
                yield return new RecordedMessage(frame.FromClient, i, start, message);
        }
    }
}
