using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>Answers the requests for images alone, of items whose image was not there: as far as the rings have space.</summary>
/// <param name="items">The items of the thread.</param>
/// <param name="images">Encodes the images.</param>
/// <param name="broadcaster">Sends them.</param>
internal sealed class SnapshotAnswers(ItemCache items, ItemImages images, Broadcaster broadcaster)
{
    private readonly Queue<CachedItem> _toAnswer = new();
    private readonly List<(int ConsumerIndex, StreamAddress Address)> _answered = [];

    /// <summary>True while answers wait for space.</summary>
    public bool IsWaiting => _toAnswer.Count > 0;

    /// <summary>Adds a request, which is answered by the next image.</summary>
    public static void Add(CachedItem item, int session, StreamAddress address, ItemForm form) =>
        (item.Snapshots ??= new()).Streams.Add((session, address), form);

    /// <summary>Removes a request: the consumer that waits is gone, or has closed the stream; the image may be under way.</summary>
    public void Withdraw(CachedItem? item, int session, StreamAddress address)
    {
        if (item?.Snapshots?.Streams is { } waiting && waiting.Remove((session, address)) && waiting.Count == 0)
            End(item);
    }

    /// <summary>Answers all requests of an item that has its image, or has ended.</summary>
    public void Answer(CachedItem item)
    {
        if (item.Snapshots is not { Streams: var waiting })
            return;
        foreach (((int session, StreamAddress address), ItemForm form) in waiting)
        {
            if (!broadcaster.HasRoom())
                break;
            broadcaster.Send(session, SourceRecord.Answer, item.Slot, address, images.EncodeSnapshot(item, form, address.StreamId));
            _answered.Add((session, address));
        }

        _answered.ForEach(one => waiting.Remove(one));
        _answered.Clear();
        if (waiting.Count > 0)
            _toAnswer.Enqueue(item);
        else
            End(item);
    }

    /// <summary>Continues with the answers that wait for space.</summary>
    public void AnswerWaiting()
    {
        while (_toAnswer.Count > 0 && broadcaster.HasRoom())
            Answer(_toAnswer.Dequeue());
    }

    private void End(CachedItem item)
    {
        item.Snapshots = null;
        items.Leave(item);
    }
}
