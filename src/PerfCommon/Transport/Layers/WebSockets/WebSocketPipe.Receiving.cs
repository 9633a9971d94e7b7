namespace PerfCommon.Transport.WebSockets;

internal sealed partial class WebSocketPipe
{
    private const int MaxStepsPerCall = 4_096; // a frame needs two or more

    private readonly byte[] _control = new byte[WebSocketFrameHeader.LongestControl];
    private readonly ByteQueue _received;
    private WebSocketFrameHeader _frame;
    private long _payloadLeft;
    private uint _maskKey;
    private int _controlBytes;
    private bool _inFrame;
    private bool _inMessage;
    private bool _peerClosed;

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = 0;
        bool drained = false;
        int received = 0;
        for (int steps = 0; steps < MaxStepsPerCall && received < MaxBytesPerCall; steps++)
        {
            count += _json?.Dequeue(room[count..]) ?? 0;
            if (count == room.Length)
                return PipeStatus.Ready;
            if (Problem is not null || _peerClosed)
                return count > 0 ? PipeStatus.Ready : _peerClosed ? PipeStatus.Ended : PipeStatus.Failed;
            if (TryStep(room, ref count))
                continue;
            if (drained)
                return PipeStatus.Wait;
            PipeStatus status = _received.ReceiveFrom(Below, out int newBytes);
            received += newBytes;
            drained = status == PipeStatus.Wait;
            if (newBytes > 0)
                continue;
            return count > 0 && !drained ? PipeStatus.Ready : status;
        }

        return PipeStatus.Ready; // the owner calls again after others were served
    }

    /// <summary>Reads a header, or the available payload; false when more bytes must arrive first.</summary>
    private bool TryStep(Span<byte> room, ref int count)
    {
        ReadOnlySpan<byte> received = _received.Bytes;
        if (!_inFrame)
        {
            int headerBytes = WebSocketFrameHeader.TryRead(received, out _frame);
            if (headerBytes == 0)
                return false;
            _received.Drop(headerBytes);
            return BeginFrame();
        }

        if (_payloadLeft > 0)
        {
            int taken = (int)Math.Min(received.Length, _payloadLeft);
            if (taken == 0)
                return false;
            taken = ReceivePayload(received[..taken], room, ref count);
            _received.Drop(taken);
            _payloadLeft -= taken;
        }

        if (_payloadLeft == 0)
            EndFrame();
        return true;
    }

    private bool BeginFrame()
    {
        if (FindFrameProblem() is { } problem)
        {
            Problem = $"WebSocket: {problem}";
            return true;
        }

        (_inFrame, _payloadLeft, _maskKey, _controlBytes) = (true, _frame.PayloadBytes, _frame.MaskKey, 0);
        if (!_frame.IsControl)
        {
            if (!_inMessage)
                _json?.BeginReceived(_frame.IsCompressed);
            _inMessage = true;
        }

        return true;
    }

    private string? FindFrameProblem() // wire/transport 9.3
    {
        if (_frame.IsMasked != _isServer)
            return _isServer ? "a client's frame is not masked" : "a server's frame is masked";
        if (_frame.HasOtherReservedBits || (_frame.IsCompressed && (_frame.IsControl || _inMessage || _json is not { Deflates: true })))
            return "reserved bits are set that were not negotiated";
        if (_frame.PayloadBytes < 0)
            return "a frame's length is negative";
        if (_frame.IsControl)
        {
            bool isKnown = _frame.Opcode <= WebSocketOpcode.Pong;
            return isKnown && _frame.IsFinal && _frame.PayloadBytes <= WebSocketFrameHeader.LongestControl
                ? null : "a control frame is malformed";
        }

        WebSocketOpcode expected = _inMessage
            ? WebSocketOpcode.Continuation : _json is null ? WebSocketOpcode.Binary : WebSocketOpcode.Text;
        return _frame.Opcode == expected ? null : $"a frame of opcode {(int)_frame.Opcode} came where {(int)expected} was due";
    }

    private int ReceivePayload(ReadOnlySpan<byte> payload, Span<byte> room, ref int count)
    {
        if (_frame.IsControl)
        {
            _maskKey = WebSocketMask.Apply(payload, _control.AsSpan(_controlBytes), _maskKey);
            _controlBytes += payload.Length;
            return payload.Length;
        }

        if (_json is not null)
        {
            if (_json.TryAddReceived(payload, ref _maskKey))
                return payload.Length;
            Problem = "WebSocket: a message is longer than the limit"; // wire/transport 9.3
            return payload.Length;
        }

        int taken = Math.Min(payload.Length, room.Length - count);
        _maskKey = WebSocketMask.Apply(payload[..taken], room[count..], _maskKey);
        count += taken;
        return taken;
    }

    private void EndFrame()
    {
        _inFrame = false;
        if (_frame.IsControl)
        {
            ReceiveControl(_control.AsSpan(0, _controlBytes));
            return;
        }

        if (!_frame.IsFinal)
            return;
        _inMessage = false;
        if (_json is not null && Problem is null)
            EndJsonMessage(_json);
    }

    private void EndJsonMessage(JsonFraming json)
    {
        if (!json.TryEndReceived(out bool isPing))
            Problem = "WebSocket: a message is longer than the limit or does not inflate"; // wire/transport 9.3
        else if (isPing && MayPong)
            AddMessage(JsonFraming.Pong, json);
    }

    private void ReceiveControl(ReadOnlySpan<byte> payload) // wire/transport 9.3
    {
        if (_frame.Opcode == WebSocketOpcode.Close)
            _peerClosed = true;
        else if (_frame.Opcode == WebSocketOpcode.Ping && MayPong)
            AddFrame(WebSocketOpcode.Pong, true, false, payload);
    }

    private bool MayPong => !HasEnded && Unsent.Count < MostWaitingPongBytes;
}
