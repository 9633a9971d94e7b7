using System.Net;
using PerfCommon.Measurement;
using PerfCommon.Transport.Proxy;
using PerfCommon.Transport.WebSockets;

namespace PerfCommon.Transport;

/// <content>Opens the layers and runs the handshake over a connection.</content>
internal sealed partial class ChannelOpening
{
    /// <summary>
    /// How long a server sends nothing after an ack that no key follows, because some clients discard bytes that arrive with the ack; and a
    /// client over WebSocket after its key, because some servers garble a first message that arrives with the key.
    /// </summary>
    private const long PauseNanos = 50 * Clock.NanosPerMilli; // wire/transport 1.5

    private readonly ProxyLogin _proxyLogin = new();
    private Handshake? _handshake;
    private HandshakeStep _lastStep;
    private byte[] _received = [];
    private int _receivedBytes;
    private ReadOnlyMemory<byte> _unsent; // of our last message

    /// <summary>Bytes received after the handshake; until the release.</summary>
    public ReadOnlySpan<byte> Rest => _received.AsSpan(0, _receivedBytes);

    private ListenOptions ServerOptions => (ListenOptions)_options;

    private ChannelInfo Agreed
    {
        get
        {
            (EndPoint? local, EndPoint? remote) = Pipe!.Addresses;
            return _handshake!.Info! with { RemoteAddress = remote, LocalAddress = local, WebSocketProtocol = Pipe.WebSocketProtocol };
        }
    }

    /// <summary>
    /// Starts the layers and the handshake over a connection that a server accepted, or a caller's pipe: there is no other attempt.
    /// </summary>
    public void Open(BytePipe bottom, long nowNanos)
    {
        if (_options is ConnectOptions client)
            BeginClient(bottom, ConnectionVersions.HighestFor(client), ownAddress: "", nowNanos);
        else
            BeginLayers(PipeLayers.ForServer(bottom, ServerOptions, _driver.Pool), new ServerHandshake(ServerOptions, _refusal), nowNanos);
        Advance(readable: true, writable: false, nowNanos);
    }

    private void BeginClient(BytePipe bottom, int version, string ownAddress, long nowNanos)
    {
        BytePipe layers = PipeLayers.ForClient(bottom, ClientOptions, _proxyLogin, _driver.Pool);
        BeginLayers(layers, new ClientHandshake(ClientOptions, version, ownAddress), nowNanos);
    }

    private void BeginLayers(BytePipe pipe, Handshake handshake, long nowNanos)
    {
        Pipe = pipe;
        _handshake = handshake;
        _received = _driver.Pool.Rent(HandshakeLayout.BufferBytes);
        _receivedBytes = 0;
        _phase = Phase.Layers;
        DueNanos = nowNanos + Shorter(_options.HandshakeTimeoutSeconds, _options.ReceiveTimeoutMillis); // wire/transport 10
    }

    private void OpenLayers(long nowNanos)
    {
        PipeStatus status = Pipe!.Open();
        if (status is PipeStatus.Ended or PipeStatus.Failed)
            EndEarly(nowNanos);
        else if (status == PipeStatus.Ready)
            BeginHandshake();
    }

    private void BeginHandshake()
    {
        _phase = Phase.Handshake;
        AdaptToWebSocket();
        Span<byte> message = stackalloc byte[HandshakeLayout.BufferBytes];
        Send(message[.._handshake!.Begin(message)]);
    }

    /// <returns>True when it may continue at once.</returns>
    private bool TryAdvanceHandshake(long nowNanos)
    {
        PipeStatus status = Pipe!.Receive(_received.AsSpan(_receivedBytes), out int count);
        _receivedBytes += count;
        if (count > 0 && !TryFeed(nowNanos))
            return false;
        if (status is PipeStatus.Ended or PipeStatus.Failed)
            EndEarly(nowNanos);
        else if (status == PipeStatus.Ready && count > 0)
            return true;
        else if (status == PipeStatus.Ready)
            Wake(); // a layer received much that is not for us: continue after others were served
        return false;
    }

