using System.Text.RegularExpressions;

namespace Tools.Tests.Pages;

/// <summary>Extracts the prose of a page: its sentences, without code.</summary>
internal static partial class Prose
{
    /// <summary>A page without code blocks; code spans and targets of links are left out of its lines.</summary>
    public static string Of(string markdown) => LinkTarget().Replace(CodeSpan().Replace(CodeBlock().Replace(markdown, ""), "`x`"), "]");

    /// <summary>The sentences of prose: those of paragraphs and list entries, each cell of a table on its own.</summary>
    public static IEnumerable<string> Sentences(string prose) => ParagraphEnd().Split(prose)
        .SelectMany(paragraph => SentenceEnd().Split(paragraph.ReplaceLineEndings(" "))).Select(sentence => sentence.Trim())
        .Where(sentence => sentence.Length > 0);

    /// <summary>How many words a sentence has.</summary>
    public static int CountWords(string sentence) => Word().Count(sentence);

    [GeneratedRegex("^```.*?^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex CodeBlock();

    [GeneratedRegex("`[^`]*`")]
    private static partial Regex CodeSpan();

    [GeneratedRegex(@"\]\([^)]*\)")]
    private static partial Regex LinkTarget();

    [GeneratedRegex(@"\n\s*\n|\n\s*(?=[-*] |\d+\. |#)|\|")]
    private static partial Regex ParagraphEnd();

    [GeneratedRegex(@"(?<=[.!?:;])\s+")]
    private static partial Regex SentenceEnd();

    [GeneratedRegex(@"[\p{L}\p{N}][\p{L}\p{N}'.,-]*")]
    private static partial Regex Word();
}
