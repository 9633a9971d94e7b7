namespace PerfCommon.MsgData;

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
