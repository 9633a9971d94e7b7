using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace Tools.Tests.Pages;

/// <summary>Extracts the comments and docstrings of a source file as prose: without tags, references and code.</summary>
internal static partial class Comments
{
    // Docstrings are comments like others here: lines of text.
    private static readonly CSharpParseOptions Options = new(LanguageVersion.Preview, DocumentationMode.None);

    /// <summary>Finds the paragraphs of all comments, each with the line at which its comment begins, from 1.</summary>
    /// <remarks>Lines without code that follow each other are one comment; each block tag of a docstring ends a paragraph.</remarks>
    public static IEnumerable<(int Line, string Text)> Of(string source)
    {
        SourceText text = SourceText.From(source);
        List<(int Line, string Mark, string Text)> found = [];
        int joined = -1; // the line that may continue the last comment
        foreach (SyntaxTrivia trivia in CSharpSyntaxTree.ParseText(text, Options).GetRoot().DescendantTrivia(descendIntoTrivia: true))
        {
            if (!trivia.IsKind(SyntaxKind.SingleLineCommentTrivia) && !trivia.IsKind(SyntaxKind.MultiLineCommentTrivia))
                continue;
            (string mark, string content) = Split(trivia.ToString());
            TextLine line = text.Lines.GetLineFromPosition(trivia.SpanStart);
            bool isAlone = string.IsNullOrWhiteSpace(source[line.Start..trivia.SpanStart]);
            if (isAlone && line.LineNumber == joined && found[^1].Mark == mark)
                found[^1] = found[^1] with { Text = $"{found[^1].Text} {content}" };
            else
                found.Add((line.LineNumber + 1, mark, content));
            joined = isAlone ? text.Lines.GetLineFromPosition(trivia.Span.End).LineNumber + 1 : -1;
        }

        return found.SelectMany(comment => Paragraphs(comment.Text).Select(paragraph => (comment.Line, paragraph)));
    }

    private static (string Mark, string Text) Split(string comment)
    {
        if (comment.StartsWith("/*", StringComparison.Ordinal))
            return ("/*", Margin().Replace(comment.Trim('/').Trim('*'), " "));
        string text = comment.TrimStart('/');
        return (comment[..^text.Length], text);
    }

    private static string[] Paragraphs(string comment) => Tag().Replace(Inline().Replace(Blanks().Replace(comment, " "), "x"), "\n")
        .Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    [GeneratedRegex(@"\s*\n\s*\*?")]
    private static partial Regex Margin();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();

    [GeneratedRegex(@"<(see|paramref|typeparamref)\b[^>]*/>|<c>[^<]*</c>")]
    private static partial Regex Inline();

    [GeneratedRegex(@"</?[a-z]+\b[^>]*>")]
    private static partial Regex Tag();
}
