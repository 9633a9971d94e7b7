using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace PerfTools.Processes;

/// <summary>Arguments written as one text, as in <c>--prov "-threads 2 -msgFile 'my data.xml'"</c>.</summary>
internal static class ArgumentText
{
    /// <summary>Splits like a shell: blanks separate, single and double quotes and the backslash protect; nothing is expanded.</summary>
    /// <returns>False, with a sentence, when a quote is not closed.</returns>
    public static bool TrySplit(string text, out IReadOnlyList<string> arguments, [NotNullWhen(false)] out string? problem)
    {
        List<string> found = [];
        char? open = null;
        for (ReadOnlySpan<char> rest = text.AsSpan().TrimStart(); !rest.IsEmpty; rest = rest.TrimStart())
        {
            StringBuilder argument = new();
            while (!rest.IsEmpty && !char.IsWhiteSpace(rest[0]))
                open = ReadPiece(ref rest, argument);
            found.Add(argument.ToString());
        }

        arguments = found;
        problem = open is null ? null : $"the quote {open} is not closed";
        return problem is null;
    }

    /// <summary>Writes one argument so that <see cref="TrySplit"/>, and a shell, restore it.</summary>
    public static string Quote(string argument) =>
        argument.Length > 0 && argument.All(c => char.IsAsciiLetterOrDigit(c) || "-_./:=,@+%".Contains(c))
            ? argument
            : "'" + argument.Replace("'", "'\\''", StringComparison.Ordinal) + "'";

    // One character, one that a backslash protects, or all between two quotes; the result is a quote that is not closed.
    private static char? ReadPiece(ref ReadOnlySpan<char> rest, StringBuilder argument)
    {
        char first = rest[0];
        rest = rest[1..];
        if (first is '"' or '\'')
            return ReadQuoted(first, ref rest, argument) ? null : first;
        if (first == '\\' && !rest.IsEmpty)
        {
            first = rest[0];
            rest = rest[1..];
        }

        argument.Append(first);
        return null;
    }

    // Between double quotes a backslash protects a double quote and itself, between single quotes nothing.
    private static bool ReadQuoted(char quote, ref ReadOnlySpan<char> rest, StringBuilder argument)
    {
        while (!rest.IsEmpty)
        {
            bool isProtected = quote == '"' && rest is ['\\', '"' or '\\', ..];
            char c = isProtected ? rest[1] : rest[0];
            rest = rest[(isProtected ? 2 : 1)..];
            if (!isProtected && c == quote)
                return true;
            argument.Append(c);
        }

        return false;
    }
}
