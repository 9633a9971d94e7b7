using HubPerf.Cache;
using HubPerf.Rings;
using HubPerf.Services;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;

namespace HubPerf.Sources;

/// <summary>
/// What one non-interactive provider sends, on the thread of its connection: its services are offered here; what belongs to an item goes to
/// the source thread that has it, and where that is this thread it is taken at once.
/// </summary>
internal sealed class PublisherRelay
{
    private readonly PublisherRoutes _routes;
    private readonly RsslChannel _channel;
    private readonly NiProvider? _local;
    private readonly int _number;
    private readonly DirectoryListing _directory = new();
    private readonly Dictionary<ushort, ushort> _serviceIds = []; // the hub's, by the provider's
    private readonly StreamMap<byte> _hosts = new(); // number of the source thread, and 1; where there are several
    private long _bytesSeen;
    private long _receivedNanos;

    /// <param name="routes">The ways of its thread.</param>
    /// <param name="channel">Its channel.</param>
    public PublisherRelay(PublisherRoutes routes, RsslChannel channel)
    {
        (_routes, _channel, _number) = (routes, channel, routes.NextNumber());
        if (routes.Local is not { } local)
            return;
        _local = new NiProvider(local);
        local.Publishers.Here++;
    }

    /// <summary>Takes an update of an item in its quick form.</summary>
    public void Take(in UpdateHeader update)
    {
        NoteReceived();
        if (_routes.To(HostOf(update.StreamId)) is { } sender)
            HandOn(sender, update.Message, serviceId: 0);
        else
            _local!.Take(update);
    }

    /// <summary>Takes any other message but those of its login.</summary>
    /// <returns>What breaks the protocol; null when all is well.</returns>
    public string? Take(scoped in RwfMsg msg)
    {
        NoteReceived();
        if (msg.DomainType == DomainType.Source)
            return TakeDirectory(msg);
        ushort serviceId = ServiceOf(msg);
        if (_routes.To(Route(msg, serviceId)) is { } sender)
            HandOn(sender, msg.Message, serviceId);
        else
            _local!.Take(msg, serviceId);
        return null;
    }

    /// <summary>Its connection is over, or its login.</summary>
    public void Leave()
    {
        _routes.Services.Leave(this);
        for (int host = 0; host < _routes.Count; host++)
            _routes.To(host)?.Send(SessionRecord.PublisherLeft, _number, default);
        if (_local is null)
            return;
        _routes.Local!.Publishers.Here--;
        _local.Leave();
    }

    private void NoteReceived()
    {
        if (_channel.BytesRead != _bytesSeen)
            (_bytesSeen, _receivedNanos) = (_channel.BytesRead, _routes.Time.NowNanos);
        _routes.Local?.NoteReceived(_receivedNanos);
    }

    // What is of no stream is counted there.
    private int HostOf(int streamId) => _routes.Count == 1 ? 0 : _hosts.Find(streamId) is > 0 and byte host ? host - 1 : _routes.Home;

    // The first image on a stream says which item it is, and so whose.
    private int Route(scoped in RwfMsg msg, ushort serviceId)
    {
        bool isNew = serviceId != 0 && _routes.Count > 1 && _hosts.Find(msg.StreamId) == 0;
        if (isNew)
            _hosts.Add(msg.StreamId, (byte)(_routes.Owners.HostOf(msg.Key.Name, _routes.Local?.Number) + 1));
        int host = HostOf(msg.StreamId);
        if (DomainMsg.EndsStream(msg) && _hosts.Find(msg.StreamId) > 0)
            _hosts.Remove(msg.StreamId);
        return host;
    }

    // The hub's id of the service of an image that names its item; 0 for any other message.
    private ushort ServiceOf(scoped in RwfMsg msg) =>
        msg.MsgClass == MsgClass.Refresh && ItemDomain.IsKnown(msg.DomainType) && msg.Has(RefreshFlags.HasMsgKey)
        && msg.Key.Has(MsgKeyFlags.HasName)
            ? _serviceIds.GetValueOrDefault(msg.Key.ServiceId) : (ushort)0;

    private void HandOn(RingSender sender, ReadOnlySpan<byte> message, ushort serviceId)
    {
        Span<byte> head = stackalloc byte[PublishedHead.Bytes];
        new PublishedHead(_receivedNanos, serviceId).Write(head);
        sender.Send(SessionRecord.Published, _number, head, message);
    }

    private string? TakeDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Take(msg);
        if (result.Step == ConversationStep.Disconnect)
            return result.Reason;
        foreach (ListedService service in _directory.Services.Where(service => service.Info.Name is not null))
        {
            if (_routes.Services.Offer(Describe(service), provider: this) is { } offered)
            {
                _serviceIds[service.Info.Id] = offered.Id;
            }
            else
            {
                _routes.Recording.Notices.Add(
                    $"Service {service.Info.Name} of a non-interactive provider is offered by another source; it is not used.");
            }
        }

        return null;
    }

    private HubService Describe(ListedService service) => new()
    {
        Offer = UpstreamSource.OfferOf(service),
        Owner = _routes.Owners,
        Dictionary = _routes.Dictionary,
    };
}
