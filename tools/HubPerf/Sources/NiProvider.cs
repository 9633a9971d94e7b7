using PerfCommon.Codec;
using PerfCommon.Sessions;

namespace HubPerf.Sources;

/// <summary>What one non-interactive provider publishes of the items of a source thread; its connection may belong to another.</summary>
/// <param name="host">The thread.</param>
internal sealed class NiProvider(SourceHost host)
{
    private readonly StreamMap<ItemRef> _streams = new();
    private readonly List<CachedItem> _items = [];

    /// <summary>Takes an update in its quick form.</summary>
    public void Take(in UpdateHeader update)
    {
        if (_streams.Find(update.StreamId) is { Item: not null } item)
            host.Take(item, update);
        else
            host.Drop("an update without an image");
    }

    /// <summary>Takes any other message of an item.</summary>
    /// <param name="msg">The message.</param>
    /// <param name="serviceId">The hub's id of its service, where it is an image that names its item; else 0.</param>
    public void Take(scoped in RwfMsg msg, ushort serviceId)
    {
        CachedItem? item = _streams.Find(msg.StreamId).Item;
        if (item is null && serviceId != 0)
            item = Enter(msg, host.FindService(serviceId)!);
        if (item is null)
            host.Drop("a message for an item that was not published");
        else
            host.Take(item, msg);
        if (item is { IsOver: true })
            Forget(msg.StreamId, item);
    }

    /// <summary>Its connection is over: what no other publishes is lost.</summary>
    public void Leave() => host.Publishers.Lose(_items, host);

    // The first image on a stream says which item it is.
    private CachedItem Enter(scoped in RwfMsg msg, ServiceItems service)
    {
        CachedItem item = service.Find(msg.Key.Name, msg.DomainType) ?? host.Create(service, msg.Key.Name, msg.DomainType);
        item.Publishers++;
        item.StreamId = msg.StreamId;
        _streams.Add(msg.StreamId, ItemRef.To(item));
        _items.Add(item);
        return item;
    }

    private void Forget(int streamId, CachedItem item)
    {
        if (_streams.Find(streamId).Item is null)
            return;
        _streams.Remove(streamId);
        _items.Remove(item);
    }
}
