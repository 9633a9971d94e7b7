using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;

namespace PerfCommon.Sessions;

/// <summary>
/// Tracks the items of a watchlist: which are to be requested, and the stream of each. It outlives single connections.
/// </summary>
/// <remarks>
/// Each request has a separate stream, so that no message of an earlier one is mistaken for an answer. One owner thread.
/// No allocation for a message.
/// </remarks>
internal sealed partial class WatchedItems
{
    /// <summary>Wait of an item that was refused before it had an image, or soon after it; doubled after each such loss.</summary>
    public const long UsualFirstRetryNanos = Clock.NanosPerSecond / 2;

    /// <summary>The longest wait.</summary>
    public const long UsualMaxRetryNanos = 30 * Clock.NanosPerSecond;

    private const int None = -1;

    private readonly List<Item> _items = [];
    private readonly Queue<int> _toRequest = new(); // streams; those that belong to no item any more are skipped
    private readonly PriorityQueue<int, long> _toRetry = new(); // items, by the time at which they are due
    private readonly long _firstRetryNanos;
    private readonly long _maxRetryNanos;
    private readonly Queue<(int StreamId, DomainType Domain)> _toClose = new(); // streams, and the domains of their items
    private int[] _itemOf = new int[64]; // by stream, counted from the first

    /// <param name="count">Number of items that are subscribed from the beginning.</param>
    /// <param name="firstRetryNanos">The first wait of an item that is refused.</param>
    /// <param name="maxRetryNanos">The longest wait.</param>
    public WatchedItems(int count, long firstRetryNanos = UsualFirstRetryNanos, long maxRetryNanos = UsualMaxRetryNanos)
    {
        (_firstRetryNanos, _maxRetryNanos) = (firstRetryNanos, maxRetryNanos);
        for (int item = 0; item < count; item++)
            Watch(item);
    }

    /// <summary>The handles of the items.</summary>
    public ItemHandles Handles { get; } = new();

    /// <summary>Number of items, closed ones included.</summary>
    public int Count => _items.Count;

    /// <summary>Number of streams of this connection so far.</summary>
    public int Streams { get; private set; }

    /// <summary>True while items wait to be requested.</summary>
    public bool HasRequests => _toRequest.Count > 0;

    /// <summary>True while streams wait to be closed.</summary>
    public bool HasCloses => _toClose.Count > 0;

    /// <summary>The time at which the next refused item is due; far away for none.</summary>
    public long NextRetryNanos => _toRetry.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    /// <summary>Starts a connection: every subscribed item is requested, in their order.</summary>
    /// <param name="firstStream">The first stream, counted from that of the first item.</param>
    public void Begin(int firstStream)
    {
        (Streams, _itemOf) = (0, new int[Math.Max(_items.Count + firstStream, 64)]);
        for (; Streams < firstStream; Streams++)
            _itemOf[Streams] = None;
        _toRequest.Clear();
        _toRetry.Clear();
        _toClose.Clear();
        DiscardPendingRequests();
        for (int item = 0; item < _items.Count; item++)
        {
            if (!_items[item].IsClosed)
                Request(item);
        }
    }

    /// <summary>Subscribes to an item that is new or closed.</summary>
    public void Watch(int item)
    {
        MakeRoom(item);
        Request(item);
    }

    /// <summary>Unsubscribes from an item: its open stream is closed.</summary>
    public void Remove(int item)
    {
        if (_items[item].IsRequested)
            EnqueueClose(item);
        Close(item);
    }

    /// <summary>Dequeues the next item to request; its stream is known.</summary>
    public int DequeueNext()
    {
        int item = _itemOf[_toRequest.Dequeue()];
        _items[item].IsRequested = true;
        SkipClosed();
        return item;
    }

    /// <summary>Returns a stream to be closed, if any.</summary>
    /// <param name="streamId">The stream.</param>
    /// <param name="domain">The domain of its item.</param>
    public bool TryPeekClose(out int streamId, out DomainType domain)
    {
        bool found = _toClose.TryPeek(out (int StreamId, DomainType Domain) first);
        (streamId, domain) = first;
        return found;
    }

    /// <summary>Returns the streams to be closed that are of one domain, and fit.</summary>
    /// <returns>Number of streams.</returns>
    public int PeekCloses(Span<int> streamIds)
    {
        int count = 0;
        foreach ((int streamId, DomainType domain) in _toClose)
        {
            if (count == streamIds.Length || domain != _toClose.Peek().Domain)
                break;
            streamIds[count++] = streamId;
        }

        return count;
    }

    public void DequeueClose() => _toClose.Dequeue();

