using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>A non-interactive provider that comes back.</summary>
/// <remarks>
/// The handler is notified by <see cref="PublisherHandler.OnClosed"/>, and from <see cref="PublisherHandler.OnReady"/> on what the next session
/// brings: the login, the directory and the refreshes are sent again. Not followed is the worker's end.
/// </remarks>
public sealed class RecoveringPublisher : Recovering<PublisherSession>
{
    /// <param name="worker">Whose thread it is on; before its first turn, or on its thread.</param>
    /// <param name="options">What it publishes, each time.</param>
    /// <param name="handler">Says what its messages hold.</param>
    /// <param name="connect">Where the hub is.</param>
    /// <param name="recovery">How it comes back; null for one that does not.</param>
    internal RecoveringPublisher(Worker worker, PublisherSessionOptions options, PublisherHandler handler, ConnectOptions connect,
        RecoveryOptions? recovery)
        : base(worker, connect, recovery, () => new PublisherSession(options, handler))
    {
    }

    /// <summary>Why it will not come back, as a sentence; null while all is well. Any thread.</summary>
    public string? Failure => Session is { Failure: { } failure, WillBeFollowed: false } ? failure : null;

    private protected override bool WillBeFollowed => Session.WillBeFollowed;

    private protected override bool IsLoggedIn => Session.Stage == PublisherStage.Publishing;
}
