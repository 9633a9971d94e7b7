using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Connects one connection of a worker: it retries until an attempt succeeds, or none can succeed any more.</summary>
internal sealed class Dialer(Connection connection, ConnectOptions options, bool givesUpWhenRefused, RetryPace pace)
{
    private long _retryNanos = pace.FirstNanos;
    private volatile RsslChannel? _attempt;
    private volatile string? _lastProblem;
    private volatile string? _gaveUp;

    public Connection Connection => connection;

    /// <summary>The time at which the next attempt is due; far away while one is in progress or none will follow.</summary>
    public long NextAttemptNanos { get; private set; } = pace.StartNanos;

    /// <summary>The reason why there is no connection: the failure of the last attempt, or what the first one waits for. Any thread.</summary>
    public string Problem => _lastProblem ?? _attempt?.Awaited ?? "no attempt was made";

    /// <summary>The reason why no further attempt is made; null while attempts continue. Any thread.</summary>
    public string? GaveUp => _gaveUp;

    /// <summary>The wait after the next failure.</summary>
    public long NextWaitNanos => _retryNanos;

    public void DialWhenDue(ChannelPoller poller, long nowNanos)
    {
        if (nowNanos < NextAttemptNanos)
            return;
        NextAttemptNanos = long.MaxValue;
        RsslChannel attempt = poller.Connect(options);
        attempt.Tag = this;
        _attempt = attempt;
    }

    public void RecordFailure(CloseReason reason, long nowNanos, RunNotices notices)
    {
        bool isHopeless = reason.Kind == CloseKind.NotTrusted
            || (givesUpWhenRefused && reason.Kind is CloseKind.Refused or CloseKind.HandshakeFailed or CloseKind.ProtocolError);
        if (isHopeless)
        {
            _gaveUp = reason.Text;
            return;
        }

        connection.OnAttemptFailed(reason);
        NextAttemptNanos = nowNanos + _retryNanos;
        _retryNanos = Math.Min(_retryNanos * 2, pace.MaxNanos);
        if (reason.Text != _lastProblem)
            notices.Add(ConnectionNotices.Failed, reason.Text, pace.Text, reason.Kind);
        _lastProblem = reason.Text;
    }
}

/// <summary>Waiting times of a dialer between attempts.</summary>
/// <param name="StartNanos">When the first attempt is due, in nanoseconds of <see cref="Clock"/>; 0 is at once.</param>
/// <param name="FirstNanos">The wait after the first failure; it doubles with each further one.</param>
/// <param name="MaxNanos">The longest wait.</param>
/// <param name="Text">The wait in words, after "every".</param>
internal readonly record struct RetryPace(long StartNanos, long FirstNanos, long MaxNanos, string Text)
{
    public static RetryPace EverySecond { get; } = new(0, Clock.NanosPerSecond, Clock.NanosPerSecond, "second");
}
