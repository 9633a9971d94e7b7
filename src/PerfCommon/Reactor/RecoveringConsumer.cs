using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>A consumer that comes back.</summary>
/// <remarks>
/// The handler is notified by <see cref="ConsumerHandler.OnItemState"/> (OPEN, SUSPECT) for every item that had an answer,
/// <see cref="ConsumerHandler.OnClosed"/>, and from
/// <see cref="ConsumerHandler.OnReady"/> on what the next session brings. Not followed are: a refused login, a handler that ended the
/// session, the worker's end.
/// </remarks>
public sealed class RecoveringConsumer : Recovering<ConsumerSession>
{
    /// <param name="worker">Whose thread it is on; before its first turn, or on its thread.</param>
    /// <param name="options">What it asks for, each time.</param>
    /// <param name="handler">Is told what comes.</param>
    /// <param name="connect">Where the provider is.</param>
    /// <param name="recovery">How it comes back; null for one that does not.</param>
    internal RecoveringConsumer(Worker worker, ConsumerSessionOptions options, ConsumerHandler handler, ConnectOptions connect,
        RecoveryOptions? recovery)
        : base(worker, connect, recovery, Creator(options, handler, recovery))
    {
    }

    /// <summary>Why it will not come back, or could not come at all; null while all is well. Any thread.</summary>
    public ConsumerFailure? Failure => Session is { Failure: { } failure, WillBeFollowed: false } ? failure : null;

    private protected override bool WillBeFollowed => Session.WillBeFollowed;

    private protected override bool IsLoggedIn => Session.Stage > ConsumerStage.Login;

    // A watchlist is that of all its sessions.
    private static Func<ConsumerSession> Creator(ConsumerSessionOptions options, ConsumerHandler handler, RecoveryOptions? recovery)
    {
        ConsumerSessionOptions asked = recovery is { Watchlist: true }
            ? options with
            {
                Watched = new WatchedItems(options, RecoveryPace.Nanos(recovery.FirstRetry),
                RecoveryPace.Nanos(recovery.MaxRetry))
            }

            : options;
        return () => new ConsumerSession(asked, handler);
    }
}
