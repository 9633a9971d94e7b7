using PerfCommon.Transport.Proxy;
using PerfCommon.Transport.WebSockets;

namespace PerfCommon.Transport;

/// <content>What TLS, the proxy and WebSocket need of a channel.</content>
public sealed partial class RsslChannel
{
    private readonly ProxyLogin _proxyLogin = new();

    /// <summary>Bytes of the arrays that the layers keep; 0 while nothing is on its way, but for TLS.</summary>
    internal int LayerBytesHeld => _pipe?.HeldBytes ?? 0;

    /// <summary>A layer has got further with its handshake on another thread.</summary>
    internal void WakeForOpening() => Poller?.Run(now =>
    {
        if (_phase == OpeningPhase.Layers && _pipe is not null)
            AdvanceOpening(now);
    });

    private void InsertWebSocket(long nowNanos)
    {
        _pipe = WebSocketPipe.ForServer(_pipe!, _received.AsSpan(0, _receivedBytes), (ListenOptions)_options, _pool);
        _receivedBytes = 0;
        _phase = OpeningPhase.Layers;
        AdvanceOpening(nowNanos);
    }

    /// <summary>The sub-protocol says what protocol type is spoken; JSON is compressed by WebSocket itself or not at all.</summary>
    private void AdaptToWebSocket()
    {
        if (_pipe!.WebSocketProtocol is not { } name)
            return;
        bool isJson = WebSocketProtocol.IsJson(name);
        byte protocolType = isJson ? RsslProtocol.Json : RsslProtocol.Rwf;
        ChannelOptions options = _options with { ProtocolType = protocolType };
        _handshake = options switch
        {
            ListenOptions server => new ServerHandshake(
                isJson ? server with { CompressionType = CompressionType.None } : server, Accepted?.Refusal),
            _ => ((ClientHandshake)_handshake!).With((ConnectOptions)options),
        };
    }

    /// <summary>Sends what the layers have of their own: pongs, the last words of TLS and WebSocket.</summary>
    private void FlushLayers()
    {
        if (State == ChannelState.Closed)
            return;
        if (_pipe!.HasUnsent && _pipe.Send([], out _) == PipeStatus.Failed)
            FailSending();
        else
            SetBlocked(_pipe.HasUnsent);
    }
}
