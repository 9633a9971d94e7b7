using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <content>
/// Receives messages: a consumer's, and, where one port serves both, those of a non-interactive provider, which are forwarded to the source threads.
/// </content>
internal sealed partial class HubSession
{
    private PublisherRelay? _relay; // null for a consumer

    internal override bool EndsFirst => _relay is not null;

    private protected override bool IsHeldUp => IsPublishingHere && !_host.Routes.HasRoom;

    // On a thread that reads sources, too: its messages are held back like those of other source connections.
    private bool IsPublishingHere => _relay is not null && _host.Routes.Local is not null;

    private bool IsPublishingFull =>
        !IsPublishingHere && (base.IsFull || _host.IsFull || _host.Routes.IsCrowded || _host.Settings.Memory.IsTight);

    private protected override bool TryReceiveFirst(ReadOnlySpan<byte> message)
    {
        if (_relay is null || !UpdateHeader.TryRead(message, out UpdateHeader update) || !HubDomain.IsItem(update.DomainType))
            return false;
        _relay.Receive(update);
        return true;
    }

    private protected override void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message)
    {
        if (_relay is not null)
        {
            Publish(_relay, msg);
            return;
        }

        if (Peer is null)
        {
            Disconnect("a message before its login");
            return;
        }

        switch (msg.MsgClass)
        {
            case MsgClass.Request:
                _requests.Receive(msg);
                break;
            case MsgClass.Close:
                _requests.ReceiveClose(msg);
                break;
            // with the item's domain
            // wire/domains 6.4
            case MsgClass.Post when IsLoginOn(msg.StreamId):
                HandleOffStreamPost(msg);
                break;
            case MsgClass.Post:
                _posts.Receive(msg);
                break;
            case MsgClass.Generic:
                _posts.ReceiveGeneric(msg);
                break;
            default:
                Drop(msg);
                break;
        }
    }

    private protected override void HandleOffStreamPost(scoped in RwfMsg post) => _posts.ReceiveOffStream(post, IsLoginOn(post.StreamId));

    private protected override void HandleDirectory(scoped in RwfMsg msg)
    {
        if (_relay is not null)
        {
            Publish(_relay, msg);
            return;
        }

        if (ConsumerStatus.Is(msg)) // wire/domains 3.5
        {
            Standby.Receive(msg);
            return;
        }

        ConversationResult result = _directory.Receive(msg);
        if (result.Step == ConversationStep.Send && MayAnswer)
        {
            int bytes = _directory.EncodeRefresh(Replies.Begin(_directory.MaxRefreshBytes));
            Replies.End(bytes, MessageKind.Other);
            CountAnswer(bytes);
        }

        Conclude(result);
    }

    private void Publish(PublisherRelay relay, scoped in RwfMsg msg)
    {
        if (relay.Receive(msg) is { } problem)
            Disconnect(problem);
    }

    private void BeginPublishing()
    {
        if (_relay is not null)
            return;
        if (!_host.Settings.TakesPublishers)
        {
            Disconnect("a provider's login on the port for consumers");
            return;
        }

        if (Worker.IsEndRequested)
        {
            Disconnect("a provider's login while the hub ends");
            return;
        }

        _relay = new PublisherRelay(_host.Routes, Channel);
        _host.Publishers++;
    }

    private void EndPublishing()
    {
        if (_relay is null)
            return;
        _relay.Leave();
        _relay = null;
        _host.Publishers--;
    }
}
