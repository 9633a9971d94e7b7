using System.Text;

namespace PerfCommon.Transport.Http;

/// <summary>Start line and headers of an HTTP request or response.</summary>
internal sealed class HttpHead
{
    private readonly Dictionary<string, string> _headers;

    private HttpHead(string startLine, Dictionary<string, string> headers) => (StartLine, _headers) = (startLine, headers);

    /// <summary>The first line, as it came: escape it before people see it.</summary>
    public string StartLine { get; }

    /// <summary>Status of a response; 0 when the first line is none.</summary>
    public int Status =>
        StartLine.StartsWith("HTTP/1.", StringComparison.Ordinal) && StartLine.Split(' ') is [_, { Length: 3 } code, ..]
        && int.TryParse(code, System.Globalization.NumberStyles.None, null, out int status) ? status : 0;

    /// <summary>Value of a header, several of one name joined by commas; null when it is absent.</summary>
    public string? this[string name] => _headers.GetValueOrDefault(name);

    /// <summary>True when a header is a list that has this word, whatever its case.</summary>
    public bool Lists(string name, string word) =>
        this[name]?.Split(',', StringSplitOptions.TrimEntries).Contains(word, StringComparer.OrdinalIgnoreCase) ?? false;

    /// <summary>Parses everything before the empty line.</summary>
    /// <returns>Null when a line is no header.</returns>
    public static HttpHead? TryParse(ReadOnlySpan<byte> head)
    {
        string[] lines = Encoding.Latin1.GetString(head).Split("\r\n");
        Dictionary<string, string> headers = new(StringComparer.OrdinalIgnoreCase);
        foreach (string line in lines.Skip(1).TakeWhile(l => l.Length > 0))
        {
            int colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon <= 0)
                return null;
            string name = line[..colon];
            string value = line[(colon + 1)..].Trim();
            headers[name] = headers.TryGetValue(name, out string? before) ? $"{before},{value}" : value;
        }
        return new HttpHead(lines[0], headers);
    }
}
