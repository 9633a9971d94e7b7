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

/// <summary>Collects the bytes of an HTTP head up to its empty line; what stands behind it is kept for whoever comes next.</summary>
/// <param name="longestBytes">Most bytes that a head may have.</param>
internal sealed class HeadReader(int longestBytes)
{
    private byte[] _bytes = new byte[1024];
    private int _count;

    /// <summary>Bytes behind the last head.</summary>
    public ReadOnlySpan<byte> Rest => _bytes.AsSpan(0, _count);

    /// <summary>Why reading failed; null until it did.</summary>
    public string? Problem { get; private set; }

    /// <summary>Adds bytes that were received elsewhere.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _bytes.Length - _count)
            Array.Resize(ref _bytes, _count + bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(_count));
        _count += bytes.Length;
    }

    /// <summary>Takes bytes off the rest.</summary>
    public int Drop(int most)
    {
        int count = Math.Min(most, _count);
        _bytes.AsSpan(count, _count - count).CopyTo(_bytes);
        _count -= count;
        return count;
    }

    /// <summary>Goes on reading.</summary>
    /// <returns>Ready with a head, else Wait, Ended or Failed.</returns>
    public PipeStatus Read(BytePipe pipe, out HttpHead? head)
    {
        while (true)
        {
            head = TakeHead();
            if (head is not null)
                return PipeStatus.Ready;
            if (Problem is not null)
                return PipeStatus.Failed;
            PipeStatus status = Fill(pipe);
            if (status != PipeStatus.Ready)
                return status;
        }
    }

    /// <summary>Receives once; Ready when bytes came.</summary>
    public PipeStatus Fill(BytePipe pipe)
    {
        if (_count == _bytes.Length)
            Array.Resize(ref _bytes, _bytes.Length * 2);
        PipeStatus status = pipe.Receive(_bytes.AsSpan(_count), out int count);
        _count += count;
        return count > 0 ? PipeStatus.Ready : status;
    }

    private HttpHead? TakeHead()
    {
        int end = Rest.IndexOf("\r\n\r\n"u8);
        if (end < 0 ? _count > longestBytes : end > longestBytes)
            Problem = $"an HTTP head is longer than {longestBytes} bytes";
        if (end < 0 || Problem is not null)
            return null;
        HttpHead? head = HttpHead.TryParse(Rest[..end]);
        if (head is null)
            Problem = "an HTTP head is malformed";
        else
            Drop(end + 4);
        return head;
    }
}
