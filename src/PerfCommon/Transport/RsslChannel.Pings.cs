using PerfCommon.Measurement;

namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    private long _pingIntervalNanos;
    private long _silenceNanos;
    private long _pingAtNanos;
    private long _silentAtNanos;
    private long _wireBytesSeen;
    private long _bytesReadSeen;

    /// <summary>Gives the peer a sign of life now: hands over what is queued, or sends a ping when nothing is.</summary>
    public void SendPing()
    {
        if (State != ChannelState.Active || SendingFinished)
            return;
        _writer!.AddPing();
        Flush();
    }

    private void StartPings(long nowNanos)
    {
        int seconds = _info!.PingTimeoutSeconds;
        _silenceNanos = seconds * Clock.NanosPerSecond;
        _pingIntervalNanos = seconds >= 3 ? seconds / 3 * Clock.NanosPerSecond : _silenceNanos / 3;
        _pingAtNanos = After(nowNanos, _info.SendsPings ? _pingIntervalNanos : 0);
        _silentAtNanos = After(nowNanos, _info.ReceivesPings ? _silenceNanos : 0);
    }

    private void CheckPings(long nowNanos)
    {
        if (nowNanos >= _silentAtNanos)
        {
            // unread bytes in the socket are a sign of life too
            if (_reader!.BytesRead == _bytesReadSeen && !_readable)
            {
                EndWith(new CloseReason(CloseKind.PingTimeout, $"nothing was heard from the peer for {_info!.PingTimeoutSeconds} s"));
                return;
            }
            _bytesReadSeen = _reader.BytesRead;
            _silentAtNanos = nowNanos + _silenceNanos;
        }
        if (nowNanos >= _pingAtNanos)
        {
            if (_writer!.WireBytes == _wireBytesSeen)
                SendPing();
            _wireBytesSeen = _writer.WireBytes;
            _pingAtNanos = nowNanos + _pingIntervalNanos;
        }
    }
}
