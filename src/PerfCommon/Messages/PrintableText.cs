using System.Globalization;
using System.Text;

namespace PerfCommon.Messages;

/// <summary>Text of a file as it may be shown on a terminal: control characters escaped, at most 128 characters.</summary>
internal static class PrintableText
{
    private const int MostCharacters = 128;

    public static string Of(string text)
    {
        StringBuilder shown = new();
        foreach (char c in text.AsSpan(0, Math.Min(text.Length, MostCharacters)))
        {
            bool hidden = char.IsControl(c) || char.GetUnicodeCategory(c) is UnicodeCategory.Format or UnicodeCategory.LineSeparator
                or UnicodeCategory.ParagraphSeparator;
            shown.Append(hidden ? string.Create(CultureInfo.InvariantCulture, $"\\u{(int)c:X4}") : c.ToString());
        }
        return text.Length > MostCharacters ? shown.Append("...").ToString() : shown.ToString();
    }
}
