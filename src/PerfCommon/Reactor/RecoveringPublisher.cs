using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>A non-interactive provider that reconnects.</summary>
/// <remarks>
/// The handler is notified by <see cref="PublisherHandler.OnClosed"/>, and from <see cref="PublisherHandler.OnReady"/> on of the next session:
/// the login, the directory and the refreshes are sent again. It does not reconnect after the worker's end.
/// </remarks>
public sealed class RecoveringPublisher : Recovering<PublisherSession>
{
    /// <param name="worker">The worker of its thread; before its first turn, or on its thread.</param>
    /// <param name="options">Items that it publishes each time it connects.</param>
    /// <param name="handler">Supplies the content of its messages.</param>
    /// <param name="connect">Address of the hub.</param>
    /// <param name="recovery">Pace of the attempts to reconnect; null for no reconnecting.</param>
    internal RecoveringPublisher(Worker worker, PublisherSessionOptions options, PublisherHandler handler, ConnectOptions connect,
        RecoveryOptions? recovery)
        : base(worker, connect, recovery, () => new PublisherSession(options, handler))
    {
    }

    /// <summary>The reason why it will not reconnect, as a sentence; null otherwise. Any thread.</summary>
    public string? Failure => Session is { Failure: { } failure, WillBeFollowed: false } ? failure : null;

    private protected override bool WillBeFollowed => Session.WillBeFollowed;

    private protected override bool IsLoggedIn => Session.Stage == PublisherStage.Publishing;
}