    /// <summary>Returns the item of a stream; -1 for a stream that has ended.</summary>
    /// <param name="stream">Counted from that of the first item, 0 to <see cref="Streams"/> - 1.</param>
    public int ItemOf(int stream) => _itemOf[stream];

    /// <summary>Returns the stream of an item; 0 for none.</summary>
    public int StreamIdOf(int item) => _items[item].Stream == None ? 0 : StreamIds.FirstItem + _items[item].Stream;

    /// <summary>True when an item was requested and neither refused nor closed since.</summary>
    public bool IsOpen(int item) => _items[item] is { IsRequested: true, IsClosed: false };

    /// <summary>Records an item's image, or a part of it.</summary>
    public void RecordImage(int item, bool isComplete = true)
    {
        Item noted = _items[item];
        noted.BeginsImage = !noted.IsMidImage;
        (noted.HasImage, noted.IsMidImage) = (true, !isComplete);
    }

    /// <summary>
    /// Handles the end of a subscribed item's stream: the item is requested again, at once when it had its image and stayed open longer
    /// than its wait; else after a wait that doubles.
    /// </summary>
    public void RecordLoss(int item, long nowNanos)
    {
        Item lost = _items[item];
        if (lost.HasImage && nowNanos - lost.RequestedNanos >= lost.WaitNanos)
            lost.WaitNanos = 0;
        bool isAtOnce = lost is { HasImage: true, WaitNanos: 0 };
        Leave(lost);
        lost.WaitNanos = lost.WaitNanos == 0 ? _firstRetryNanos : lost.WaitNanos;
        if (isAtOnce)
        {
            lost.RequestedNanos = nowNanos;
            Request(item);
            return;
        }

        lost.RequestedNanos = lost.RetryNanos = nowNanos + lost.WaitNanos;
        lost.WaitNanos = Math.Min(lost.WaitNanos * 2, _maxRetryNanos);
        _toRetry.Enqueue(item, lost.RetryNanos);
    }

    /// <summary>Requests an item on another stream; its current one is closed.</summary>
    public void Renew(int item)
    {
        EnqueueClose(item);
        Leave(_items[item]);
        Request(item);
    }

    /// <summary>Requests the items whose wait is over.</summary>
    public void Retry(long nowNanos)
    {
        while (_toRetry.TryPeek(out int item, out long dueNanos) && dueNanos <= nowNanos)
        {
            _toRetry.Dequeue();
            if (_items[item].RetryNanos == dueNanos) // or it was closed, and the number may belong to another by now
                Request(item);
        }
    }

    /// <summary>Records that the provider has ended an item for good.</summary>
    public void Close(int item)
    {
        Item closed = _items[item];
        if (closed.IsClosed)
            return;
        Leave(closed);
        (closed.IsClosed, closed.WaitNanos, closed.RequestedNanos) = (true, 0, 0);
    }

    private void EnqueueClose(int item) => _toClose.Enqueue((StreamIdOf(item), Handles.DomainOf(item)));

    private void SkipClosed()
    {
        while (_toRequest.TryPeek(out int stream) && _itemOf[stream] == None)
            _toRequest.Dequeue();
    }

    private void MakeRoom(int item)
    {
        while (_items.Count <= item)
            _items.Add(new Item());
    }

    private void Request(int item) => _toRequest.Enqueue(AllocateStream(item));

    private int AllocateStream(int item)
    {
        if (Streams == _itemOf.Length)
            Array.Resize(ref _itemOf, Streams * 2);
        Item asked = _items[item];
        (asked.IsClosed, asked.IsRequested, asked.RetryNanos) = (false, false, 0);
        (asked.HasImage, asked.IsMidImage, asked.IsReissueDue) = (false, false, false);
        _itemOf[Streams] = item;
        return asked.Stream = Streams++;
    }

    private void Leave(Item item)
    {
        if (item.Stream != None)
            _itemOf[item.Stream] = None;
        (item.Stream, item.IsRequested, item.HasImage, item.RetryNanos) = (None, false, false, 0);
        SkipClosed();
    }

    private sealed class Item
    {
        public int Stream { get; set; } = None;

        public bool IsRequested { get; set; }

        public bool HasImage { get; set; }

        public bool IsMidImage { get; set; } // a part of it has not arrived yet

        public bool BeginsImage { get; set; } // the last part that arrived was the first

        public bool IsReissueDue { get; set; } // the image is to be requested once more

        public bool IsClosed { get; set; } = true;

        public long RetryNanos { get; set; } // 0 for not refused

        public long WaitNanos { get; set; } // of its next loss; 0 for none

        public long RequestedNanos { get; set; } // after its last loss
    }
}
