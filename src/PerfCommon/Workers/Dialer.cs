using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Connects one connection of a worker: an attempt a second until one succeeds, or none makes sense any more.</summary>
internal sealed class Dialer(Connection connection, ConnectOptions options, bool givesUpWhenRefused)
{
    private const long RetryNanos = Clock.NanosPerSecond;

    private volatile RsslChannel? _attempt;
    private volatile string? _lastProblem;
    private volatile string? _gaveUp;

    public Connection Connection => connection;

    /// <summary>When the next attempt is due; far away while one runs or none will come.</summary>
    public long NextAttemptNanos { get; private set; }

    /// <summary>Why there is no connection: what the last attempt failed by, or what the first one waits for. Any thread.</summary>
    public string Problem => _lastProblem ?? _attempt?.Awaited ?? "no attempt was made";

    /// <summary>Why no further attempt makes sense; null while one does. Any thread.</summary>
    public string? GaveUp => _gaveUp;

    public void DialWhenDue(ChannelPoller poller, long nowNanos)
    {
        if (nowNanos < NextAttemptNanos)
            return;
        NextAttemptNanos = long.MaxValue;
        RsslChannel attempt = poller.Connect(options);
        attempt.Tag = this;
        _attempt = attempt;
    }

    public void NoteFailure(CloseReason reason, long nowNanos, RunNotices notices)
    {
        bool isHopeless = reason.Kind == CloseKind.NotTrusted
            || (givesUpWhenRefused && reason.Kind is CloseKind.Refused or CloseKind.HandshakeFailed or CloseKind.ProtocolError);
        if (isHopeless)
        {
            _gaveUp = reason.Text;
            return;
        }

        NextAttemptNanos = nowNanos + RetryNanos;
        if (reason.Text != _lastProblem)
            notices.Add($"Connection failed: {reason.Text}; will retry every second");
        _lastProblem = reason.Text;
    }
}
