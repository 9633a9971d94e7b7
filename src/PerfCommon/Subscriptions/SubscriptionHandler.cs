using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;

namespace PerfCommon.Subscriptions;

/// <summary>Dispatches the events of a session to the subscriptions of its items. The reactor's thread, unless stated otherwise.</summary>
internal sealed class SubscriptionHandler : ConsumerHandler
{
    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<ItemSubscription> _subscriptions = []; // under the lock
    private SubscribedItem?[] _items = new SubscribedItem?[64]; // by handle
    private FieldDictionary? _dictionary;
    private Func<Exception>? _error; // under the lock
    private bool _hasEnded; // under the lock

    /// <summary>Completed when items can be requested for the first time. Any thread.</summary>
    public Task Ready => _ready.Task;

    /// <summary>Called when the connection is closed.</summary>
    public Action? OnLost { get; set; }

    /// <summary>Adds a subscription; false after the end, which it then has, too. Any thread.</summary>
    public bool TryAdd(ItemSubscription subscription)
    {
        lock (_lock)
        {
            if (_hasEnded)
                subscription.Buffer.End(_error);
            else
                _subscriptions.Add(subscription);
            return !_hasEnded;
        }
    }

    /// <summary>Ends all subscriptions, and those that are added later; the first end counts. Any thread.</summary>
    /// <param name="error">Creates the exception that their readers get after the last event; null for none.</param>
    /// <param name="isAtOnce">True when readers get none of the events that wait.</param>
    public void EndAll(Func<Exception>? error = null, bool isAtOnce = false)
    {
        lock (_lock)
        {
            if (!_hasEnded)
                _error = error;
            _hasEnded = true;
            foreach (ItemSubscription subscription in _subscriptions)
                subscription.Buffer.End(_error, isAtOnce);
        }

        if (error is not null)
            _ready.TrySetException(error());
    }

    /// <summary>Requests the items of a subscription.</summary>
    public void Open(ItemSubscription subscription)
    {
        if (subscription.Buffer.HasEnded)
            return;
        SubscriptionOptions options = subscription.Options;
        bool isUsual = options is { Domain: DomainType.MarketPrice, IsPrivate: false, View: null };
        int[] handles = isUsual
            ? Session.Subscribe(subscription.Names)
            : [.. subscription.Names.Select(name => Session.Subscribe(name, options.Domain, options.IsPrivate, options.View))];
        for (int i = 0; i < handles.Length; i++)
        {
            SubscribedItem item = new(subscription.Names[i], subscription) { Handle = handles[i] };
            if (item.Handle >= _items.Length)
                Array.Resize(ref _items, Math.Max(item.Handle + 1, _items.Length * 2));
            _items[item.Handle] = item;
            subscription.Open.Add(item);
        }

        if (handles.Length == 0)
            subscription.Buffer.End();
    }

    /// <summary>Closes the streams of a subscription's items, where no other one shares them.</summary>
    public void Close(ItemSubscription subscription)
    {
        lock (_lock)
            _subscriptions.Remove(subscription);
        foreach (SubscribedItem item in subscription.Open)
            Release(item);
        subscription.Open.Clear();
        Resume();
    }

    /// <summary>Reads the connection again, unless a buffer is still full.</summary>
    public void Resume()
    {
        bool isFull;
        lock (_lock)
            isFull = _subscriptions.Any(subscription => subscription.Buffer is { IsFull: true, HasEnded: false });
        if (!isFull && Session.IsOpen)
            Session.Channel.HoldReading(false);
    }

    protected internal override void OnReady()
    {
        _dictionary = Session.Dictionary;
        _ready.TrySetResult();
    }

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        bool isComplete = refresh.Has(RefreshFlags.RefreshComplete);
        RwfState state = refresh.State;
        Add(
            item,
            new()
            {
                Kind = ItemEventKind.Refresh,
                IsComplete = isComplete,
                State = state,
                ContainerType = refresh.ContainerType,
                Payload = refresh.Payload,
            },
            isLast: DomainMsg.IsFinal(state) || (isComplete && state.StreamState == StreamState.NonStreaming));
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update) => Add(
        item, new() { Kind = ItemEventKind.Update, IsComplete = true, ContainerType = update.ContainerType, Payload = update.Payload },
        isLast: false);

    protected internal override void OnStatus(int item, scoped in RwfMsg status)
    {
        if (status.Has(StatusFlags.HasState)) // others change no state
            OnItemState(item, status.State);
    }

    protected internal override void OnItemState(int item, scoped in RwfState state) => Add(
        item, new() { Kind = ItemEventKind.Status, IsComplete = true, State = state, ContainerType = DataType.NoData },
        isLast: DomainMsg.IsFinal(state));

    // What the provider still sends is read to its end.
    protected internal override void OnFinishing() => Session.Channel.HoldReading(false);

    protected internal override void OnClosed(CloseReason reason) => OnLost?.Invoke();

    private void Add(int handle, scoped in Arrival arrival, bool isLast)
    {
        if (handle >= _items.Length || _items[handle] is not { } item)
            return;
        if (item.Subscription.Buffer.Add(item, arrival, _dictionary!))
            Session.Channel.HoldReading(true);
        if (isLast)
            End(item);
    }

    private void End(SubscribedItem item)
    {
        ItemSubscription subscription = item.Subscription;
        subscription.Open.Remove(item);
        Release(item);
        if (subscription.Open.Count == 0)
            subscription.Buffer.End();
    }

    private void Release(SubscribedItem item)
    {
        _items[item.Handle] = null; // the number may become another item's
        Session.Release(item.Handle);
    }
}
