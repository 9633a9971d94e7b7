using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>One non-interactive provider's items in a source thread; its connection may belong to another thread.</summary>
/// <param name="host">The thread.</param>
internal sealed class NiProvider(UpstreamThread host)
{
    private readonly StreamMap<ItemRef> _streams = new();
    private readonly ItemReceiver _receiver = host.Receiver;
    private IEnumerator<int>? _leaving; // the streams still to be ended; null before it leaves

    /// <summary>Dispatches an update in its quick form.</summary>
    public void Receive(in UpdateHeader update)
    {
        if (_streams.Find(update.StreamId) is { Item: not null } item)
            _receiver.Receive(item, update);
        else
            _receiver.Drop("an update without an image");
    }

    /// <summary>Dispatches any other message of an item.</summary>
    /// <param name="msg">The message.</param>
    /// <param name="key">Its service, where it is an image that names its item; else none.</param>
    public void Receive(scoped in RwfMsg msg, ServiceKey key)
    {
        CachedItem? item = FindOrEnter(msg, key);
        if (item is null)
        {
            _receiver.Drop("a message for an item that was not published");
            return;
        }

        bool ends = DomainMsg.EndsStream(msg);
        if (ends && item.Publishers > 1)
            _receiver.CountUnused(msg.MsgClass); // other providers publish it
        else
            _receiver.Receive(item, msg);
        if (ends || item.IsOver)
            Remove(msg.StreamId, item);
    }

    /// <summary>Ends some of its streams after its connection has ended: items that no other provider publishes are lost.</summary>
    /// <param name="max">Maximum number of streams to visit.</param>
    /// <returns>False when none is left.</returns>
    public bool LeaveSome(int max)
    {
        _leaving ??= _streams.PositiveIds().GetEnumerator();
        for (int i = 0; i < max && host.Broadcaster.HasRoom(); i++)
        {
            if (!_leaving.MoveNext())
                return false;
            int streamId = -_leaving.Current; // found with either sign
            if (_streams.Find(streamId).Item is not { } item)
                continue;
            item.Publishers--;
            _receiver.LosePublisher(item);
        }

        return true;
    }

    // The first image on a stream names its item; so does one on a stream whose item has ended.
    private CachedItem? FindOrEnter(scoped in RwfMsg msg, ServiceKey key)
    {
        CachedItem? item = _streams.Find(msg.StreamId).Item;
        if (host.Items.HasStopped)
            return item;
        bool isOver = item is { IsOver: true };
        if (item is not null && !isOver)
            return item;
        if (msg.MsgClass != MsgClass.Refresh || DomainMsg.EndsStream(msg) || (key == default && !isOver))
            return item;
        ServiceItems? service = key == default ? item!.Service : host.Items.FindService(key);
        if (service is null)
            return null;
        ReadOnlySpan<byte> name = key == default ? item!.Name : msg.Key.Name;
        if (isOver)
            Remove(msg.StreamId, item!);
        return Enter(msg, service, name);
    }

    private CachedItem Enter(scoped in RwfMsg msg, ServiceItems service, ReadOnlySpan<byte> name)
    {
        CachedItem item = host.Items.Publish(service, name, msg.DomainType);
        item.StreamId = msg.StreamId;
        _streams.Add(msg.StreamId, ItemRef.To(item));
        return item;
    }

    private void Remove(int streamId, CachedItem item)
    {
        if (_streams.Find(streamId).Item is null)
            return;
        _streams.Remove(streamId);
        item.Publishers--;
    }
}
