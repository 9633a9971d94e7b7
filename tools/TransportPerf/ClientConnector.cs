using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>Connects a client's worker: one attempt a second until one succeeds. After that it never connects again.</summary>
internal sealed class ClientConnector(ChannelPoller poller, ConnectOptions options, RunNotices notices)
{
    private const long RetryNanos = Clock.NanosPerSecond;

    private RsslChannel? _attempt;
    private volatile string? _lastReason;
    private volatile string? _gaveUp;

    /// <summary>Why no further attempt makes sense; null while one does. Any thread.</summary>
    public string? GaveUp => _gaveUp;

    /// <summary>When the next attempt is due; far away while one runs or none will come.</summary>
    public long NextAttemptNanos { get; private set; }

    /// <summary>Why the last attempt failed; null when none did.</summary>
    public string? LastReason => _lastReason;

    public void ConnectWhenDue(long nowNanos)
    {
        if (_attempt is not null || nowNanos < NextAttemptNanos)
            return;
        _attempt = poller.Connect(options);
        NextAttemptNanos = long.MaxValue;
    }

    /// <summary>Takes notice that the attempt failed before it became active.</summary>
    public void NoteFailure(CloseReason reason, long nowNanos)
    {
        _attempt = null;
        bool isFinal = reason.Kind is CloseKind.Refused or CloseKind.HandshakeFailed or CloseKind.ProtocolError;
        if (isFinal)
        {
            _gaveUp = reason.Text;
            return;
        }
        NextAttemptNanos = nowNanos + RetryNanos;
        if (reason.Text != _lastReason)
            notices.Add($"Not connected: {reason.Text}; will retry every second");
        _lastReason = reason.Text;
    }
}
