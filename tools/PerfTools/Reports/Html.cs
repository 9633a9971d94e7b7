using System.Net;
using PerfCommon;

namespace PerfTools.Reports;

/// <summary>Text from outside as text of a page, never as a part of it.</summary>
internal static class Html
{
    private const int MaxChars = 4_096;

    /// <summary>A text as it may stand in an element or in a quoted attribute; control characters are shown, very long texts cut.</summary>
    public static string Escape(string text) => WebUtility.HtmlEncode(PrintableText.From(text, MaxChars));
}
