using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>One simulated user: a connection, its items, and then it listens.</summary>
internal sealed class User : ConsumerHandler
{
    private const int NoImage = -1;

    private readonly UserThread _thread;
    private readonly CounterSet _counters;
    private readonly int[] _counts; // of its items: the count of the last update, or SizedCount.None
    private int _missing;
    private bool _isLeaving;
    private long _updates; // since they were booked last
    private long _bytes;

    /// <summary>Has the user log in.</summary>
    /// <param name="thread">Books what comes.</param>
    /// <param name="plan">What all users have in common.</param>
    /// <param name="worker">Whose thread it is on.</param>
    /// <param name="number">Number over all parts, from 0.</param>
    public User(UserThread thread, UserPlan plan, Worker worker, int number)
        : this(thread) =>
            Connection = new RecoveringConsumer(worker, plan.CreateSession(number), this, plan.ConnectOf(number), plan.Recovery);

    /// <summary>A user without a connection.</summary>
    internal User(UserThread thread)
    {
        (_thread, _counters, _counts) = (thread, thread.Recording.Counters, new int[thread.Subscriptions]);
        Forget();
    }

    /// <summary>What connects it; null for a user of a test.</summary>
    public RecoveringConsumer? Connection { get; }

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        _counters.Add(Counter.RefreshesReceived, 1);
        ItemChange change = MarketPriceConsumer.Classify(refresh);
        if (change == ItemChange.Closed)
            NoteClosed(item);
        if (change != ItemChange.Image)
            return;
        bool isFirst = _counts[item] == NoImage;
        _counts[item] = refresh.ContainerType == DataType.FieldList ? SizedCount.OfImage(refresh.Payload) : SizedCount.None;
        if (!isFirst)
            return;
        _counters.Add(Counter.ItemsWithRefresh, 1);
        if (--_missing == 0)
            _thread.NoteIn(1);
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        _updates++;
        _bytes += update.Message.Length;
        ulong stamp = 0;
        if (update.ContainerType == DataType.FieldList)
        {
            NoteOrder(item,
                _thread.Decoder is { } decoder ? Decode(decoder, update, out stamp) : SizedCount.Read(update.Payload, out stamp));
        }

        if (!_isLeaving)
            _thread.NoteUpdate(Clock.NowNanos, stamp);
    }

    protected internal override void OnFullUpdate(int item, scoped in RwfMsg update) => OnUpdate(item, new UpdateHeader(update));

    protected internal override void OnStatus(int item, scoped in RwfMsg status)
    {
        _counters.Add(Counter.StatusesReceived, 1);
        if (MarketPriceConsumer.Classify(status) == ItemChange.Closed)
            NoteClosed(item);
    }

    protected internal override void OnRunEnd()
    {
        if (_updates == 0)
            return;
        _counters.Add(_isLeaving ? Counter.DrainedUpdates : Counter.SteadyUpdates, _updates);
        _counters.Add(Counter.UpdateReads, 1);
        _counters.Add(Counter.BytesReceived, _bytes);
        _updates = _bytes = 0;
    }

    protected internal override void OnFinishing()
    {
        OnRunEnd();
        _isLeaving = true;
        Leave();
    }

    protected internal override void OnClosed(CloseReason reason)
    {
        OnRunEnd();
        Leave();
        if (Session.Failure is { } failure)
            _thread.NoteFailure(failure);
    }

    private static int Decode(FieldListDecoder decoder, scoped in UpdateHeader update, out ulong stamp)
    {
        stamp = decoder.Decode(update.Message, update.PayloadStart) == DecodeResult.Success ? decoder.Kept(StampFields.UpdateIndex) : 0;
        return SizedCount.Read(update.Payload, out _);
    }

    private void NoteOrder(int item, int count)
    {
        int before = _counts[item];
        if (before is SizedCount.None or NoImage)
            return;
        if (!SizedCount.Follows(count, before))
            _counters.Add(Counter.UpdatesOutOfOrder, 1);
        _counts[item] = count;
    }

    private void NoteClosed(int item)
    {
        if (!_isLeaving)
            Session.Fail(ConsumerFailureKind.ItemClosed, $"received unexpected final state for stream {Session.StreamIdOf(item)}");
    }

    // Not in any longer: a session that follows begins anew.
    private void Leave()
    {
        if (_missing == 0)
            _thread.NoteIn(-1);
        Forget();
    }

    private void Forget()
    {
        _missing = _counts.Length;
        Array.Fill(_counts, NoImage);
    }
}
