using System.Globalization;

namespace PerfTools.Hosting.Control;

/// <summary>The head of an HTTP/1.1 request, as far as it matters here.</summary>
internal sealed class HttpRequestHead
{
    private const string Host = "Host";
    private const string Length = "Content-Length";
    private const string Coding = "Transfer-Encoding";
    private const string Expectation = "Expect";
    private const string Credentials = "Authorization";
    private const char Space = ' ';
    private const char Tab = '\t';

    private static readonly string[] Known = [Host, Length, Coding, Expectation, Credentials, ControlRequest.OwnHeader];

    private readonly Dictionary<string, string> _headers = new(StringComparer.OrdinalIgnoreCase);
    private string? _authority; // of a whole address in the request line: then the header is not asked
    private long _bodyBytes;

    /// <summary>The refusal of the request; null for an accepted one.</summary>
    public ControlReply? Refusal { get; private init; }

    public string Method { get; private set; } = "";

    /// <summary>The path, without a question mark and its query.</summary>
    public string Path { get; private set; } = "";

    /// <summary>Announced bytes of the body; 0 without one, or when it is sent in chunks.</summary>
    public long BodyBytes => _bodyBytes;

    public bool IsChunked => _headers.ContainsKey(Coding);

    /// <summary>True when the client waits for a reply before it sends the body.</summary>
    public bool ExpectsContinue => _headers.ContainsKey(Expectation);

    public string? Authorization => _headers.GetValueOrDefault(Credentials);

    /// <summary>The value of <see cref="ControlRequest.OwnHeader"/>.</summary>
    public string? Own => _headers.GetValueOrDefault(ControlRequest.OwnHeader);

    /// <summary>Reads a complete head.</summary>
    /// <param name="text">The head, its empty line included; a character for each byte.</param>
    /// <param name="hosts">The names by which a request may address the program; none for every name.</param>
    public static HttpRequestHead Read(string text, IReadOnlyList<string> hosts)
    {
        HttpRequestHead head = new();
        string[] lines = text.Split("\r\n");
        if (!head.TryReadRequestLine(lines[0]))
            return Refuse(ControlReply.BadRequest, "this is no request of HTTP/1.1");
        foreach (string line in lines.AsSpan(1, lines.Length - 3)) // without the empty line and what follows it
        {
            if (!head.TryReadHeader(line))
                return Refuse(ControlReply.BadRequest, "a line of the head is no header, or one that was there before");
        }

        if (!head.HasUsableBody())
            return Refuse(ControlReply.BadRequest, "the body has neither a length nor chunks");
        return head.IsAddressed(hosts) ? head : Refuse(ControlReply.NotFound, $"this is {string.Join(" or ", hosts)}");
    }

    // GET /metrics HTTP/1.1, or with a whole address in the middle
    private bool TryReadRequestLine(string line)
    {
        if (line.Split(Space) is not [{ Length: > 0 } method, { Length: > 0 } target, "HTTP/1.1" or "HTTP/1.0"])
            return false;
        if (target[0] != '/' && Uri.TryCreate(target, UriKind.Absolute, out Uri? address) && address.Scheme == Uri.UriSchemeHttp)
            (_authority, target) = (address.Authority, address.PathAndQuery);
        (Method, Path) = (method, target.Split('?')[0]);
        return Path.StartsWith('/');
    }

    private bool TryReadHeader(string line)
    {
        int colon = line.IndexOf(':', StringComparison.Ordinal);
        if (colon <= 0 || line.AsSpan(0, colon).IndexOfAny(Space, Tab) >= 0 || line.AsSpan().IndexOfAny('\r', '\n', '\0') >= 0)
            return false;
        string name = line[..colon], value = line[(colon + 1)..].Trim(Space, Tab);
        return !Known.Contains(name, StringComparer.OrdinalIgnoreCase) || _headers.TryAdd(name, value);
    }

    private bool HasUsableBody()
    {
        bool hasLength = _headers.TryGetValue(Length, out string? length);
        if (hasLength && !long.TryParse(length, NumberStyles.None, CultureInfo.InvariantCulture, out _bodyBytes))
            return false;
        return !_headers.TryGetValue(Coding, out string? coding)
            || (!hasLength && coding.Equals("chunked", StringComparison.OrdinalIgnoreCase));
    }

    // A web page whose host name resolves to this address must not be answered.
    private bool IsAddressed(IReadOnlyList<string> hosts) => hosts.Count == 0
        || ((_authority ?? _headers.GetValueOrDefault(Host)) is { } host && hosts.Contains(host.Split(':')[0], StringComparer.OrdinalIgnoreCase));

    private static HttpRequestHead Refuse(int status, string sentence) => new() { Refusal = ControlReply.Refuse(status, sentence) };
}
