using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>One connection on the port for non-interactive providers: a peer that logs in as a provider publishes.</summary>
/// <param name="routes">The routes of its source thread.</param>
/// <param name="offer">The contents of the login refresh.</param>
internal sealed class PublisherConnection(PublisherRoutes routes, LoginOffer offer) : ServerSession(offer)
{
    private PublisherRelay? _relay;

    internal override bool EndsFirst => true;

    private protected override bool IsHeldUp => !routes.HasRoom;

    internal override void OnReadable(long untilNanos)
    {
        base.OnReadable(untilNanos);
        routes.HoldWhileFull(Channel);
        routes.Local!.Publish();
    }

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        TrySendReplies();
        Output.EndBurst();
    }

    internal override void OnClosed(CloseReason reason)
    {
        base.OnClosed(reason);
        EndPublishing();
    }

    private protected override void OnLoggedIn()
    {
        if (Peer!.Role != LoginRole.Provider)
            Disconnect("a consumer's login on the port for providers");
        else
            _relay ??= new PublisherRelay(routes, Channel);
    }

    private protected override void OnLoginClosed() => EndPublishing();

    private protected override bool TryReceiveFirst(ReadOnlySpan<byte> message)
    {
        if (_relay is null || !UpdateHeader.TryRead(message, out UpdateHeader update) || !HubDomain.IsItem(update.DomainType))
            return false;
        _relay.Receive(update);
        return true;
    }

    private protected override void HandleDirectory(scoped in RwfMsg msg) => Publish(msg);

    private protected override void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message) => Publish(msg);

    private protected override void HandleOffStreamPost(scoped in RwfMsg post) => Drop(post);

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) => routes.Dictionary;

    private void Publish(scoped in RwfMsg msg)
    {
        if (_relay is null)
            Disconnect("a message before its login");
        else if (_relay.Receive(msg) is { } problem)
            Disconnect(problem);
    }

    private void EndPublishing()
    {
        _relay?.Leave();
        _relay = null;
    }
}
