using HubPerf.Cache;
using HubPerf.Services;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;

namespace HubPerf.Sources;

/// <summary>What one non-interactive provider publishes, on its source thread; its connection may belong to another.</summary>
internal sealed class NiProvider
{
    private readonly SourceHost _host;
    private readonly NiSource _source;
    private readonly DictionaryProvider _dictionary;
    private readonly DirectoryListing _directory = new();
    private readonly Dictionary<ushort, ServiceItems> _services = []; // by the provider's ids
    private readonly StreamMap<CachedItem> _streams = new();
    private readonly List<CachedItem> _items = [];

    /// <param name="host">Its thread.</param>
    /// <param name="source">The providers it is one of.</param>
    /// <param name="dictionary">What consumers of its services get.</param>
    public NiProvider(SourceHost host, NiSource source, DictionaryProvider dictionary)
    {
        (_host, _source, _dictionary) = (host, source, dictionary);
        source.Add(this);
    }

    /// <summary>Services that it provides.</summary>
    public IReadOnlyCollection<ServiceItems> Services => _services.Values;

    /// <summary>Items that it publishes.</summary>
    public IReadOnlyList<CachedItem> Items => _items;

    /// <summary>Takes a message other than its login.</summary>
    /// <returns>What breaks the protocol; null when all is well.</returns>
    public string? Take(ReadOnlySpan<byte> message)
    {
        if (UpdateHeader.TryRead(message, out UpdateHeader update) && ItemDomain.IsKnown(update.DomainType))
        {
            if (_streams.Find(update.StreamId) is { } item)
                _host.Take(item, update);
            else
                _host.Drop("an update without an image");
            return null;
        }

        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
            // wire/domains 12
            return "a message that cannot be decoded";
        if (msg.DomainType == DomainType.Source)
            return TakeDirectory(msg);
        TakeItem(msg);
        return null;
    }

    /// <summary>Its connection is over.</summary>
    public void Leave() => _source.Remove(this, _host);

    private string? TakeDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Take(msg);
        if (result.Step == ConversationStep.Disconnect)
            return result.Reason;
        foreach (ListedService service in _directory.Services.Where(service => service.Info.Name is not null))
        {
            if (_host.Offer(Describe(service), _source) is { } offered)
            {
                _services[service.Info.Id] = offered;
            }
            else
            {
                _host.Worker.Recording.Notices.Add(
                    $"Service {service.Info.Name} of a non-interactive provider is offered by another source; it is not used.");
            }
        }

        return null;
    }

    private void TakeItem(scoped in RwfMsg msg)
    {
        CachedItem? item = _streams.Find(msg.StreamId);
        if (item is null && msg.MsgClass == MsgClass.Refresh && ItemDomain.IsKnown(msg.DomainType))
            item = Enter(msg);
        if (item is null)
            _host.Drop("a message for an item that was not published");
        else
            _host.Take(item, msg);
        if (item is { IsOver: true })
            Forget(msg.StreamId, item);
    }

    // The first image on a stream says which item it is.
    private CachedItem? Enter(scoped in RwfMsg msg)
    {
        if (!msg.Has(RefreshFlags.HasMsgKey) || !msg.Key.Has(MsgKeyFlags.HasName)
            || !_services.TryGetValue(msg.Key.ServiceId, out ServiceItems? service))
        {
            return null;
        }

        CachedItem item = service.Find(msg.Key.Name, msg.DomainType) ?? _host.Create(service, msg.Key.Name, msg.DomainType);
        item.Publishers++;
        item.StreamId = msg.StreamId;
        _streams.Add(msg.StreamId, item);
        _items.Add(item);
        return item;
    }

    private void Forget(int streamId, CachedItem item)
    {
        if (_streams.Find(streamId) is null)
            return;
        _streams.Remove(streamId);
        _items.Remove(item);
    }

    private HubService Describe(ListedService service) => new()
    {
        Offer = UpstreamSource.OfferOf(service),
        SourceHost = _host.Number,
        Owner = _source,
        Dictionary = _dictionary,
    };
}
