namespace PerfCommon.Sessions;

/// <content>Requests images for handles that were added later, and many items in one batch.</content>
internal sealed partial class WatchedItems
{
    private readonly Queue<int> _toReissue = new(); // streams
    private readonly Queue<(int Stream, int Count)> _toBatch = new(); // stream of the batch, and number of the items on the streams after it
    private readonly Dictionary<int, int> _batches = []; // the batches sent: number of items by stream

    /// <summary>True while requests wait other than those for single items.</summary>
    public bool HasPendingRequests => _toClose.Count > 0 || _toReissue.Count > 0 || _toBatch.Count > 0;

    /// <summary>True when the last received part of an image is its first.</summary>
    public bool BeginsImage(int item) => _items[item].BeginsImage;

    /// <summary>Requests the image of an item once more, if it has already arrived.</summary>
    /// <returns>True for a handle that must wait for it; false where the first image has not arrived.</returns>
    public bool RequestImage(int item)
    {
        if (item >= _items.Count || _items[item] is not { HasImage: true } asked)
            return false;
        if (!asked.IsReissueDue)
            _toReissue.Enqueue(asked.Stream);
        return asked.IsReissueDue = true;
    }

    /// <summary>Requests an item once more, if it was requested already.</summary>
    public void RequestAnew(int item)
    {
        if (item >= _items.Count || _items[item] is not { IsRequested: true, IsClosed: false, IsReissueDue: false } asked)
            return;
        _toReissue.Enqueue(asked.Stream);
        asked.IsReissueDue = true;
    }

    /// <summary>Returns the item whose image is to be requested once more; items whose stream has ended are skipped.</summary>
    public bool TryPeekReissue(out int item)
    {
        item = None;
        while (_toReissue.TryPeek(out int stream) && (item = _itemOf[stream]) == None)
            _toReissue.Dequeue();
        return item != None;
    }

    public void DequeueReissue() => _items[_itemOf[_toReissue.Dequeue()]].IsReissueDue = false;

    /// <summary>Subscribes to items that are new or closed, and requests them in one batch.</summary>
    public void WatchTogether(ReadOnlySpan<int> items)
    {
        if (Streams == _itemOf.Length)
            Array.Resize(ref _itemOf, Streams * 2);
        _itemOf[Streams] = None;
        _toBatch.Enqueue((Streams++, items.Length));
        foreach (int item in items)
        {
            MakeRoom(item);
            AllocateStream(item);
        }
    }

    /// <summary>Returns the next batch to be sent, if any; if it has lost items, the others are requested one by one.</summary>
    /// <param name="stream">Stream of the batch, numbered as those of items; its items are on the streams after it.</param>
    /// <param name="count">Number of items.</param>
    public bool TryPeekBatch(out int stream, out int count)
    {
        while (_toBatch.TryPeek(out (int Stream, int Count) next))
        {
            (stream, count) = next;
            if (!_itemOf.AsSpan(stream + 1, count).Contains(None))
                return true;
            _toBatch.Dequeue();
            RequestSingly(stream, count);
        }

        (stream, count) = (0, 0);
        return false;
    }

    public void DequeueBatch()
    {
        (int stream, int count) = _toBatch.Dequeue();
        _batches[stream] = count;
        foreach (int item in _itemOf.AsSpan(stream + 1, count))
            _items[item].IsRequested = true;
    }

    /// <summary>Completes a batch that the provider has answered; each of its items continues.</summary>
    /// <param name="stream">Its stream.</param>
    /// <param name="items">Those of its items that have kept their streams.</param>
    /// <returns>False when the stream is not that of a batch.</returns>
    public bool TryEndBatch(int stream, out int[] items)
    {
        items = [];
        if (!_batches.Remove(stream, out int count))
            return false;
        items = [.. _itemOf[(stream + 1)..(stream + 1 + count)].Where(item => item != None)];
        return true;
    }

    /// <summary>Requests an item on another stream, because the provider does not know its stream.</summary>
    public void RequestAgain(int item)
    {
        Leave(_items[item]);
        Request(item);
    }

    private void RequestSingly(int stream, int count)
    {
        for (int at = stream + 1; at <= stream + count; at++)
        {
            if (_itemOf[at] != None)
                _toRequest.Enqueue(at);
        }
    }

    private void DiscardPendingRequests()
    {
        _toReissue.Clear();
        _toBatch.Clear();
        _batches.Clear();
    }
}
