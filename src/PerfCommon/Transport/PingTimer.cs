using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>When a channel is to send its next ping, and when its peer counts as dead. It knows no channel and no clock.</summary>
internal sealed class PingTimer
{
    private readonly long _pingIntervalNanos;
    private readonly long _silenceNanos;
    private long _pingAtNanos;
    private readonly long _lookNanos; // between two looks whether anything came
    private long _silentAtNanos;
    private long _heardNanos; // when a look last found that something had come
    private long _wireBytesSeen;
    private long _bytesReadSeen;
    private long _bytesTakenSeen;

    public PingTimer(ChannelInfo info, long nowNanos)
    {
        int seconds = info.PingTimeoutSeconds;
        _silenceNanos = seconds * Clock.NanosPerSecond;
        _lookNanos = _silenceNanos / 3;
        _heardNanos = nowNanos;

        // every third of the time-out, in whole seconds; less than one would be none
        // wire/transport 6
        _pingIntervalNanos = seconds >= 3 ? seconds / 3 * Clock.NanosPerSecond : _silenceNanos / 3;
        _pingAtNanos = After(nowNanos, info.SendsPings ? _pingIntervalNanos : 0);
        _silentAtNanos = After(nowNanos, info.ReceivesPings ? _lookNanos : 0);
    }

    /// <summary>When it wants to be asked again; <see cref="long.MaxValue"/> for never.</summary>
    public long DueNanos => Math.Min(_pingAtNanos, _silentAtNanos);

    /// <summary>True when nothing came for the agreed time-out; noticed at the latest a third of it later.</summary>
    /// <param name="nowNanos">The time.</param>
    /// <param name="bytesRead">Bytes received so far, pings included.</param>
    /// <param name="hasUnread">True while more may lie unread: a sign of life too, unless the peer takes nothing either.</param>
    /// <param name="bytesTaken">Bytes that the connection has taken so far.</param>
    /// <param name="takesNoMore">True while it takes no more: it waits for the peer.</param>
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

    /// <summary>True when a ping is due: nothing was written since it was last asked in its time.</summary>
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

    /// <summary>Notes a ping that was sent: it is nothing written.</summary>
    public void NotePing(long wireBytes) => _wireBytesSeen = wireBytes;

    private static long After(long nowNanos, long limitNanos) => limitNanos > 0 ? nowNanos + limitNanos : long.MaxValue;
}
