using PerfCommon.Codec;
using PerfHub.Cache;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <content>Serves a non-interactive provider, where one port serves both: its messages are forwarded to the source threads.</content>
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
