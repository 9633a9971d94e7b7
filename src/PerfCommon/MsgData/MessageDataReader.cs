using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>
/// Reads the message-data file: a list of market price messages, one of market by order, or both; with the latter alone the former are our
/// own messages.
/// </summary>
internal sealed class MessageDataReader
{
    private readonly XmlInput _input;
    private readonly MessageWarnings _warnings;
    private readonly FieldDictionary _dictionary;
    private readonly FieldListElementReader _lists;
    private MessageList<FieldListTemplate>? _prices;
    private MessageList<FieldMapTemplate>? _orderBooks;

    public MessageDataReader(XmlInput input, FieldDictionary dictionary)
    {
        (_input, _dictionary) = (input, dictionary);
        _warnings = new MessageWarnings(input);
        _lists = new FieldListElementReader(input, _warnings, new FieldEntryReader(input, dictionary, _warnings));
    }

    public MessageData Read(string path)
    {
        _input.ReadRoot("msgFormat");
        foreach (string element in _input.Children())
        {
            switch (element)
            {
                case "marketPriceMsgList":
                    ReadOnce(ref _prices, _lists);
                    break;
                case "marketByOrderMsgList":
                    ReadOnce(ref _orderBooks, new FieldMapElementReader(_input, _warnings, _lists));
                    break;
                default:
                    _warnings.Skip();
                    break;
            }
        }

        if (_prices is null && _orderBooks is not null)
            _prices = MessageData.Default(_dictionary).Prices;
        return _prices is not null
            ? new MessageData(path, _prices, _warnings.Sentences) { OrderBooks = _orderBooks }
            : throw _input.Error("there is no <marketPriceMsgList>");
    }

    private void ReadOnce<T>(ref MessageList<T>? list, PayloadReader<T> payload)
        where T : class
    {
        if (list is not null)
            throw _input.Error($"a second <{_input.Name}>, expected one");
        list = new MessageListReader<T>(_input, _warnings, payload).Read();
    }
}

/// <summary>Collects warnings about unused content of a message file: one sentence for each name or count, however often it occurs.</summary>
internal sealed class MessageWarnings(XmlInput input)
{
    private const int MostWarnings = 20;

    private readonly HashSet<string> _said = new(StringComparer.Ordinal);
    private readonly List<string> _sentences = [];

    public IReadOnlyList<string> Sentences => _sentences;

    /// <summary>Records an unknown element or attribute at the line just read.</summary>
    public void Add(string what, string name)
    {
        if (_said.Count < MostWarnings && _said.Add($"{what} {name}"))
            _sentences.Add(input.Message(input.Line, $"unknown {what} {PrintableText.From(name)} is passed over"));
    }

    /// <summary>Adds a sentence about a count of an element, once for the same numbers.</summary>
    public void AddCount(int line, string sentence)
    {
        if (_said.Count < MostWarnings && _said.Add(sentence))
            _sentences.Add(input.Message(line, sentence));
    }

    /// <summary>Skips an element that is unknown in its place.</summary>
    public void Skip()
    {
        Add("element", $"<{input.Name}>");
        input.SkipElement();
    }
}
