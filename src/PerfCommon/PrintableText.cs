using System.Globalization;
using System.Text;

namespace PerfCommon;

/// <summary>Converts text from the wire or from a file to printable text: no control characters, limited length.</summary>
internal static class PrintableText
{
    /// <summary>Maximum printed characters of a text from elsewhere; longer text is truncated and ends in three dots.</summary>
    public const int MaxChars = 128;

    /// <summary>Maximum characters of a sentence of ours that quotes such text.</summary>
    public const int MaxLineChars = 2_048;

    private const string Cut = "...";

    /// <summary>Escapes UTF-8 text; bytes that are not UTF-8 become replacement characters.</summary>
    public static string From(ReadOnlySpan<byte> utf8)
    {
        // no more bytes than can ever be printed: four bytes are at least one character
        int shown = Math.Min(utf8.Length, 4 * (MaxChars + 1));
        return From(Encoding.UTF8.GetString(utf8[..shown]));
    }

    /// <summary>Escapes text up to the NUL with which some programs end it.</summary>
    public static string FromTerminated(ReadOnlySpan<byte> utf8)
    {
        int end = utf8.IndexOf((byte)0);
        return From(end < 0 ? utf8 : utf8[..end]);
    }

    /// <summary>Escapes control, format and unpaired surrogate characters as \uXXXX, and truncates the text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="maxChars">Maximum characters of the result.</param>
    public static string From(ReadOnlySpan<char> text, int maxChars = MaxChars)
    {
        StringBuilder printable = new();
        int whole = 0;
        foreach (Rune rune in text.EnumerateRunes())
        {
            if (printable.Length <= maxChars - Cut.Length)
                whole = printable.Length;
            Append(printable, rune);
            if (printable.Length > maxChars)
                return printable.ToString(0, whole) + Cut;
        }

        return printable.ToString();
    }

    /// <summary>Escapes the same characters in a text of ours that quotes other text, without truncation.</summary>
    /// <param name="text">The text; returned unchanged where there is nothing to escape.</param>
    /// <param name="keepsLines">True to keep line feeds.</param>
    public static string Escape(string text, bool keepsLines = false)
    {
        if (text.AsSpan().IndexOfAnyExceptInRange(' ', '~') < 0)
            return text;
        StringBuilder printable = new(text.Length);
        foreach (Rune rune in text.EnumerateRunes())
        {
            if (keepsLines && rune.Value == '\n')
                printable.Append('\n');
            else
                Append(printable, rune);
        }

        return printable.ToString();
    }

    private static void Append(StringBuilder printable, Rune rune)
    {
        UnicodeCategory category = Rune.GetUnicodeCategory(rune);
        bool hidden = category is UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned;
        if (hidden)
            printable.Append(CultureInfo.InvariantCulture, $"\\u{rune.Value:X4}");
        else
            printable.Append(rune.ToString());
    }
}
