using System.Net;
using PerfCommon;

namespace PerfTools.Reports;

/// <summary>Escapes foreign text, so that it is shown on a page and never becomes a part of it.</summary>
internal static class Html
{
    private const int MaxChars = 4_096;

    /// <summary>Escapes a text for an element or a quoted attribute; control characters are shown, very long texts are truncated.</summary>
    public static string Escape(string text) => WebUtility.HtmlEncode(PrintableText.From(text, MaxChars));
}
