using PerfCommon.Measurement;

namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    private long _pingIntervalNanos;
    private long _silenceNanos;
    private long _pingAtNanos = long.MaxValue;
    private long _silentAtNanos = long.MaxValue;
    private long _wireBytesSeen;
    private long _bytesReadSeen;

    /// <summary>Pings sent. Any thread.</summary>
    public long PingsWritten { get; private set; }

    /// <summary>Gives the peer a sign of life now: hands over what is queued, or sends a ping when nothing is.</summary>
    public void SendPing()
    {
        if (State != ChannelState.Active || SendingFinished)
            return;
        if (BytesQueued == 0 && _writer!.AddPing())
            PingsWritten++;
        Flush();
    }

    private void StartPings(long nowNanos)
    {
        int seconds = _info!.PingTimeoutSeconds;
        _silenceNanos = seconds * Clock.NanosPerSecond;
        _pingIntervalNanos = seconds >= 3 ? seconds / 3 * Clock.NanosPerSecond : _silenceNanos / 3;
        if (seconds > 0 && _info.SendsPings)
            _pingAtNanos = nowNanos + _pingIntervalNanos;
        if (seconds > 0 && _info.ReceivesPings)
            _silentAtNanos = nowNanos + _silenceNanos;
        SetTimer(Math.Min(Math.Min(_pingAtNanos, _silentAtNanos), Math.Min(_receiveAtNanos, _sendAtNanos)));
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
            SendPingIfIdle();
            _pingAtNanos = nowNanos + _pingIntervalNanos;
        }
        SetTimer(Math.Min(Math.Min(_pingAtNanos, _silentAtNanos), Math.Min(_receiveAtNanos, _sendAtNanos)));
    }

    private void SendPingIfIdle()
    {
        if (_writer!.WireBytes == _wireBytesSeen && !SendingFinished)
        {
            if (_writer.AddPing())
                PingsWritten++;
            Flush();
        }
        _wireBytesSeen = _writer.WireBytes;
    }
}
