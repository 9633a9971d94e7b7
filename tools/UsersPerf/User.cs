using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace UsersPerf;

/// <summary>One simulated user: it connects, requests its items, and then receives their updates.</summary>
internal sealed class User : ConsumerHandler
{
    private readonly UserThread _thread;
    private readonly CounterSet _counters;
    private readonly SizedSequence[] _items;
    private int _missing;
    private int _nextPost = -1;
    private bool _isLoggedIn;
    private bool _isLeaving;
    private long _updates; // since they were last added to the counters
    private long _bytes;

    /// <summary>Starts the log-in of a user.</summary>
    /// <param name="thread">Records what the user receives.</param>
    /// <param name="plan">The plan of all users.</param>
    /// <param name="worker">The worker of the user's thread.</param>
    /// <param name="number">The user's number over all parts, from 0.</param>
    public User(UserThread thread, UserPlan plan, Worker worker, int number)
        : this(thread)
    {
        Number = number;
        Connection = new RecoveringConsumer(worker, plan.CreateSession(number), this, plan.ConnectOf(number), UserPlan.RecoveryOf(number));
    }

    /// <summary>Creates a user without a connection.</summary>
    internal User(UserThread thread)
    {
        (_thread, _counters, _items) = (thread, thread.Recording.Counters, new SizedSequence[thread.Subscriptions]);
        Clear();
    }

    /// <summary>The user's connection; null for a user of a test.</summary>
    public RecoveringConsumer? Connection { get; }

    /// <summary>The user's number over all parts, from 0.</summary>
    public int Number { get; }

    /// <summary>Number of times that the user has become complete or incomplete so far: odd while it has all its images.</summary>
    public int Entries { get; private set; }

    /// <summary>Posts to the user's next item.</summary>
    /// <returns>False while no output buffer is free.</returns>
    public bool TryPost(FieldListTemplate fields, ulong stamp)
    {
        _nextPost = (_nextPost + 1) % _items.Length;
        if (!Session.TrySendPost(_nextPost, fields, stamp))
            return false;
        Session.Flush();
        _counters.Add(Counter.PostStampsSent, 1);
        return true;
    }

    protected override void OnConnectFailed(CloseReason reason) => _thread.RecordRetry(reason.Text);

    protected override void OnLoggedIn()
    {
        _isLoggedIn = true;
        if (!_thread.Reconnects)
            Session.StopRecovery(); // a connection lost from here on is not replaced
        if (_thread.Posts is { } posts && posts.IsBy(Number) && !Session.AcceptsPosts)
            Session.Fail(ConsumerFailureKind.PostsNotAccepted, "the provider does not support posting, as its login refresh says");
    }

    protected override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        _counters.Add(Counter.RefreshesReceived, 1);
        ItemChange change = ItemChanges.Of(refresh);
        if (change == ItemChange.Closed)
            RecordClosed(item);
        if (change != ItemChange.Image)
            return;
        bool isFirst = !_items[item].HasBegun;
        _items[item].Begin(refresh.ContainerType == DataType.FieldList ? SizedCount.OfImage(refresh.Payload) : SizedCount.None);
        if (!isFirst)
            return;
        _counters.Add(Counter.ItemsWithRefresh, 1);
        if (--_missing == 0)
            Enter();
    }

    protected override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        _updates++;
        _bytes += update.Message.Length;
        ulong stamp = 0;
        int count = SizedCount.None;
        if (update.ContainerType == DataType.FieldList)
            count = _thread.Decoder is { } decoder ? Decode(decoder, update, out stamp) : SizedCount.Read(update.Payload, out stamp);
        if (!_isLeaving)
            _thread.RecordUpdate(_thread.NowNanos, stamp);
        RecordOrder(item, count); // after the update was recorded: its faults belong to the same period
    }

    protected override void OnFullUpdate(int item, scoped in RwfMsg update)
    {
        if (!update.IsPostedUpdate)
        {
            OnUpdate(item, new UpdateHeader(update));
            return;
        }

        _updates++; // a user's post: not one of the source's updates, which have counts and stamps
        _bytes += update.Message.Length;
        if (_isLeaving)
            return;
        _thread.RecordUpdate(_thread.NowNanos, stamp: 0);
        bool isOwn = new PostUser(update.PostUserAddress, update.PostUserId) == Session.Poster;
        if (isOwn && update.ContainerType == DataType.FieldList && SizedCount.ReadPostStamp(update.Payload) is var posted and not 0)
            _thread.RecordPost(_thread.NowNanos, posted);
    }

    protected override void OnStatus(int item, scoped in RwfMsg status)
    {
        _counters.Add(Counter.StatusesReceived, 1);
        if (ItemChanges.Of(status) == ItemChange.Closed)
            RecordClosed(item);
    }

    protected override void OnBatchEnd()
    {
        if (_updates == 0)
            return;
        _counters.Add(_isLeaving ? Counter.DrainedUpdates : Counter.SteadyUpdates, _updates);
        _counters.Add(UserCounter.UpdateReads, 1);
        _counters.Add(Counter.BytesReceived, _bytes);
        _updates = _bytes = 0;
    }

    protected override void OnFinishing()
    {
        OnBatchEnd();
        _isLeaving = true;
        Leave();
    }

    protected override void OnClosed(CloseReason reason)
    {
        OnBatchEnd();
        Leave();
        if (Session.Failure is not { } failure)
            return;
        if (!_isLoggedIn && Session.WillBeFollowed)
            _thread.RecordRetry(failure.Text);
        else
            _thread.RecordFailure(failure);
        _isLoggedIn = false; // the next session has to log in
    }

    private static int Decode(FieldListDecoder decoder, scoped in UpdateHeader update, out ulong stamp)
    {
        stamp = decoder.Decode(update) == DecodeResult.Success ? decoder.Kept(StampFields.UpdateIndex) : 0;
        return SizedCount.Read(update.Payload, out _);
    }

    private void RecordOrder(int item, int count)
    {
        ref SizedSequence sequence = ref _items[item];
        if (!sequence.IsCounted)
            return;
        SequenceStep step = sequence.Receive(count, out int skipped);
        if (step != SequenceStep.Next)
            SequenceCounts.Add(_counters, step, skipped);
    }

    private void RecordClosed(int item)
    {
        if (!_isLeaving)
            Session.Fail(ConsumerFailureKind.ItemClosed, $"received unexpected final state for stream {Session.StreamIdOf(item)}");
    }

    private void Enter()
    {
        Entries++;
        _thread.CountIn(this);
    }

    // The user is no longer complete: a session that follows begins anew.
    private void Leave()
    {
        if (_missing == 0)
        {
            Entries++;
            _thread.CountOut();
        }

        Clear();
    }

    private void Clear()
    {
        _missing = _items.Length;
        Array.Clear(_items);
    }
}
