using System.Globalization;

namespace PerfCommon.Domains;

/// <summary>Parses one line of a dictionary file: words and quoted texts separated by blanks.</summary>
internal ref struct DictionaryLine(ReadOnlySpan<char> text)
{
    private ReadOnlySpan<char> _rest = text.Trim();

    /// <summary>The unread rest, without blanks around it.</summary>
    public readonly ReadOnlySpan<char> Rest => _rest;

    /// <summary>Reads the characters up to the next blank.</summary>
    public bool TryReadWord(out ReadOnlySpan<char> word)
    {
        int length = _rest.IndexOfAny(' ', '\t');
        word = length < 0 ? _rest : _rest[..length];
        _rest = _rest[word.Length..].TrimStart();
        return !word.IsEmpty;
    }

    /// <summary>Reads a decimal number, which may be directly before a parenthesis.</summary>
    public bool TryReadNumber(out int number)
    {
        int length = _rest.IndexOfAny(" \t()");
        ReadOnlySpan<char> digits = length < 0 ? _rest : _rest[..length];
        if (!int.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number))
            return false;
        _rest = _rest[digits.Length..].TrimStart();
        return true;
    }

    /// <summary>Skips one character if it is the next one.</summary>
    public bool TrySkip(char mark)
    {
        if (_rest.IsEmpty || _rest[0] != mark)
            return false;
        _rest = _rest[1..].TrimStart();
        return true;
    }

    /// <summary>Reads a text between two marks; blanks inside count.</summary>
    public bool TryReadBetween(char mark, out ReadOnlySpan<char> content)
    {
        content = default;
        if (_rest.IsEmpty || _rest[0] != mark)
            return false;
        int length = _rest[1..].IndexOf(mark);
        if (length < 0)
            return false;
        content = _rest.Slice(1, length);
        _rest = _rest[(length + 2)..].TrimStart();
        return true;
    }
}
