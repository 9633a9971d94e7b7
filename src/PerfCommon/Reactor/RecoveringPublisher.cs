using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>A non-interactive provider that comes back: each time its connection is lost another takes its place, with a session of its own and the same handler.</summary>
/// <remarks>
/// The handler is told <see cref="PublisherHandler.OnClosed"/>, and from <see cref="PublisherHandler.OnReady"/> on what the next session brings: the login, the directory and
/// the refreshes are sent again. Not followed is the worker's end. Belongs to the worker's thread but for what says otherwise.
/// </remarks>
public sealed class RecoveringPublisher
{
    private readonly Worker _worker;
    private readonly PublisherSessionOptions _options;
    private readonly PublisherHandler _handler;
    private readonly ConnectOptions _connect;
    private readonly RecoveryOptions? _recovery;
    private volatile PublisherSession _session;
    private volatile Dialer _dialer;
    private volatile int _losses;

    /// <param name="worker">Whose thread it is on; before its first turn, or on its thread.</param>
    /// <param name="options">What it publishes, each time.</param>
    /// <param name="handler">Says what its messages hold.</param>
    /// <param name="connect">Where the hub is.</param>
    /// <param name="recovery">How it comes back; null for one that does not.</param>
    internal RecoveringPublisher(Worker worker, PublisherSessionOptions options, PublisherHandler handler, ConnectOptions connect, RecoveryOptions? recovery)
    {
        recovery?.Check();
        (_worker, _options, _handler, _connect, _recovery) = (worker, options, handler, connect, recovery);
        _session = CreateSession();
        _dialer = worker.Connect(RecoveryPace.CreateDialer(_session, connect, recovery));
    }

    /// <summary>The session of today. Any thread.</summary>
    public PublisherSession Session => _session;

    /// <summary>How often a connection was lost and another is to follow. Any thread.</summary>
    public int Losses => _losses;

    /// <summary>Why it will not come back, as a sentence; null while all is well. Any thread.</summary>
    public string? Failure => _session is { Failure: { } failure, WillBeFollowed: false } ? failure : null;

    /// <summary>What connects it. Any thread.</summary>
    internal Dialer Dialer => _dialer;

    private PublisherSession CreateSession() => new(_options, _handler) { Successor = _recovery is null ? null : Follow };

    private Dialer? Follow(CloseReason reason)
    {
        if (!_session.WillBeFollowed)
            return null;
        _losses++;
        _session = CreateSession();
        return _dialer = RecoveryPace.CreateDialer(_session, _connect, _recovery, _worker.Time.NowNanos);
    }
}
