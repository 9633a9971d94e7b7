using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>Computes when a channel must send its next ping, and when its peer counts as dead. It uses no channel and no clock.</summary>
internal sealed class PingTimer
{
    private readonly long _pingIntervalNanos;
    private readonly long _silenceNanos;
    private long _pingAtNanos;
    private readonly long _lookNanos; // between two checks whether bytes have arrived
    private long _silentAtNanos;
    private long _heardNanos; // when a check last found that bytes had arrived
    private long _wireBytesSeen;
    private long _bytesReadSeen;
    private long _bytesTakenSeen;

    public PingTimer(ChannelInfo info, long nowNanos)
    {
        int seconds = info.PingTimeoutSeconds;
        _silenceNanos = seconds * Clock.NanosPerSecond;
        _lookNanos = _silenceNanos / 3;
        _heardNanos = nowNanos;

        // every third of the timeout, in whole seconds; less than one would be no interval
        // wire/transport 6
        _pingIntervalNanos = seconds >= 3 ? seconds / 3 * Clock.NanosPerSecond : _silenceNanos / 3;
        _pingAtNanos = After(nowNanos, info.SendsPings ? _pingIntervalNanos : 0);
        _silentAtNanos = After(nowNanos, info.ReceivesPings ? _lookNanos : 0);
    }

    /// <summary>The time at which it is to be called again; <see cref="long.MaxValue"/> for never.</summary>
    public long DueNanos => Math.Min(_pingAtNanos, _silentAtNanos);

    /// <summary>True when nothing arrived for the negotiated timeout; detected at the latest a third of it later.</summary>
    /// <param name="nowNanos">The time.</param>
    /// <param name="bytesRead">Bytes received so far, pings included.</param>
    /// <param name="hasUnread">True while there may be unread bytes: also a sign of life, unless the peer does not read either.</param>
    /// <param name="bytesTaken">Bytes that the connection has accepted so far.</param>
    /// <param name="takesNoMore">True while it accepts no more, because the peer does not read.</param>
    public bool IsPeerSilent(long nowNanos, long bytesRead, bool hasUnread, long bytesTaken, bool takesNoMore)
    {
        if (nowNanos < _silentAtNanos)
            return false;

        // wire/transport 6
        if (bytesRead != _bytesReadSeen || (hasUnread && (!takesNoMore || bytesTaken != _bytesTakenSeen)))
            _heardNanos = nowNanos;
        (_bytesReadSeen, _bytesTakenSeen) = (bytesRead, bytesTaken);
        _silentAtNanos = Math.Min(nowNanos + _lookNanos, _heardNanos + _silenceNanos);
        return nowNanos - _heardNanos >= _silenceNanos;
    }

    /// <summary>True when a ping is due: nothing was written since the last check.</summary>
    /// <param name="nowNanos">The time.</param>
    /// <param name="wireBytes">Bytes of all frames so far, pings included.</param>
    public bool IsPingDue(long nowNanos, long wireBytes)
    {
        if (nowNanos < _pingAtNanos)
            return false;
        bool isDue = wireBytes == _wireBytesSeen;
        _wireBytesSeen = wireBytes;
        _pingAtNanos = nowNanos + _pingIntervalNanos;
        return isDue;
    }

    /// <summary>Records that a ping was sent: it does not count as written.</summary>
    public void RecordPing(long wireBytes) => _wireBytesSeen = wireBytes;

    private static long After(long nowNanos, long limitNanos) => limitNanos > 0 ? nowNanos + limitNanos : long.MaxValue;
}
