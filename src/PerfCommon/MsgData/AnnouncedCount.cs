using System.Globalization;

namespace PerfCommon.MsgData;

/// <summary>Checks a count that an element of a message file announces for its children.</summary>
/// <remarks>
/// A count below the content selects the first children (common message files announce 70 fields and hold 83), a count above it is an
/// error. No buffer is sized by a count.
/// </remarks>
internal sealed class AnnouncedCount
{
    private readonly XmlInput _input;
    private readonly string _attribute;
    private readonly int _line;
    private readonly int? _announced;
    private int _found;

    /// <summary>Reads the attribute of the element at the input's position; if it is absent, nothing is limited.</summary>
    /// <param name="input">The file.</param>
    /// <param name="attribute">The attribute.</param>
    /// <param name="synonym">Read when the element lacks the attribute.</param>
    public AnnouncedCount(XmlInput input, string attribute, string? synonym = null)
    {
        (_input, _attribute, _line) = (input, attribute, input.Line);
        string? text = input.Attribute(attribute) ?? (synonym is null ? null : input.Attribute(synonym));
        if (text is null)
            return;

        _announced = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int announced)
            ? announced
            : throw input.Error($"{attribute} is \"{PrintableText.From(text)}\", expected a number");
    }

    /// <summary>Counts the child at the input's position. False when it is beyond the count: then it was skipped.</summary>
    public bool Includes()
    {
        if (_found++ < (_announced ?? int.MaxValue))
            return true;

        _input.SkipElement();
        return false;
    }

    /// <summary>Compares the count with the children found, after the last of them.</summary>
    /// <param name="warnings">Receives a sentence when the count is below the content.</param>
    /// <param name="min">Minimum that must be announced.</param>
    /// <exception cref="SetupException">The count is above the content, or too small.</exception>
    public void Check(MessageWarnings warnings, int min = 0)
    {
        if (_announced < min)
            throw _input.ErrorAt(_line, $"{_attribute} is {_announced}, at least {min} is needed");
        if (_announced > _found)
            throw _input.ErrorAt(_line, $"{_attribute} is {_announced}, found {_found}");
        if (_announced < _found)
            warnings.AddCount(_line, $"{_attribute} is {_announced}, found {_found}: only the first {_announced} are used");
    }
}
