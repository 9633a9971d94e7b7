namespace PerfCommon.MsgData;

/// <summary>The messages of one domain.</summary>
/// <param name="Refresh">The image of every item.</param>
/// <param name="Updates">The updates, at least one.</param>
/// <param name="Posts">The posts; may be empty.</param>
/// <param name="Generics">The generic messages; may be empty.</param>
internal sealed record MessageList<T>(T Refresh, IReadOnlyList<T> Updates, IReadOnlyList<T> Posts, IReadOnlyList<T> Generics);

/// <summary>Reads the list of the messages of one domain.</summary>
internal sealed class MessageListReader<T>(XmlInput input, MessageWarnings warnings, PayloadReader<T> payload)
    where T : class
{
    private readonly MessageBodyReader<T> _bodies = new(input, warnings, payload);
    private readonly AnnouncedCount _updateCount = new(input, "updateMsgCount");
    private readonly AnnouncedCount _postCount = new(input, "postMsgCount");
    private readonly AnnouncedCount _genericCount = new(input, "genMsgCount", "genericMsgCount");
    private readonly List<T> _updates = [];
    private readonly List<T> _posts = [];
    private readonly List<T> _generics = [];
    private T? _refresh;

    /// <summary>Reads the list element at the input's position.</summary>
    public MessageList<T> Read()
    {
        string list = input.Name;
        int line = input.Line;
        foreach (string element in input.Children())
            ReadMessage(element);

        _updateCount.Check(warnings, min: 1);
        _postCount.Check(warnings);
        _genericCount.Check(warnings);
        if (_refresh is null)
            throw input.ErrorAt(line, $"<{list}> has no <refreshMsg>");
        if (_updates.Count == 0)
            throw input.ErrorAt(line, $"<{list}> has no <updateMsg>");

        return new MessageList<T>(_refresh, _updates, _posts, _generics);
    }

    private void ReadMessage(string element)
    {
        switch (element)
        {
            case "refreshMsg" when _refresh is not null:
                throw input.Error("a second <refreshMsg>, expected one");
            case "refreshMsg":
                _refresh = _bodies.ReadMessage();
                break;
            case "updateMsg":
                Add(_updates, _updateCount, _bodies.ReadMessage);
                break;
            case "postMsg":
                Add(_posts, _postCount, ReadPost);
                break;
            case "genMsg" or "genericMsg":
                Add(_generics, _genericCount, _bodies.ReadMessage);
                break;
            default:
                warnings.Skip();
                break;
        }
    }

    private void Add(List<T> messages, AnnouncedCount count, Func<T> read)
    {
        if (!count.Includes())
            return;
        if (messages.Count == MessageLimits.MaxOfAKind)
            throw input.Error($"one message too many: at most {MessageLimits.MaxOfAKind} of a kind are possible");
        messages.Add(read());
    }

    // A post contains one complete update.
    private T ReadPost()
    {
        int line = input.Line;
        T? update = null;
        foreach (string element in input.Children())
        {
            if (element != "updateMsg")
                warnings.Skip();
            else if (update is not null)
                throw input.Error("a second <updateMsg> in this <postMsg>, expected one");
            else
                update = _bodies.ReadMessage();
        }

        return update ?? throw input.ErrorAt(line, "<postMsg> has no <updateMsg>");
    }
}

/// <summary>Limits of a message file.</summary>
internal static class MessageLimits
{
    /// <summary>Maximum messages of a kind: an item's counter has as many bits (<see cref="Load.RotatingItem"/>).</summary>
    public const int MaxOfAKind = short.MaxValue;
}
