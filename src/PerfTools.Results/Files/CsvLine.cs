namespace PerfTools.Results.Files;

/// <summary>Writes lines of comma-separated values (RFC 4180): a value with a comma, a quote or a line end is quoted.</summary>
internal static class CsvLine
{
    private const char Quote = '"';

    /// <summary>Writes one line, ended by a line feed.</summary>
    public static void Write(TextWriter writer, IEnumerable<string> values) => writer.Write(string.Join(',', values.Select(Show)) + "\n");

    private static string Show(string value) => value.AsSpan().IndexOfAny(",\"\r\n") < 0
        ? value : Quote + value.Replace("\"", "\"\"", StringComparison.Ordinal) + Quote;
}
