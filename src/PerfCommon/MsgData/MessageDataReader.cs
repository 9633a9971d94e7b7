using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>Reads the message-data file: one list of market price messages and, passed over, one of market by order.</summary>
internal sealed class MessageDataReader
{
    private readonly XmlInput _input;
    private readonly MessageWarnings _warnings;
    private readonly MessageBodyReader _bodies;
    private readonly List<FieldListTemplate> _updates = [];
    private readonly List<FieldListTemplate> _posts = [];
    private readonly List<FieldListTemplate> _generics = [];
    private FieldListTemplate? _refresh;

    public MessageDataReader(XmlInput input, FieldDictionary dictionary)
    {
        _input = input;
        _warnings = new MessageWarnings(input);
        _bodies = new MessageBodyReader(input, _warnings, new FieldEntryReader(input, dictionary, _warnings));
    }

    public MessageData Read(string path)
    {
        _input.ReadRoot("msgFormat");
        bool listSeen = false;
        foreach (string element in _input.Children())
        {
            switch (element)
            {
                case "marketPriceMsgList" when listSeen:
                    throw _input.Error("a second <marketPriceMsgList>, expected one");
                case "marketPriceMsgList":
                    ReadList();
                    listSeen = true;
                    break;
                case "marketByOrderMsgList":
                    _warnings.AddUnused(element);
                    _input.SkipElement();
                    break;
                default:
                    _bodies.PassOver();
                    break;
            }
        }

        return listSeen
            ? new MessageData(path, _refresh!, [.. _updates], [.. _posts], [.. _generics], _warnings.Sentences)
            : throw _input.Error("there is no <marketPriceMsgList>");
    }

    private void ReadList()
    {
        int line = _input.Line;
        string? updateCount = _input.Attribute("updateMsgCount");
        string? postCount = _input.Attribute("postMsgCount");
        string? genericCount = _input.Attribute("genMsgCount") ?? _input.Attribute("genericMsgCount");
        foreach (string element in _input.Children())
            ReadMessage(element);

        if (_refresh is null)
            throw _input.ErrorAt(line, "<marketPriceMsgList> has no <refreshMsg>");
        if (_updates.Count == 0)
            throw _input.ErrorAt(line, "<marketPriceMsgList> has no <updateMsg>");

        _input.CheckCount(line, "updateMsgCount", updateCount, _updates.Count);
        _input.CheckCount(line, "postMsgCount", postCount, _posts.Count);
        _input.CheckCount(line, "genMsgCount", genericCount, _generics.Count);
    }

    private void ReadMessage(string element)
    {
        switch (element)
        {
            case "refreshMsg" when _refresh is not null:
                throw _input.Error("a second <refreshMsg>, expected one");
            case "refreshMsg":
                _refresh = _bodies.ReadMessage();
                break;
            case "updateMsg":
                _updates.Add(_bodies.ReadMessage());
                break;
            case "postMsg":
                _posts.Add(ReadPost());
                break;
            case "genMsg" or "genericMsg":
                _generics.Add(_bodies.ReadMessage());
                break;
            default:
                _bodies.PassOver();
                break;
        }
    }

    // A post carries one whole update.
    private FieldListTemplate ReadPost()
    {
        int line = _input.Line;
        FieldListTemplate? update = null;
        foreach (string element in _input.Children())
        {
            if (element != "updateMsg")
                _bodies.PassOver();
            else if (update is not null)
                throw _input.Error("a second <updateMsg> in this <postMsg>, expected one");
            else
                update = _bodies.ReadMessage();
        }

        return update ?? throw _input.ErrorAt(line, "<postMsg> has no <updateMsg>");
    }
}

/// <summary>What was passed over while a message file was read: one sentence for each name, however often it occurs.</summary>
internal sealed class MessageWarnings(XmlInput input)
{
    private const int MostWarnings = 20;

    private readonly HashSet<string> _said = new(StringComparer.Ordinal);
    private readonly List<string> _sentences = [];

    public IReadOnlyList<string> Sentences => _sentences;

    /// <summary>Notes an unknown element or attribute at the line just read.</summary>
    public void Add(string what, string name)
    {
        if (_said.Count < MostWarnings && _said.Add($"{what} {name}"))
            _sentences.Add(input.Message(input.Line, $"unknown {what} {PrintableText.From(name)} is passed over"));
    }

    /// <summary>Notes a list that this version does not use.</summary>
    public void AddUnused(string element) =>
        _sentences.Add(input.Message(input.Line, $"<{element}> is not used by this version and passed over"));
}
