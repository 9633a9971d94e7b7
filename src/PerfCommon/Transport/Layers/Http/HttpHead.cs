using System.Text;

namespace PerfCommon.Transport.Http;

/// <summary>Start line and headers of an HTTP request or response.</summary>
internal sealed class HttpHead
{
    private readonly Dictionary<string, List<string>> _headers = new(StringComparer.OrdinalIgnoreCase); // wire/transport 9.1

    private HttpHead(string startLine) => StartLine = startLine;

    /// <summary>The first line, as received: escape it before printing.</summary>
    public string StartLine { get; }

    /// <summary>Status of a response; 0 when the first line is no status line.</summary>
    public int Status =>
        StartLine.StartsWith("HTTP/1.", StringComparison.Ordinal) && StartLine.Split(' ') is [_, { Length: 3 } code, ..]
        && int.TryParse(code, System.Globalization.NumberStyles.None, null, out int status) ? status : 0;

    /// <summary>Returns the value of a header, several of one name joined by commas; null when it is absent.</summary>
    public string? this[string name] => _headers.TryGetValue(name, out List<string>? values) ? string.Join(',', values) : null;

    /// <summary>True when a header is a list that contains this word, case-insensitive.</summary>
    public bool Lists(string name, string word) =>
        this[name]?.Split(',', StringSplitOptions.TrimEntries).Contains(word, StringComparer.OrdinalIgnoreCase) ?? false;

    /// <summary>Formats host and port as for headers: an IPv6 address in brackets.</summary>
    public static string Authority(string host, int port) => // wire/transport 8.2
        host.Contains(':', StringComparison.Ordinal) ? $"[{host}]:{port}" : $"{host}:{port}";

    /// <summary>Continues to receive a head; bytes after its empty line stay in the queue.</summary>
    /// <param name="below">The pipe that is read.</param>
    /// <param name="received">Received bytes that are not used yet.</param>
    /// <param name="longestBytes">Maximum bytes of a head.</param>
    /// <param name="head">The head when the result is Ready.</param>
    /// <param name="problem">Why there is no head; null unless the result is Failed because of the received bytes.</param>
    /// <returns>Ready with a head, else Wait, Ended or Failed.</returns>
    public static PipeStatus Receive(BytePipe below, ByteQueue received, int longestBytes, out HttpHead? head, out string? problem)
    {
        while (true)
        {
            head = TryRead(received, longestBytes, out problem);
            if (head is not null)
                return PipeStatus.Ready;
            if (problem is not null)
                return PipeStatus.Failed;
            PipeStatus status = received.ReceiveFrom(below, out int gotBytes);
            if (gotBytes == 0)
                return status;
        }
    }

    private static HttpHead? TryRead(ByteQueue received, int longestBytes, out string? problem)
    {
        problem = null;
        int end = received.Bytes.IndexOf("\r\n\r\n"u8);
        if ((end < 0 ? received.Count : end) > longestBytes)
            problem = $"an HTTP head is longer than {longestBytes} bytes";
        if (end < 0 || problem is not null)
            return null;
        HttpHead? head = TryParse(received.Bytes[..end]);
        received.Drop(end + 4);
        if (head is null)
            problem = "an HTTP head is malformed";
        return head;
    }

    // Null when a line is no header.
    private static HttpHead? TryParse(ReadOnlySpan<byte> head)
    {
        string[] lines = Encoding.Latin1.GetString(head).Split("\r\n");
        HttpHead parsed = new(lines[0]);
        foreach (string line in lines.Skip(1).TakeWhile(l => l.Length > 0))
        {
            int colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon <= 0)
                return null;
            string name = line[..colon];
            string value = line[(colon + 1)..].Trim();
            if (!parsed._headers.TryGetValue(name, out List<string>? values))
                parsed._headers.Add(name, values = []);
            values.Add(value);
        }

        return parsed;
    }
}
