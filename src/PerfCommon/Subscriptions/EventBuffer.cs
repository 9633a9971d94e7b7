using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Subscriptions;

/// <summary>Events of one subscription on their way from the reactor's thread to the reader.</summary>
/// <param name="options">Its limit, and whether events are merged.</param>
internal sealed class EventBuffer(SubscriptionOptions options)
{
    private readonly Lock _lock = new();
    private readonly Queue<ItemEvent> _events = new();
    private readonly FieldListMerger _merger = new();
    private TaskCompletionSource? _waiting; // of the reader
    private Func<Exception>? _error;
    private bool _hasEnded;
    private bool _isFull;
    private long _bytes;
    private long _received;
    private long _delivered;
    private long _conflated;
    private long _unread;
    private long _pauses;

    /// <summary>Called by the reader's thread, without a lock, when the buffer was full and is not any more.</summary>
    public Action? OnRoom { get; init; }

    /// <summary>True from the event that exceeds the limit until half of the bytes are delivered. Any thread.</summary>
    public bool IsFull
    {
        get
        {
            lock (_lock)
                return _isFull;
        }
    }

    /// <summary>True once no more events are added. Any thread.</summary>
    public bool HasEnded
    {
        get
        {
            lock (_lock)
                return _hasEnded;
        }
    }

    /// <summary>The counts, all of one moment. Any thread.</summary>
    public SubscriptionCounts Counts
    {
        get
        {
            lock (_lock)
                return new(_received, _delivered, _conflated, _unread, _pauses);
        }
    }

    /// <summary>Adds an event, or merges it; the reactor's thread.</summary>
    /// <returns>True while the buffer is full.</returns>
    public bool Add(SubscribedItem item, scoped in Arrival arrival, FieldDictionary dictionary)
    {
        TaskCompletionSource? waiting;
        bool isFull;
        lock (_lock)
        {
            if (_hasEnded)
                return false;
            _received++;
            if (!options.Conflates || !TryConflate(item, arrival))
                Enqueue(item, arrival, dictionary);
            if (!_isFull && _bytes > options.BufferBytes)
            {
                _isFull = true;
                _pauses++;
            }

            isFull = _isFull;
            (waiting, _waiting) = (_waiting, null);
        }

        waiting?.TrySetResult();
        return isFull;
    }

    /// <summary>Returns the next event, and waits for it; null at the end. One reader.</summary>
    public async ValueTask<ItemEvent?> ReadAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Task wait = Task.CompletedTask;
            bool hasRoom = false;
            ItemEvent? next;
            lock (_lock)
            {
                next = Dequeue(ref hasRoom);
                if (next is null && _hasEnded)
                    return CreateEnd(cancellationToken);
                if (next is null)
                    wait = (_waiting ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }

            if (hasRoom)
                OnRoom?.Invoke();
            if (next is not null)
                return next;
            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Adds no more events; the first end counts. Any thread.</summary>
    /// <param name="error">Creates the exception that the reader gets after the last event; null for none.</param>
    /// <param name="isAtOnce">True when the reader gets none of the events that wait.</param>
    public void End(Func<Exception>? error = null, bool isAtOnce = false)
    {
        TaskCompletionSource? waiting;
        lock (_lock)
        {
            if (!_hasEnded)
                _error = error;
            _hasEnded = true;
            if (isAtOnce)
                _events.Clear();
            (waiting, _waiting) = (_waiting, null);
        }

        waiting?.TrySetResult();
    }

    // A cancelled reader gets that exception, even where the buffer has ended before.
    private ItemEvent? CreateEnd(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _error is null ? null : throw _error();
    }

    private ItemEvent? Dequeue(ref bool hasRoom)
    {
        while (_events.TryDequeue(out ItemEvent? next))
        {
            if (next.IsReplaced)
                continue;
            SubscribedItem item = next.Source;
            item.PendingData = item.PendingData == next ? null : item.PendingData;
            item.PendingStatus = item.PendingStatus == next ? null : item.PendingStatus;
            _bytes -= next.Bytes;
            _delivered++;
            _unread--;
            hasRoom = _isFull && _bytes <= options.BufferBytes / 2;
            _isFull &= !hasRoom;
            return next;
        }

        return null;
    }

    private void Enqueue(SubscribedItem item, scoped in Arrival arrival, FieldDictionary dictionary)
    {
        ItemEvent added = new(item, dictionary);
        added.Set(arrival);
        _events.Enqueue(added);
        _bytes += added.Bytes;
        _unread++;
        if (!options.Conflates)
            return;
        if (arrival.Kind == ItemEventKind.Status)
            item.PendingStatus = added;
        else
            item.PendingData = added;
        if (arrival.Kind == ItemEventKind.Refresh)
            item.PendingStatus = null; // a later status must not come before the state of this refresh
    }

    private bool TryConflate(SubscribedItem item, scoped in Arrival arrival) => arrival.Kind switch
    {
        ItemEventKind.Refresh => TryReplace(item, arrival),
        ItemEventKind.Update => TryMergeUpdate(item.PendingData, arrival),
        _ => TryMergeStatus(item.PendingStatus, arrival.State),
    };

    // A whole image is the newest state: nothing that waits is needed any more.
    private bool TryReplace(SubscribedItem item, scoped in Arrival refresh)
    {
        bool isWhole = refresh.IsComplete && !item.IsMidImage;
        item.IsMidImage = !refresh.IsComplete;
        if (!isWhole)
            return false;
        if (item.PendingStatus is { } status)
            Replace(item, status);
        if (item.PendingData is not { } pending)
            return false;
        _bytes -= pending.Bytes;
        pending.Set(refresh);
        Count(pending);
        return true;
    }

    private bool TryMergeUpdate(ItemEvent? pending, scoped in Arrival update)
    {
        if (pending is null || pending.ContainerType != DataType.FieldList || update.ContainerType != DataType.FieldList
            || !_merger.TryMerge(pending.Payload.Span, update.Payload, out ReadOnlySpan<byte> merged))
        {
            return false;
        }

        _bytes -= pending.Bytes;
        pending.SetPayload(merged);
        Count(pending);
        return true;
    }

    private bool TryMergeStatus(ItemEvent? pending, scoped in RwfState state)
    {
        if (pending is null)
            return false;
        _bytes -= pending.Bytes;
        DataState data = state.DataState == DataState.NoChange ? pending.DataState : state.DataState;
        pending.SetState(new RwfState(state.StreamState, data, state.Code, state.Text));
        Count(pending);
        return true;
    }

    private void Count(ItemEvent pending)
    {
        _bytes += pending.Bytes;
        _conflated++;
        pending.Conflated++;
    }

    // It stays in the queue, and is skipped there.
    private void Replace(SubscribedItem item, ItemEvent status)
    {
        status.IsReplaced = true;
        item.PendingStatus = null;
        _bytes -= status.Bytes;
        _unread--;
        _conflated++;
    }
}
