using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>
/// What comes back: each time its connection is lost another takes its place, with a new session and the same handler.
/// </summary>
/// <remarks>Belongs to the worker's thread but for what says otherwise.</remarks>
/// <typeparam name="TSession">What is on its connection.</typeparam>
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

    /// <param name="worker">Whose thread it is on; before its first turn, or on its thread.</param>
    /// <param name="connect">Where its peer is.</param>
    /// <param name="recovery">How it comes back; null for one that does not.</param>
    /// <param name="create">Makes a session.</param>
    private protected Recovering(Worker worker, ConnectOptions connect, RecoveryOptions? recovery, Func<TSession> create)
    {
        recovery?.Check();
        (_worker, _connect, _recovery, _create) = (worker, connect, recovery, create);
        _session = CreateSession();
        _dialer = worker.Connect(RecoveryPace.CreateDialer(_session, connect, recovery));
    }

    /// <summary>The session of today. Any thread.</summary>
    public TSession Session => _session;

    /// <summary>How often a connection was lost and another is to follow. Any thread.</summary>
    public int Losses => _losses;

    /// <summary>What connects it. Any thread.</summary>
    internal Dialer Dialer => _dialer;

    private protected abstract bool WillBeFollowed { get; }

    /// <summary>True once the peer has accepted the login of today's session.</summary>
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
        long? failedWait = IsLoggedIn ? null : _dialer.NextWaitNanos; // a session without a login is one more attempt that failed
        _session = CreateSession();
        return _dialer = RecoveryPace.CreateDialer(_session, _connect, _recovery, _worker.Time.NowNanos, failedWait);
    }
}
