using System.Globalization;
using System.Text.RegularExpressions;

namespace Mutation;

/// <summary>An error of the compiler.</summary>
/// <param name="Path">The source.</param>
/// <param name="Line">From 1.</param>
/// <param name="Column">From 1.</param>
/// <param name="Text">Code and message.</param>
internal sealed partial record CompilerError(string Path, int Line, int Column, string Text)
{
    /// <summary>Reads the compiler's output.</summary>
    /// <exception cref="InvalidOperationException">The compiler fails without naming a position.</exception>
    public static List<CompilerError> ReadAll(string output)
    {
        List<CompilerError> errors = [.. Row().Matches(output).Select(row => new CompilerError(row.Groups[1].Value,
            int.Parse(row.Groups[2].Value, CultureInfo.InvariantCulture), int.Parse(row.Groups[3].Value, CultureInfo.InvariantCulture), row.Groups[4].Value))];
        if (errors.Count == 0 && output.Contains("error ", StringComparison.Ordinal))
            throw new InvalidOperationException(output);
        return errors;
    }

    [GeneratedRegex(@"^(.+?)\((\d+),(\d+)\): error (.*?)\r?$", RegexOptions.Multiline)]
    private static partial Regex Row();
}
