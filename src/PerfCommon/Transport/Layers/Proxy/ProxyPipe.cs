using System.Globalization;
using System.Net.Sockets;
using System.Text;
using PerfCommon.Transport.Http;

namespace PerfCommon.Transport.Proxy;

/// <summary>Asks an HTTP proxy for a tunnel (CONNECT), then is the tunnel.</summary>
internal sealed class ProxyPipe : BytePipe
{
    private const int LongestHead = 16 * 1024;
    private const int LongestBody = 64 * 1024;

    private readonly BytePipe _inner;
    private readonly ProxyOptions _proxy;
    private readonly ProxyLogin _login;
    private readonly string _target;
    private readonly HeadReader _heads = new(LongestHead);
    private readonly SendBuffer _unsent = new();
    private bool _begun;
    private bool _open;
    private int _bodyLeft;
    private string? _failure;

    /// <param name="inner">The connection to the proxy.</param>
    /// <param name="proxy">How to log in.</param>
    /// <param name="login">What earlier connections of the same channel have found out.</param>
    /// <param name="host">The server behind the proxy.</param>
    /// <param name="port">Its port.</param>
    public ProxyPipe(BytePipe inner, ProxyOptions proxy, ProxyLogin login, string host, int port)
    {
        (_inner, _proxy, _login) = (inner, proxy, login);
        _target = string.Create(CultureInfo.InvariantCulture, $"{(host.Contains(':', StringComparison.Ordinal) ? $"[{host}]" : host)}:{port}");
    }

    public override Socket? Socket => _inner.Socket;

    public override string? Failure => _failure ?? _inner.Failure;

    public override bool HasUnsent => !_unsent.IsEmpty || _inner.HasUnsent;

    public override bool WantsReconnect => _login.WantsReconnect;

    public override void WakeOwner() => _inner.WakeOwner();

    public override PipeStatus Open()
    {
        PipeStatus status = _inner.Open();
        if (_open || status != PipeStatus.Ready)
            return status;
        if (!_begun)
            Request();
        while (!_open)
        {
            status = Advance();
            if (status != PipeStatus.Ready)
                return status == PipeStatus.Ended ? Fail("closed the connection") : status;
        }
        return PipeStatus.Ready;
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        if (_heads.Rest.IsEmpty)
            return _inner.Receive(room, out count);
        count = Math.Min(room.Length, _heads.Rest.Length);
        _heads.Rest[..count].CopyTo(room);
        _heads.Drop(count);
        return PipeStatus.Ready;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count) => _inner.Send(bytes, out count);

    public override void FinishSending() => _inner.FinishSending();

    protected override void Dispose(bool disposing) => _inner.Dispose();

    private void Request()
    {
        _begun = true;
        _login.WantsReconnect = false;
        StringBuilder request = new();
        request.Append(CultureInfo.InvariantCulture, $"CONNECT {_target} HTTP/1.1\r\nUser-Agent: PerfTools\r\nProxy-Connection: Keep-Alive\r\n");
        request.Append(CultureInfo.InvariantCulture, $"Content-Length: 0\r\nHost: {_target}\r\nPragma: no-cache\r\n");
        if (_login.IsAskedFor)
        {
            string credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{_proxy.UserName}:{_proxy.Password}"));
            request.Append(CultureInfo.InvariantCulture, $"Proxy-Authorization: Basic {credentials}\r\n");
        }
        _unsent.Add(Encoding.UTF8.GetBytes(request.Append("\r\n").ToString()));
    }

    private PipeStatus Advance()
    {
        PipeStatus status = _unsent.SendTo(_inner);
        if (status != PipeStatus.Ready)
            return status;
        if (_bodyLeft > 0)
            return SkipBody();
        status = _heads.Read(_inner, out HttpHead? head);
        if (status == PipeStatus.Failed && _heads.Problem is { } problem)
            return Fail($"answered what is no HTTP response: {problem}");
        return status == PipeStatus.Ready ? Judge(head!) : status;
    }

    private PipeStatus Judge(HttpHead head)
    {
        if (head.Status is >= 200 and < 300)
        {
            _open = true;
            return PipeStatus.Ready;
        }
        if (head.Status != 407)
            return Fail($"answered {PrintableText.From(head.StartLine)}");
        if (_login.IsAskedFor)
            return Fail("refuses the login");
        if (string.IsNullOrEmpty(_proxy.UserName))
            return Fail("asks for a login, and none is given");
        string offered = head["Proxy-Authenticate"] ?? "";
        if (!offered.Contains("Basic", StringComparison.OrdinalIgnoreCase))
            return Fail($"takes no Basic login; it offers {PrintableText.From(offered)}");

        _login.IsAskedFor = true;
        return Again(head);
    }

    // The same request once more: on this connection when the proxy keeps it and its answer's end is known, else on a new one.
    private PipeStatus Again(HttpHead head)
    {
        bool endIsKnown = int.TryParse(head["Content-Length"], NumberStyles.None, null, out int bodyBytes) && bodyBytes <= LongestBody;
        if (!endIsKnown || head.Lists("Connection", "close") || head.Lists("Proxy-Connection", "close"))
        {
            _login.WantsReconnect = true;
            return Fail("asks for a login on a new connection");
        }
        _bodyLeft = bodyBytes;
        if (_bodyLeft == 0)
            Request();
        return PipeStatus.Ready;
    }

    private PipeStatus SkipBody()
    {
        _bodyLeft -= _heads.Drop(_bodyLeft);
        if (_bodyLeft > 0)
            return _heads.Fill(_inner);
        Request();
        return PipeStatus.Ready;
    }

    private PipeStatus Fail(string what)
    {
        _failure = $"the proxy {_proxy} {what}";
        return PipeStatus.Failed;
    }
}

/// <summary>What a channel has learnt about its proxy; outlives a connection.</summary>
internal sealed class ProxyLogin
{
    /// <summary>True when the proxy wants to know who we are.</summary>
    public bool IsAskedFor { get; set; }

    /// <summary>True when the next request must be made on a new connection.</summary>
    public bool WantsReconnect { get; set; }
}
