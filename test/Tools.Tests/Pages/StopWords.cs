using System.Text.RegularExpressions;

namespace Tools.Tests.Pages;

/// <summary>Idioms that texts for users do not have; docs/glossary.md has the words to use.</summary>
internal static partial class StopWords
{
    /// <summary>Those found in the texts of a source file: its string literals, without what is filled in.</summary>
    public static IEnumerable<string> InStringsOf(string source) =>
        source.Split('\n').Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal))
        .SelectMany(line => Literal().Matches(line)).SelectMany(literal => In(Hole().Replace(literal.Groups[1].Value, "x")));

    /// <summary>Those found in the comments and docstrings of a source file, each with the line at which its comment begins.</summary>
    public static IEnumerable<string> InCommentsOf(string source) =>
        Comments.Of(source).SelectMany(comment => In(comment.Text).Select(word => $"{comment.Line}: {word}"));

    /// <summary>Those found in a text, each with what surrounds it.</summary>
    public static IEnumerable<string> In(string text) => Idioms().Matches(text)
        .Select(match =>
            $"'{match.Value}' in '{text[Math.Max(0, match.Index - 30)..Math.Min(text.Length, match.Index + match.Length + 30)].ReplaceLineEndings(" ")}'");

    // A warm standby "stands by". The two words of place are "after", "next to", "in addition" in these texts.
    [GeneratedRegex(
        @"\b(came of|comes? of (it|them|that)|makes? of|made of it|(is|are|was|were|be) told|tells? of|so many|as many as|of (its|their) "
            + @"own|beside|behind|(?<!-)meets?(?!-)"
        + @"|somebody|nobody|whoever|wherever one|what it takes|comes? in(?!to)|(goes|go) out|(is|are) asked of|hears? of|lets|stands?(?! by| for| "
        + @"between)|gets one turn)\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex Idioms();

    [GeneratedRegex(@"""((?:[^""\\]|\\.)*)""")]
    private static partial Regex Literal();

    [GeneratedRegex(@"\{[^{}]*\}")]
    private static partial Regex Hole();
}
