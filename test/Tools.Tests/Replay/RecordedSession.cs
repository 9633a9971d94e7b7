using System.Text.Json;
using PerfCommon.Codec;
using PerfCommon.Tests;

namespace Tools.Tests.Replay;

/// <summary>One recorded connection: its frames in the order they were seen, and the messages in them.</summary>
internal sealed class RecordedSession
{
    private readonly Dictionary<string, string> _commandLines = [];
    private List<RecordedMessage>? _messages;

    private RecordedSession(JsonElement root)
    {
        if (root.TryGetProperty("options", out JsonElement options) && options.ValueKind == JsonValueKind.Object)
            _commandLines = options.EnumerateObject().ToDictionary(option => option.Name, option => option.Value.GetString()!);
        JsonElement[] frames = [.. root.GetProperty("frames").EnumerateArray()];
        string? client = frames[0].GetProperty("dir").GetString();
        Frames = [.. frames.Select(frame => new RecordedFrame(
            frame.GetProperty("dir").GetString() == client, Convert.FromHexString(frame.GetProperty("hex").GetString()!)))];
        FragmentIdBytes = MessageSplitter.FragmentIdBytes(Frames[0].Bytes);
    }

    /// <summary>The frames.</summary>
    public IReadOnlyList<RecordedFrame> Frames { get; }

    /// <summary>
    /// The messages; taken out of the frames when they are wanted, so that a recording we have no part in may hold anything.
    /// </summary>
    public IReadOnlyList<RecordedMessage> Messages => _messages ??= [.. ReadMessages()];

    /// <summary>Bytes of a fragment id on this connection.</summary>
    public int FragmentIdBytes { get; }

    /// <summary>The requests for items that the client sent.</summary>
    public IEnumerable<RecordedMessage> ItemRequests =>
        Messages.Where(message => message is { FromClient: true, Said: { Class: MsgClass.Request, Domain: DomainType.MarketPrice } });

    /// <summary>True when the client logged in as a non-interactive provider.</summary>
    public bool IsOfPublisher =>
        Messages.Any(message => message is { FromClient: true, Said: { Domain: DomainType.Login, Class: MsgClass.Request } }
        && message.Said.Content.Contains(AllowedDifferences.PublisherRole, StringComparison.Ordinal));

    public static RecordedSession Load(string path)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(path));
        return new RecordedSession(document.RootElement);
    }

    /// <summary>Words of the command line of the recorded program in a role; null when it is unknown.</summary>
    public string[]? FindCommandLine(string role) =>
        _commandLines.TryGetValue(role, out string? line) ? OptionLines.Words(ExamplePrograms.AsOurs(line)) : null;

    /// <summary>True when this side said a message of that kind.</summary>
    public bool Has(bool fromClient, DomainType domain, MsgClass msgClass) =>
        Messages.Any(message => message.FromClient == fromClient && message.Said.Domain == domain && message.Said.Class == msgClass);

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
