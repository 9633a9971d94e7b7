using PerfCommon.Transport.Http;

namespace PerfCommon.Transport.WebSockets;

/// <summary>WebSocket over another pipe, client or server: the HTTP upgrade, then frames framed by hand.</summary>
/// <remarks>With rssl.rwf each RSSL frame travels in a binary message; with JSON <see cref="JsonFraming"/> stands between.</remarks>
internal sealed partial class WebSocketPipe : EncodingPipe
{
    private readonly ChannelOptions _options;
    private readonly bool _isServer;
    private readonly bool _wantsDeflate;
    private readonly string? _protocols;
    private readonly string _key;
    private JsonFraming? _json;
    private string? _chosen;
    private bool _begun;
    private bool _answered;

    private WebSocketPipe(BytePipe below, ChannelOptions options, string? protocols, string key)
        : base(below)
    {
        (_options, _protocols, _key) = (options, protocols, key);
        _isServer = options is ListenOptions;
        _wantsDeflate = options.CompressionType == CompressionType.Zlib;
    }

    public override string? WebSocketProtocol => _chosen;

    /// <summary>A client that asks for one of the sub-protocols of its options.</summary>
    /// <param name="below">The connection.</param>
    /// <param name="options">Sub-protocols, host, port, compression.</param>
    /// <param name="key">The key of the request; null for one that nobody can guess.</param>
    public static WebSocketPipe ForClient(BytePipe below, ConnectOptions options, string? key = null) =>
        new(below, options, WebSockets.WebSocketProtocol.ToOffer(options.WebSocketProtocols!), key ?? WebSocketUpgrade.CreateKey());

    /// <summary>A server that has received the beginning of a request; it refuses what the options do not allow.</summary>
    public static WebSocketPipe ForServer(BytePipe below, ReadOnlySpan<byte> received, ListenOptions options)
    {
        WebSocketPipe pipe = new(below, options, options.WebSocketProtocols, "");
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

    public override void Dispose()
    {
        _json?.Dispose();
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
        TakeHead(head!);
        return SendEncoded();
    }

    private void TakeHead(HttpHead head)
    {
        string protocol = head["Sec-WebSocket-Protocol"] ?? "";
        Problem = _isServer
            ? WebSocketUpgrade.FindProblem(head, _protocols, out protocol)
            : WebSocketUpgrade.FindProblem(head, _key, _protocols!);
        bool deflates = _wantsDeflate && WebSocketUpgrade.HasDeflate(head);
        if (_isServer)
            Unsent.Add(Problem is null ? WebSocketUpgrade.CreateResponse(head, protocol, deflates) : WebSocketUpgrade.RejectionBytes);
        if (Problem is not null)
            return;
        _chosen = protocol;
        if (WebSockets.WebSocketProtocol.IsJson(protocol))
            _json = new JsonFraming(_options, deflates);
    }

    private PipeStatus FinishOpening()
    {
        if (Problem is not null)
        {
            Below.FinishSending(); // behind the rejection
            Problem = $"WebSocket: {Problem}";
            return PipeStatus.Failed;
        }
        IsOpen = true;
        return PipeStatus.Ready;
    }
}
