namespace PerfCommon.Sessions;

/// <content>What goes out beside the requests one by one: images for handles that came later, and many items by one request.</content>
internal sealed partial class WatchedItems
{
    private readonly Queue<int> _toReissue = new(); // streams
    private readonly Queue<(int Stream, int Count)> _toBatch = new(); // its own stream, and the items of those behind it
    private readonly Dictionary<int, int> _batches = []; // those that were sent: items of each stream

    /// <summary>True while anything waits that is sent beside the requests one by one.</summary>
    public bool HasErrands => _toClose.Count > 0 || _toReissue.Count > 0 || _toBatch.Count > 0;

    /// <summary>True when the part of an image that came last is its first.</summary>
    public bool BeginsImage(int item) => _items[item].BeginsImage;

    /// <summary>Has the image of an item sent once more, where it is here already.</summary>
    /// <returns>True for a handle that is to wait for it; false where the first is still to come.</returns>
    public bool AskImage(int item)
    {
        if (item >= _items.Count || _items[item] is not { HasImage: true } asked)
            return false;
        if (!asked.IsReissueDue)
            _toReissue.Enqueue(asked.Stream);
        return asked.IsReissueDue = true;
    }

    /// <summary>Has an item asked for once more, where it was asked for already.</summary>
    public void AskAnew(int item)
    {
        if (item >= _items.Count || _items[item] is not { IsRequested: true, IsClosed: false, IsReissueDue: false } asked)
            return;
        _toReissue.Enqueue(asked.Stream);
        asked.IsReissueDue = true;
    }

    /// <summary>The item whose image is to be sent once more; none whose stream is over.</summary>
    public bool TryPeekReissue(out int item)
    {
        item = None;
        while (_toReissue.TryPeek(out int stream) && (item = _itemOf[stream]) == None)
            _toReissue.Dequeue();
        return item != None;
    }

    public void TakeReissue() => _items[_itemOf[_toReissue.Dequeue()]].IsReissueDue = false;

    /// <summary>Wants items that are new or closed, and has them asked for by one request.</summary>
    public void WantTogether(ReadOnlySpan<int> items)
    {
        if (Streams == _itemOf.Length)
            Array.Resize(ref _itemOf, Streams * 2);
        _itemOf[Streams] = None;
        _toBatch.Enqueue((Streams++, items.Length));
        foreach (int item in items)
        {
            MakeRoom(item);
            TakeStream(item);
        }
    }

    /// <summary>The batch to be sent, if there is one; of one that has lost items the others are asked for one by one.</summary>
    /// <param name="stream">Its own stream, counted as those of items; the items of those behind it are in it.</param>
    /// <param name="count">How many they are.</param>
    public bool TryPeekBatch(out int stream, out int count)
    {
        while (_toBatch.TryPeek(out (int Stream, int Count) next))
        {
            (stream, count) = next;
            if (!_itemOf.AsSpan(stream + 1, count).Contains(None))
                return true;
            _toBatch.Dequeue();
            AskSingly(stream, count);
        }

        (stream, count) = (0, 0);
        return false;
    }

    public void TakeBatch()
    {
        (int stream, int count) = _toBatch.Dequeue();
        _batches[stream] = count;
        foreach (int item in _itemOf.AsSpan(stream + 1, count))
            _items[item].IsRequested = true;
    }

    /// <summary>The provider has answered a batch as such: it is over, each of its items goes on.</summary>
    /// <param name="stream">Its stream.</param>
    /// <param name="items">Those of its items that have kept their streams.</param>
    /// <returns>False when the stream is none of a batch.</returns>
    public bool TryEndBatch(int stream, out int[] items)
    {
        items = [];
        if (!_batches.Remove(stream, out int count))
            return false;
        items = [.. _itemOf[(stream + 1)..(stream + 1 + count)].Where(item => item != None)];
        return true;
    }

    /// <summary>The provider knows nothing of an item's stream: the item is asked for on another.</summary>
    public void AskAgain(int item)
    {
        Leave(_items[item]);
        Ask(item);
    }

    private void AskSingly(int stream, int count)
    {
        for (int at = stream + 1; at <= stream + count; at++)
        {
            if (_itemOf[at] != None)
                _toRequest.Enqueue(at);
        }
    }

    private void ForgetErrands()
    {
        _toReissue.Clear();
        _toBatch.Clear();
        _batches.Clear();
    }
}
