using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>A consumer that reconnects.</summary>
/// <remarks>
/// The handler is notified by <see cref="ConsumerHandler.OnItemState"/> (OPEN, SUSPECT) for every item that had an answer,
/// <see cref="ConsumerHandler.OnClosed"/>, and from <see cref="ConsumerHandler.OnReady"/> on of the events of the next session. It does not
/// reconnect after a refused login, after a handler ended the session, or after the worker's end.
/// </remarks>
public sealed class RecoveringConsumer : Recovering<ConsumerSession>
{
    /// <summary>Creates a consumer, whose first attempt to connect is due at once.</summary>
    /// <param name="worker">The worker of its thread; before its first turn, or on its thread.</param>
    /// <param name="options">Its requests, repeated each time it connects.</param>
    /// <param name="handler">Handles the events.</param>
    /// <param name="connect">Address of the provider.</param>
    /// <param name="recovery">Pace of the attempts to reconnect; null for no reconnecting.</param>
    public RecoveringConsumer(Worker worker, ConsumerSessionOptions options, ConsumerHandler handler, ConnectOptions connect,
        RecoveryOptions? recovery)
        : base(worker, connect, recovery, Creator(options, handler, recovery))
    {
    }

    /// <summary>The reason why it will not reconnect, or could not connect at all; null otherwise. Any thread.</summary>
    public ConsumerFailure? Failure => Session is { Failure: { } failure, WillBeFollowed: false } ? failure : null;

    private protected override bool WillBeFollowed => Session.WillBeFollowed;

    private protected override bool IsLoggedIn => Session.Stage > ConsumerStage.Login;

    // All of its sessions share one watchlist.
    private static Func<ConsumerSession> Creator(ConsumerSessionOptions options, ConsumerHandler handler, RecoveryOptions? recovery)
    {
        ConsumerSessionOptions asked = recovery is { Watchlist: true }
            ? options.WithWatchlist(RecoveryPace.Nanos(recovery.FirstRetry), RecoveryPace.Nanos(recovery.MaxRetry))
            : options;
        return () => new ConsumerSession(asked, handler);
    }
}