    /// <returns>True when the handshake needs more bytes.</returns>
    private bool TryFeed(long nowNanos)
    {
        Span<byte> reply = stackalloc byte[HandshakeLayout.BufferBytes];
        while (true)
        {
            HandshakeStep step = _handshake!.Feed(_received.AsSpan(0, _receivedBytes), out int consumed, reply, out int replyBytes);
            _received.AsSpan(consumed, _receivedBytes - consumed).CopyTo(_received);
            _receivedBytes -= consumed;
            Send(reply[..replyBytes]);
            switch (step)
            {
                case HandshakeStep.NeedMore when consumed > 0 && _receivedBytes > 0:
                    continue;
                case HandshakeStep.NeedMore:
                    return true;
                case HandshakeStep.WebSocket:
                    InsertWebSocket(nowNanos);
                    return false;
                default:
                    (_lastStep, _phase) = (step, Phase.LastReply);
                    return false;
            }
        }
    }

    /// <summary>Completes the handshake once its last message is sent: a rest of it before the first frame would be no message.</summary>
    private void EndHandshake(long nowNanos)
    {
        if (!TrySendRest())
            return;
        bool pauses = _lastStep == HandshakeStep.DoneAfterPause || (_handshake is ClientHandshake && Pipe!.WebSocketProtocol is not null);
        if (_lastStep == HandshakeStep.Failed)
            Fail(_handshake!.Failure!);
        else if (pauses && _receivedBytes == 0)
            (_phase, DueNanos) = (Phase.Pausing, nowNanos + PauseNanos);
        else
            _phase = Phase.Done;
    }

    /// <summary>Passes a handshake message to the pipe in one write.</summary>
    private void Send(ReadOnlySpan<byte> message)
    {
        if (message.IsEmpty)
            return;
        _unsent = message.ToArray(); // wire/transport 1.5
        TrySendRest();
    }

    // also bytes that a layer itself must send: a pong
    private bool TrySendRest()
    {
        if (_unsent.Length == 0 && Pipe!.HasUnsent)
            Pipe.Send([], out _);
        else if (_unsent.Length > 0)
            _unsent = Pipe!.Send(_unsent.Span, out int sent) == PipeStatus.Wait ? _unsent[sent..] : default;
        return _unsent.Length == 0;
    }

    private void InsertWebSocket(long nowNanos)
    {
        // wire/transport 9.1
        Pipe = WebSocketPipe.ForServer(Pipe!, Rest, ServerOptions, _driver.Pool);
        _receivedBytes = 0;
        _phase = Phase.Layers;
        Advance(readable: true, writable: false, nowNanos);
    }

    /// <summary>Sets the protocol type by the sub-protocol; JSON is compressed by WebSocket itself or not at all.</summary>
    private void AdaptToWebSocket()
    {
        if (Pipe!.WebSocketProtocol is not { } name)
            return;
        bool isJson = WebSocketProtocol.IsJson(name); // wire/transport 9.2
        ChannelOptions options = _options with { ProtocolType = isJson ? RsslProtocol.Json : RsslProtocol.Rwf };
        _handshake = options switch
        {
            ListenOptions server => new ServerHandshake(isJson ? server with { CompressionType = CompressionType.None } : server, _refusal),
            _ => ((ClientHandshake)_handshake!).With((ConnectOptions)options),
        };
    }

    /// <summary>Handles a stream that ended or broke before the handshake was complete.</summary>
    private void EndEarly(long nowNanos)
    {
        // wire/transport 1.6
        if (_addresses.Length > 0 && NextVersion is { } version)
            ConnectAgain(version, nowNanos);
        else
            Fail(new CloseReason(Pipe!.DistrustsPeer ? CloseKind.NotTrusted : CloseKind.HandshakeFailed, WhyItEnded()));
    }

    private string WhyItEnded()
    {
        if (Pipe!.Failure is not { } failure)
            return "the peer closed during the handshake";
        return _phase == Phase.Layers ? failure : $"the connection broke during the handshake: {failure}";
    }
}
