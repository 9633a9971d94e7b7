using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Notices;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>
/// Handles the messages of one non-interactive provider on the thread of its connection: offers its services here, and sends each message of an item
/// to the source thread that has it; a message for this thread is handled at once.
/// </summary>
internal sealed class PublisherRelay
{
    private const int MaxNamesReported = 8;

    private readonly PublisherRoutes _routes;
    private readonly RsslChannel _channel;
    private readonly NiProvider? _local;
    private readonly int _number;
    private readonly DirectoryListing _directory = new();
    private readonly Dictionary<ushort, HubService> _services = []; // by the provider's ids
    private readonly PublishedStreams _streams;
    private long _bytesSeen;
    private long _receivedNanos;
    private long _leftOut;

    /// <param name="routes">The routes of its thread.</param>
    /// <param name="channel">Its channel.</param>
    public PublisherRelay(PublisherRoutes routes, RsslChannel channel)
    {
        (_routes, _channel, _number) = (routes, channel, routes.NextNumber());
        _streams = new PublishedStreams(routes.OpenLimit);
        if (routes.Local is not { } local)
            return;
        _local = new NiProvider(local);
        local.Items.Publishers.Here.Add(this);
    }

    /// <summary>Approximate bytes of its items.</summary>
    public long KeptBytes => _streams.KeptBytes;

    /// <summary>Disconnects the provider because memory is nearly used up and its connection uses most of it.</summary>
    public void CutForMemory(long bytes) => MemoryDisconnect.End(_channel, _routes.Recording.Counters, _routes.Recording, bytes);

    /// <summary>Dispatches an update of an item in its quick form.</summary>
    public void Receive(in UpdateHeader update)
    {
        RecordReceived();
        if (_routes.To(HostOf(update.StreamId)) is { } sender)
            Forward(sender, update.Message, default);
        else
            _local!.Receive(update);
    }

    /// <summary>Dispatches any other message but those of its login.</summary>
    /// <returns>The violation of the protocol; null when there is none.</returns>
    public string? Receive(scoped in RwfMsg msg)
    {
        RecordReceived();
        if (msg.DomainType == DomainType.Source)
            return ReceiveDirectory(msg);
        ServiceKey service = ServiceOf(msg);
        if (service != default && !_streams.TryEnter(msg, _routes.Owners, _routes.Local?.Number))
        {
            Refuse();
            return null;
        }

        if (_routes.To(HostOf(msg.StreamId)) is { } sender)
            Forward(sender, msg.Message, service);
        else
            _local!.Receive(msg, service);
        if (DomainMsg.EndsStream(msg))
            _streams.Remove(msg.StreamId);
        return null;
    }

    /// <summary>Ends the provider: its connection has ended, or its login.</summary>
    public void Leave()
    {
        _routes.Services.Leave(_services.Values, this, _routes.Time.NowNanos);
        for (int host = 0; host < _routes.Count; host++)
            _routes.To(host)?.Send(SessionRecord.PublisherLeft, _number, default);
        if (_local is null)
            return;
        _routes.Local!.Items.Publishers.Here.Remove(this);
        _routes.Local.Items.Publishers.Leave(_local);
    }

    private void RecordReceived()
    {
        if (_channel.BytesRead != _bytesSeen)
            (_bytesSeen, _receivedNanos) = (_channel.BytesRead, _routes.Time.NowNanos);
        _routes.Local?.Broadcaster.RecordReceived(_receivedNanos);
    }

    // Messages without a stream are counted there.
    private int HostOf(int streamId) => _routes.Count == 1 ? 0 : _streams.HostOf(streamId) ?? _routes.Home;

    // Returns the service of an image that names its item; none for any other message.
    private ServiceKey ServiceOf(scoped in RwfMsg msg) =>
        msg.MsgClass == MsgClass.Refresh && HubDomain.IsItem(msg.DomainType) && msg.Has(RefreshFlags.HasMsgKey)
        && msg.Key.Has(MsgKeyFlags.HasName) && _services.TryGetValue(msg.Key.ServiceId, out HubService? service) ? service.Key : default;

    private void Refuse()
    {
        if (_routes.Recording.Counters[HubCounter.ImagesRefused] == 0)
            _routes.Recording.Notices.Add(HubNotices.TooManyItems, ChannelText.DescribePeer(_channel), _routes.OpenLimit, ItemNames.MaxBytes);
        _routes.Recording.Counters.Add(HubCounter.ImagesRefused, 1);
    }

    private void Forward(RingSender sender, ReadOnlySpan<byte> message, ServiceKey service)
    {
        Span<byte> head = stackalloc byte[PublishedHead.Bytes];
        new PublishedHead(_receivedNanos, service).Write(head);
        sender.Send(SessionRecord.Published, _number, head, message);
    }

    private string? ReceiveDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Receive(msg);
        if (result.Step == ConversationStep.Disconnect)
            return result.Reason;
        List<ListedService> listed = [];
        List<HubService> gone = [];
        foreach (ushort id in _directory.Changed)
        {
            bool isListed = _directory.TryFind(id, out ListedService? service) && service.Info.Name is not null;
            if (isListed)
                listed.Add(service!);
            bool isSame = isListed && _services.TryGetValue(id, out HubService? known) && known.Offer.Name == service!.Info.Name;
            if (!isSame && _services.Remove(id, out HubService? lost))
                gone.Add(lost); // the provider may have another one of this id now
        }

        if (gone.Count > 0)
            _routes.Services.Leave(gone, this, _routes.Time.NowNanos);
        Offer(listed);
        return null;
    }

    private void Offer(List<ListedService> listed)
    {
        IReadOnlyList<HubService?> offered = _routes.Services.Offer([.. listed.Select(Describe)], provider: this);
        List<ListedService> refused = [];
        for (int i = 0; i < listed.Count; i++)
        {
            if (offered[i] is { } service)
                _services[listed[i].Info.Id] = service;
            else
                refused.Add(listed[i]);
        }

        if (refused.Count > 0 || _directory.LeftOut > _leftOut)
            ReportRefused(refused, _directory.LeftOut - _leftOut);
        _leftOut = _directory.LeftOut;
    }

    private void ReportRefused(List<ListedService> refused, long leftOut)
    {
        _routes.Recording.Counters.Add(HubCounter.ServicesRefused, refused.Count + leftOut);
        foreach (ListedService service in refused.Take(MaxNamesReported))
        {
            string why = _routes.Services.Find(service.Info.Name!) is null ? "finds no room" : "is offered by another source";
            _routes.Recording.Notices.Add(HubNotices.PublisherServiceRefused, service.Info.Name, why);
        }

        if (refused.Count > MaxNamesReported || leftOut > 0)
        {
            _routes.Recording.Notices.Add(HubNotices.PublisherServicesRefused, refused.Count + leftOut, ChannelText.DescribePeer(_channel),
                DirectoryListing.MaxServices);
        }
    }

    private HubService Describe(ListedService service) => new()
    {
        Offer = UpstreamSource.OfferOf(service),
        Owner = _routes.Owners,
        Dictionary = _routes.Dictionary,
    };
}
