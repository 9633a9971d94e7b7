using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>A consumer that comes back: each time its connection is lost another takes its place, with a session of its own and the same handler.</summary>
/// <remarks>
/// The handler is told <see cref="ConsumerHandler.OnItemState"/> (OPEN, SUSPECT) for every item that had an answer, <see cref="ConsumerHandler.OnClosed"/>, and from
/// <see cref="ConsumerHandler.OnReady"/> on what the next session brings. Not followed are: a refused login, a handler that ended the session, the worker's end.
/// Belongs to the worker's thread but for what says otherwise.
/// </remarks>
public sealed class RecoveringConsumer
{
    private readonly Worker _worker;
    private readonly ConsumerSessionOptions _options;
    private readonly ConsumerHandler _handler;
    private readonly ConnectOptions _connect;
    private readonly RecoveryOptions? _recovery;
    private volatile ConsumerSession _session;
    private volatile Dialer _dialer;
    private volatile int _losses;

    /// <param name="worker">Whose thread it is on; before its first turn, or on its thread.</param>
    /// <param name="options">What it asks for, each time.</param>
    /// <param name="handler">Is told what comes.</param>
    /// <param name="connect">Where the provider is.</param>
    /// <param name="recovery">How it comes back; null for one that does not.</param>
    internal RecoveringConsumer(Worker worker, ConsumerSessionOptions options, ConsumerHandler handler, ConnectOptions connect, RecoveryOptions? recovery)
    {
        recovery?.Check();
        (_worker, _handler, _connect, _recovery) = (worker, handler, connect, recovery);
        _options = recovery is { Watchlist: true } ? options with { Watched = new WatchedItems(options) } : options;
        _session = CreateSession();
        _dialer = worker.Connect(RecoveryPace.CreateDialer(_session, connect, recovery));
    }

    /// <summary>The session of today. Any thread.</summary>
    public ConsumerSession Session => _session;

    /// <summary>How often a connection was lost and another is to follow. Any thread.</summary>
    public int Losses => _losses;

    /// <summary>Why it will not come back, or could not come at all; null while all is well. Any thread.</summary>
    public ConsumerFailure? Failure => _session is { Failure: { } failure, WillBeFollowed: false } ? failure : null;

    /// <summary>What connects it. Any thread.</summary>
    internal Dialer Dialer => _dialer;

    private ConsumerSession CreateSession() => new(_options, _handler) { Successor = _recovery is null ? null : Follow };

    private Dialer? Follow(CloseReason reason)
    {
        if (!_session.WillBeFollowed)
            return null;
        _losses++;
        _session = CreateSession();
        return _dialer = RecoveryPace.CreateDialer(_session, _connect, _recovery, _worker.Time.NowNanos);
    }
}
