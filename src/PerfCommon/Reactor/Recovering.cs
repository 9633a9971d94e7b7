using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>
/// Reconnects each time its connection is lost, with a new session and the same handler.
/// </summary>
/// <remarks>Belongs to the worker's thread unless stated otherwise.</remarks>
/// <typeparam name="TSession">Type of the session on its connection.</typeparam>
public abstract class Recovering<TSession>
    where TSession : Connection
{
    private readonly Worker _worker;
    private readonly ConnectOptions _connect;
    private readonly RecoveryOptions? _recovery;
    private readonly Func<TSession> _create;
    private volatile TSession _session;
    private volatile Dialer _dialer;
    private volatile int _losses;

    /// <param name="worker">The worker of its thread; before its first turn, or on its thread.</param>
    /// <param name="connect">Address of its peer.</param>
    /// <param name="recovery">Pace of the attempts to reconnect; null for no reconnecting.</param>
    /// <param name="create">Creates a session.</param>
    private protected Recovering(Worker worker, ConnectOptions connect, RecoveryOptions? recovery, Func<TSession> create)
    {
        recovery?.Check();
        (_worker, _connect, _recovery, _create) = (worker, connect, recovery, create);
        _session = CreateSession();
        _dialer = worker.Connect(RecoveryPace.CreateDialer(_session, connect, recovery));
    }

    /// <summary>The current session. Any thread.</summary>
    public TSession Session => _session;

    /// <summary>Number of lost connections that are to be replaced. Any thread.</summary>
    public int Losses => _losses;

    /// <summary>The reason why there is no connection: the failure of the last attempt, or what the first one waits for. Any thread.</summary>
    public string Problem => _dialer.Problem;

    /// <summary>The reason why no further attempt to connect is made; null while attempts continue. Any thread.</summary>
    public string? Refusal => _dialer.GaveUp;

    private protected abstract bool WillBeFollowed { get; }

    /// <summary>True once the peer has accepted the login of the current session.</summary>
    private protected abstract bool IsLoggedIn { get; }

    private TSession CreateSession()
    {
        TSession session = _create();
        session.Successor = _recovery is null ? null : Follow;
        return session;
    }

    private Dialer? Follow(CloseReason reason)
    {
        if (!WillBeFollowed)
            return null;
        _losses++;
        long? failedWait = IsLoggedIn ? null : _dialer.NextWaitNanos; // a session that ended before its login counts as one more failed attempt
        _session = CreateSession();
        return _dialer = RecoveryPace.CreateDialer(_session, _connect, _recovery, _worker.Time.NowNanos, failedWait);
    }
}
