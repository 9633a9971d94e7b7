using PerfCommon.Measurement;

namespace PerfCommon.Transport;

// The owner's own limits beside the pings: looked at once per period, so that a stall is noticed after one to two of them.
public sealed partial class RsslChannel
{
    private long _receiveLimitNanos;
    private long _sendLimitNanos;
    private long _receiveAtNanos;
    private long _sendAtNanos;
    private long _receivedAtLook = -1;
    private long _sentAtLook;
    private bool _queuedAtLook;

    private void StartTimeouts(long nowNanos)
    {
        _receiveLimitNanos = _options.ReceiveTimeoutMillis * Clock.NanosPerMilli;
        _sendLimitNanos = _options.SendTimeoutMillis * Clock.NanosPerMilli;
        _receiveAtNanos = After(nowNanos, _receiveLimitNanos);
        _sendAtNanos = After(nowNanos, _sendLimitNanos);
    }

    private static long After(long nowNanos, long limitNanos) => limitNanos > 0 ? nowNanos + limitNanos : long.MaxValue;

    private void CheckTimeouts(long nowNanos)
    {
        if (nowNanos >= _receiveAtNanos)
        {
            if (BytesRead == _receivedAtLook && !_readable)
                EndWith(new CloseReason(CloseKind.Timeout, $"nothing was received for {_receiveLimitNanos / Clock.NanosPerMilli} ms"));
            _receivedAtLook = BytesRead;
            _receiveAtNanos = nowNanos + _receiveLimitNanos;
        }
        if (nowNanos >= _sendAtNanos)
        {
            long sent = BytesWritten - BytesQueued;
            if (_queuedAtLook && BytesQueued > 0 && sent == _sentAtLook)
                EndWith(new CloseReason(CloseKind.Timeout, $"the peer took nothing for {_sendLimitNanos / Clock.NanosPerMilli} ms"));
            _sentAtLook = sent;
            _queuedAtLook = BytesQueued > 0;
            _sendAtNanos = nowNanos + _sendLimitNanos;
        }
    }
}
