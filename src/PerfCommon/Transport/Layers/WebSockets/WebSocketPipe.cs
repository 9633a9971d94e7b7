using System.Net.Sockets;
using PerfCommon.Transport.Http;

namespace PerfCommon.Transport.WebSockets;

/// <summary>WebSocket over another pipe, client or server: the HTTP upgrade, then frames framed by hand.</summary>
/// <remarks>With rssl.rwf each RSSL frame travels in a binary message; with JSON <see cref="JsonFraming"/> stands between.</remarks>
internal sealed partial class WebSocketPipe : BytePipe
{
    private readonly BytePipe _inner;
    private readonly bool _isServer;
    private readonly string? _protocols;
    private readonly ChannelOptions _options;
    private readonly bool _wantsDeflate;
    private readonly HeadReader _heads = new(WebSocketUpgrade.LongestHead);
    private readonly string _key;
    private JsonFraming? _json;
    private string? _failure;
    private bool _begun;
    private bool _answered;
    private bool _open;

    private WebSocketPipe(BytePipe inner, ChannelOptions options, string? protocols, bool wantsDeflate, string key)
    {
        (_inner, _options, _protocols, _wantsDeflate, _key) = (inner, options, protocols, wantsDeflate, key);
        _isServer = options is ListenOptions;
    }

    public override Socket? Socket => _inner.Socket;

    public override string? Failure => _failure ?? _inner.Failure;

    public override bool HasUnsent => !_unsent.IsEmpty || _inner.HasUnsent;

    public override bool WantsReconnect => _inner.WantsReconnect;

    public override string? WebSocketProtocol => _chosen;

    private string? _chosen;

    /// <summary>A client that asks for one of the sub-protocols of its options.</summary>
    /// <param name="inner">The connection.</param>
    /// <param name="options">Sub-protocols, host, port, compression.</param>
    /// <param name="key">The key of the request; null for one that nobody can guess.</param>
    public static WebSocketPipe ForClient(BytePipe inner, ConnectOptions options, string? key = null)
    {
        string offer = WebSockets.WebSocketProtocol.ToOffer(options.WebSocketProtocols!);
        return new WebSocketPipe(inner, options, offer, options.CompressionType == CompressionType.Zlib, key ?? WebSocketUpgrade.CreateKey());
    }

    /// <summary>A server that has received the beginning of a request.</summary>
    public static WebSocketPipe ForServer(BytePipe inner, ReadOnlySpan<byte> received, ListenOptions options)
    {
        WebSocketPipe pipe = new(inner, options, options.WebSocketProtocols, options.CompressionType == CompressionType.Zlib, "");
        pipe._heads.Add(received);
        return pipe;
    }

    public override int CommittedBytes => _chunkBytes;

    public override void WakeOwner() => _inner.WakeOwner();

    public override PipeStatus Open()
    {
        PipeStatus status = _inner.Open();
        if (_open || status != PipeStatus.Ready)
            return status;
        if (!_isServer && !_begun)
            Request();
        _begun = true;
        status = _unsent.SendTo(_inner);
        if (status != PipeStatus.Ready)
            return status;
        if (!_answered)
        {
            status = _heads.Read(_inner, out HttpHead? head);
            if (status == PipeStatus.Failed)
                _failure ??= _heads.Problem;
            if (status != PipeStatus.Ready)
                return status;
            _answered = true;
            TakeHead(head!);
            status = _unsent.SendTo(_inner);
            if (status != PipeStatus.Ready)
                return status;
        }
        return FinishOpening();
    }

    protected override void Dispose(bool disposing)
    {
        _json?.Dispose();
        _inner.Dispose();
    }

    private void Request()
    {
        ConnectOptions options = (ConnectOptions)_options;
        _unsent.Add(WebSocketUpgrade.CreateRequest(options.Host, options.Port, _protocols!, _key, _wantsDeflate));
    }

    private void TakeHead(HttpHead head)
    {
        string protocol;
        if (_isServer)
        {
            _failure = WebSocketUpgrade.FindProblem(head, _protocols, out protocol);
        }
        else
        {
            _failure = WebSocketUpgrade.FindProblem(head, _key, _protocols!);
            protocol = head["Sec-WebSocket-Protocol"] ?? "";
        }
        bool deflates = _wantsDeflate && WebSocketUpgrade.HasDeflate(head);
        if (_isServer)
            _unsent.Add(_failure is null ? WebSocketUpgrade.CreateResponse(head, protocol, deflates) : WebSocketUpgrade.RejectionBytes);
        if (_failure is null)
            Choose(protocol, deflates);
    }

    private void Choose(string protocol, bool deflates)
    {
        _chosen = protocol;
        if (WebSockets.WebSocketProtocol.IsJson(protocol))
            _json = new JsonFraming(_options, deflates);
    }

    private PipeStatus FinishOpening()
    {
        if (_failure is not null)
        {
            _inner.FinishSending(); // behind the rejection
            _failure = $"WebSocket: {_failure}";
            return PipeStatus.Failed;
        }
        AddReceived(_heads.Rest);
        _heads.Drop(_heads.Rest.Length);
        _open = true;
        return PipeStatus.Ready;
    }
}
