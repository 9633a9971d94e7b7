using PerfCommon.Transport.Http;

namespace PerfCommon.Transport.WebSockets;

/// <summary>WebSocket over another pipe, client or server: the HTTP upgrade, then frames.</summary>
/// <remarks>With rssl.rwf each RSSL frame is sent in a binary message; with JSON <see cref="JsonFraming"/> converts.</remarks>
internal sealed partial class WebSocketPipe : EncodingPipe
{
    private readonly ChannelOptions _options;
    private readonly BufferPool _pool;
    private readonly bool _isServer;
    private readonly bool _wantsDeflate;
    private readonly string? _protocols;
    private readonly string _key;
    private JsonFraming? _json;
    private string? _chosen;
    private bool _begun;
    private bool _answered;

    private WebSocketPipe(BytePipe below, ChannelOptions options, BufferPool pool, string? protocols, string key)
        : base(below, pool)
    {
        (_options, _pool, _protocols, _key) = (options, pool, protocols, key);
        _received = new ByteQueue(pool);
        _isServer = options is ListenOptions;
        _wantsDeflate = options.CompressionType == CompressionType.Zlib; // wire/transport 9.1
    }

    public override string? WebSocketProtocol => _chosen;

    /// <summary>Creates a client that requests one of the sub-protocols of its options.</summary>
    /// <param name="below">The connection.</param>
    /// <param name="options">Sub-protocols, host, port, compression.</param>
    /// <param name="pool">Lends the arrays while they hold bytes.</param>
    /// <param name="key">The key of the request; null for an unpredictable one.</param>
    public static WebSocketPipe ForClient(BytePipe below, ConnectOptions options, BufferPool pool, string? key = null) =>
        new(below, options, pool, WebSockets.WebSocketProtocol.ToOffer(options.WebSocketProtocols!), key ?? WebSocketUpgrade.CreateKey());

    /// <summary>Creates a server that has received the beginning of a request; it refuses requests that the options do not allow.</summary>
    public static WebSocketPipe ForServer(BytePipe below, ReadOnlySpan<byte> received, ListenOptions options, BufferPool pool)
    {
        WebSocketPipe pipe = new(below, options, pool, options.WebSocketProtocols, "");
        pipe._received.Add(received);
        return pipe;
    }

    public override PipeStatus Open()
    {
        PipeStatus status = Below.Open();
        if (IsOpen || status != PipeStatus.Ready)
            return status;
        if (!_isServer && !_begun)
            Request();
        _begun = true;
        status = SendEncoded();
        if (status == PipeStatus.Ready && !_answered)
            status = ReceiveHead();
        return status == PipeStatus.Ready ? FinishOpening() : status;
    }

    public override int HeldBytes => Unsent.HeldBytes + _received.HeldBytes + (_json?.HeldBytes ?? 0) + Below.HeldBytes;

    public override void ReleaseWhenEmpty()
    {
        base.ReleaseWhenEmpty();
        Unsent.Release();
        _received.Release();
        if (!_inMessage)
            _json?.Release();
    }

    public override void Dispose()
    {
        _json?.Dispose();
        _received.Discard();
        base.Dispose();
    }

    private void Request()
    {
        ConnectOptions options = (ConnectOptions)_options;
        Unsent.Add(WebSocketUpgrade.CreateRequest(options.Host, options.Port, _protocols!, _key, _wantsDeflate));
    }

    private PipeStatus ReceiveHead()
    {
        PipeStatus status = HttpHead.Receive(Below, _received, WebSocketUpgrade.LongestHead, out HttpHead? head, out string? problem);
        Problem ??= problem;
        if (status != PipeStatus.Ready)
            return status;
        _answered = true;
        AcceptHead(head!);
        return SendEncoded();
    }

    private void AcceptHead(HttpHead head)
    {
        string protocol = head["Sec-WebSocket-Protocol"] ?? "";
        Problem = _isServer
            ? WebSocketUpgrade.FindProblem(head, _protocols, out protocol)
            : WebSocketUpgrade.FindProblem(head, _key, _protocols!);
        DeflateTerms terms = default;
        if (_isServer)
        {
            string? grant = _wantsDeflate ? DeflateTerms.FindGrant(head) : null;
            Unsent.Add(Problem is null ? WebSocketUpgrade.CreateResponse(head, protocol, grant) : WebSocketUpgrade.RejectionBytes);
            terms = new(grant is not null, StartsAfresh: true);
        }
        else if (_wantsDeflate && !DeflateTerms.TryRead(head, out terms))
        {
            Problem ??= $"the server granted what was not offered: {PrintableText.From(head["Sec-WebSocket-Extensions"]!)}";
        }

        if (Problem is not null)
            return;
        _chosen = protocol;
        if (WebSockets.WebSocketProtocol.IsJson(protocol)) // wire/transport 9.2
            _json = new JsonFraming(_options, _pool, terms);
    }

    private PipeStatus FinishOpening()
    {
        if (Problem is not null)
        {
            Below.FinishSending(); // after the rejection
            Problem = $"WebSocket: {Problem}";
            return PipeStatus.Failed;
        }

        IsOpen = true;
        return PipeStatus.Ready;
    }
}
