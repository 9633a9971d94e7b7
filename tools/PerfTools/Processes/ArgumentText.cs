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
        StringBuilder current = new();
        bool started = false;
        char quote = '\0';
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (c == '\\' && quote != '\'' && i + 1 < text.Length && (quote == '\0' || text[i + 1] is '"' or '\\'))
            {
                current.Append(text[++i]);
                started = true;
            }
            else if (quote != '\0')
            {
                if (c == quote)
                    quote = '\0';
                else
                    current.Append(c);
            }
            else if (c is '"' or '\'')
            {
                quote = c;
                started = true;
            }
            else if (char.IsWhiteSpace(c))
            {
                EndArgument();
            }
            else
            {
                current.Append(c);
                started = true;
            }
        }

        EndArgument();
        arguments = found;
        problem = quote == '\0' ? null : $"the quote {quote} is not closed";
        return problem is null;

        void EndArgument()
        {
            if (started)
                found.Add(current.ToString());
            current.Clear();
            started = false;
        }
    }

    /// <summary>Writes one argument so that <see cref="TrySplit"/>, and a shell, give it back.</summary>
    public static string Quote(string argument) =>
        argument.Length > 0 && argument.All(c => char.IsAsciiLetterOrDigit(c) || "-_./:=,@+%".Contains(c))
            ? argument
            : "'" + argument.Replace("'", "'\\''", StringComparison.Ordinal) + "'";
}
