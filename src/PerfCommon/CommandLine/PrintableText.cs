using System.Globalization;
using System.Text;

namespace PerfCommon.CommandLine;

/// <summary>Makes foreign text fit for one line of output.</summary>
internal static class PrintableText
{
    private const int MaxChars = 512;

    /// <summary>The text with control characters written as <c>\xNN</c>, and cut when it is very long.</summary>
    public static string From(string text)
    {
        if (text.Length <= MaxChars && !text.Any(char.IsControl))
            return text;
        StringBuilder printable = new();
        foreach (char c in text.Length <= MaxChars ? text : text[..MaxChars] + "...")
        {
            if (char.IsControl(c))
                printable.Append(CultureInfo.InvariantCulture, $"\\x{(int)c:X2}");
            else
                printable.Append(c);
        }
        return printable.ToString();
    }
}
