using System.Globalization;
using System.Text;
using PerfCommon.Transport.Http;

namespace PerfCommon.Transport.Proxy;

/// <summary>Requests a tunnel from an HTTP proxy (CONNECT), and then passes bytes through it.</summary>
/// <param name="below">The connection to the proxy.</param>
/// <param name="proxy">Login of the proxy.</param>
/// <param name="login">State from earlier connections of the same channel.</param>
/// <param name="host">The server to which the proxy connects.</param>
/// <param name="port">Its port.</param>
internal sealed class ProxyPipe(BytePipe below, ProxyOptions proxy, ProxyLogin login, string host, int port) : LayerPipe(below)
{
    private const int LongestHead = 16 * 1024; // wire/transport 8.2
    private const int LongestBody = 64 * 1024;

    private readonly ByteQueue _received = new();
    private bool _begun;
    private int _bodyLeft;

    public override bool WantsReconnect => login.WantsReconnect;

    public override PipeStatus Open()
    {
        PipeStatus status = Below.Open();
        if (IsOpen || status != PipeStatus.Ready)
            return status;
        if (!_begun)
            Request();
        while (!IsOpen)
        {
            status = Advance();
            if (status != PipeStatus.Ready)
                return status == PipeStatus.Ended ? Fail("closed the connection") : status;
        }

        return PipeStatus.Ready;
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        if (_received.IsEmpty)
            return Below.Receive(room, out count);
        count = _received.Dequeue(room);
        return PipeStatus.Ready;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count) => Below.Send(bytes, out count);

    public override void FinishSending() => Below.FinishSending();

    private void Request() // wire/transport 8.2
    {
        _begun = true;
        login.WantsReconnect = false;
        string target = HttpHead.Authority(host, port);
        string credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{proxy.UserName}:{proxy.Password}"));
        Unsent.Add(Encoding.UTF8.GetBytes(
            $"CONNECT {target} HTTP/1.1\r\nUser-Agent: PerfTools\r\nProxy-Connection: Keep-Alive\r\n"
            + $"Content-Length: 0\r\nHost: {target}\r\nPragma: no-cache\r\n"
            + (login.IsRequired ? $"Proxy-Authorization: Basic {credentials}\r\n\r\n" : "\r\n")));
    }

    private PipeStatus Advance()
    {
        PipeStatus status = Unsent.SendTo(Below);
        if (status != PipeStatus.Ready)
            return status;
        if (_bodyLeft > 0)
            return SkipBody();
        status = HttpHead.Receive(Below, _received, LongestHead, out HttpHead? head, out string? problem);
        if (problem is not null)
            return Fail($"answered what is no HTTP response: {problem}"); // wire/transport 8.2
        return status == PipeStatus.Ready ? Judge(head!) : status;
    }

    private PipeStatus Judge(HttpHead head)
    {
        if (head.Status is >= 200 and < 300) // wire/transport 8.2
        {
            IsOpen = true;
            return PipeStatus.Ready;
        }

        if (head.Status != 407)
            return Fail($"answered {PrintableText.From(head.StartLine)}"); // wire/transport 8.2
        if (login.IsRequired)
            return Fail("refuses the login"); // wire/transport 8.2
        if (string.IsNullOrEmpty(proxy.UserName))
            return Fail("asks for a login, and none is given"); // wire/transport 8.2
        string offered = head["Proxy-Authenticate"] ?? "";
        if (!offered.Contains("Basic", StringComparison.OrdinalIgnoreCase))
            return Fail($"takes no Basic login; it offers {PrintableText.From(offered)}"); // wire/transport 8.2

        login.IsRequired = true;
        return Again(head);
    }

    // wire/transport 8.2
    private PipeStatus Again(HttpHead head)
    {
        bool endIsKnown = int.TryParse(head["Content-Length"], NumberStyles.None, null, out int bodyBytes) && bodyBytes <= LongestBody;
        if (!endIsKnown || !StaysOpen(head))
        {
            login.WantsReconnect = true;
            return Fail("asks for a login on a new connection"); // wire/transport 8.2
        }

        _bodyLeft = bodyBytes;
        if (_bodyLeft == 0)
            Request();
        return PipeStatus.Ready;
    }

    // A proxy of HTTP/1.0 keeps the connection only where it says so.
    private static bool StaysOpen(HttpHead head) => !Says(head, "close")
        && (!head.StartLine.StartsWith("HTTP/1.0 ", StringComparison.Ordinal) || Says(head, "keep-alive"));

    private static bool Says(HttpHead head, string word) => head.Lists("Connection", word) || head.Lists("Proxy-Connection", word);

    private PipeStatus SkipBody()
    {
        int skipped = Math.Min(_bodyLeft, _received.Count);
        _received.Drop(skipped);
        _bodyLeft -= skipped;
        if (_bodyLeft > 0)
        {
            PipeStatus status = _received.ReceiveFrom(Below, out int gotBytes);
            return gotBytes > 0 ? PipeStatus.Ready : status;
        }

        Request();
        return PipeStatus.Ready;
    }

    private PipeStatus Fail(string what)
    {
        Problem = $"the proxy {proxy} {what}";
        return PipeStatus.Failed;
    }
}

/// <summary>State of a channel's proxy login; outlives a connection.</summary>
internal sealed class ProxyLogin
{
    /// <summary>True when the proxy requests a login.</summary>
    public bool IsRequired { get; set; }

    /// <summary>True when the next request must be made on a new connection.</summary>
    public bool WantsReconnect { get; set; }
}
