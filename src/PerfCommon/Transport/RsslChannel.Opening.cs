using System.Net;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    /// <summary>
    /// How long a server keeps silent behind an ack that no key follows, because some clients throw away what comes with the ack; and a client
    /// over WebSocket behind its key, because some servers garble a first message that comes with the key.
    /// </summary>
    private const long PauseNanos = 50 * Clock.NanosPerMilli;

    private enum OpeningPhase : byte { Resolving, TcpConnecting, Layers, Handshake, Pausing, Done }

    private OpeningPhase _phase;
    private Handshake? _handshake;
    private byte[] _received = [];
    private int _receivedBytes;
    private byte[] _unsentReply = [];
    private long _deadlineNanos;

    /// <summary>Begins the layers and the handshake over a pipe that is connected.</summary>
    internal void Open(BytePipe pipe, Handshake handshake, long nowNanos)
    {
        _pipe = pipe;
        _handshake = handshake;
        _phase = OpeningPhase.Layers;
        _received = _pool.Rent(Handshake.BufferBytes);
        _receivedBytes = 0;
        _deadlineNanos = nowNanos + _options.HandshakeTimeoutSeconds * Clock.NanosPerSecond;
        SetTimer(_deadlineNanos);
        AdvanceOpening(nowNanos);
    }

    private void AdvanceOpening(long nowNanos)
    {
        if (State != ChannelState.Connecting)
            return;
        if (_phase == OpeningPhase.Layers)
        {
            PipeStatus status = _pipe!.Open();
            if (status is PipeStatus.Ended or PipeStatus.Failed)
                EndOpening(nowNanos);
            else if (status == PipeStatus.Ready)
                BeginHandshake();
        }
        while (_phase == OpeningPhase.Handshake && TrySendRest() && TryAdvanceHandshake(nowNanos))
        {
        }
        if (State == ChannelState.Connecting && _phase != OpeningPhase.Resolving)
            UpdateInterest();
    }

    private void BeginHandshake()
    {
        _phase = OpeningPhase.Handshake;
        AdaptToWebSocket();
        Span<byte> message = stackalloc byte[Handshake.BufferBytes];
        SendMessage(message[.._handshake!.Begin(message)]);
    }

    /// <returns>True when it may go on at once.</returns>
    private bool TryAdvanceHandshake(long nowNanos)
    {
        PipeStatus status = _pipe!.Receive(_received.AsSpan(_receivedBytes), out int count);
        _receivedBytes += count;
        if (count > 0 && !TryFeed(nowNanos))
            return false;
        if (status is PipeStatus.Ended or PipeStatus.Failed)
        {
            EndOpening(nowNanos);
            return false;
        }
        return status == PipeStatus.Ready;
    }

    /// <returns>True when the handshake needs more bytes.</returns>
    private bool TryFeed(long nowNanos)
    {
        Span<byte> reply = stackalloc byte[Handshake.BufferBytes];
        while (true)
        {
            HandshakeStep step = _handshake!.Feed(_received.AsSpan(0, _receivedBytes), out int consumed, reply, out int replyBytes);
            _received.AsSpan(consumed, _receivedBytes - consumed).CopyTo(_received);
            _receivedBytes -= consumed;
            SendMessage(reply[..replyBytes]);
            switch (step)
            {
                case HandshakeStep.NeedMore when consumed > 0 && _receivedBytes > 0:
                    continue;
                case HandshakeStep.NeedMore:
                    return true;
                case HandshakeStep.Failed:
                    EndWith(_handshake.Failure!);
                    return false;
                case HandshakeStep.WebSocket:
                    InsertWebSocket(nowNanos);
                    return false;
                case HandshakeStep.DoneAfterPause when _receivedBytes == 0:
                case HandshakeStep.Done when _receivedBytes == 0 && _handshake is ClientHandshake && _pipe!.WebSocketProtocol is not null:
                    _phase = OpeningPhase.Pausing;
                    SetTimer(nowNanos + PauseNanos);
                    return false;
                default:
                    Activate(nowNanos);
                    return false;
            }
        }
    }

    /// <summary>Hands a handshake message to the pipe in one write.</summary>
    private void SendMessage(ReadOnlySpan<byte> message)
    {
        if (message.IsEmpty)
            return;
        _unsentReply = message.ToArray();
        TrySendRest();
    }

    private bool TrySendRest()
    {
        if (_unsentReply.Length > 0)
            _unsentReply = _pipe!.Send(_unsentReply, out int sent) == PipeStatus.Wait ? _unsentReply[sent..] : [];
        return _unsentReply.Length == 0;
    }

    private void Activate(long nowNanos)
    {
        (EndPoint? local, EndPoint? remote) = NetworkAddresses.Of(_pipe!.Socket);
        ChannelInfo info = _handshake!.Info! with { RemoteAddress = remote, LocalAddress = local, WebSocketProtocol = _pipe.WebSocketProtocol };
        _compressor = FrameCompressor.TryCreate(info);
        _reader = new FrameReader(info, _options, _pool, _compressor);
        _addedByHandshake = _pipe.AddedBytes;
        _writer = new FrameWriter(info, _options, _pool, _compressor);
        if (_receivedBytes > 0)
        {
            _received.AsSpan(0, _receivedBytes).CopyTo(_reader.Room());
            _reader.Advance(_receivedBytes);
        }
        ReleaseOpening();
        _info = info;
        _phase = OpeningPhase.Done;
        State = ChannelState.Active;
        _mayHaveMore = _readable = true; // more may have come since the last receive
        UpdateInterest();
        StartTimeouts(nowNanos);
        StartPings(nowNanos);
        SetActiveTimer();
        Poller?.ListReady(this);
    }

    private void CheckOpeningTime(long nowNanos)
    {
        if (nowNanos < NextTimerNanos)
            return;
        if (_phase == OpeningPhase.Pausing)
            Activate(nowNanos);
        else if (_phase == OpeningPhase.TcpConnecting)
            TryNextAddress("no answer in time", nowNanos);
        else if (_phase is OpeningPhase.Layers or OpeningPhase.Handshake)
            EndWith(new CloseReason(CloseKind.HandshakeTimeout, $"the handshake was not done within {_options.HandshakeTimeoutSeconds} s"));
    }

    /// <summary>The stream ended or broke before the handshake was done.</summary>
    private void EndOpening(long nowNanos)
    {
        if (Poller is not null && NextVersion is { } version)
            ConnectAgain(version, nowNanos);
        else
            EndWith(new CloseReason(CloseKind.HandshakeFailed, WhyOpeningEnded()));
    }

    private string WhyOpeningEnded()
    {
        if (_pipe!.Failure is not { } failure)
            return "the peer closed during the handshake";
        return _phase == OpeningPhase.Layers ? failure : $"the connection broke during the handshake: {failure}";
    }

    private void ReleaseOpening()
    {
        _pool.Return(_received);
        _received = [];
        _receivedBytes = 0;
        _unsentReply = [];
    }
}
