using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>
/// Measures the messages of one connection: decodes every field, measures latency, separates the phases of the run, counts.
/// </summary>
/// <param name="options">Stamps and strictness.</param>
/// <param name="recording">The recording of the connection's worker.</param>
/// <param name="images">The time at which all workers have their images; shared by them.</param>
/// <param name="plan">What is sent in addition; null for nothing.</param>
/// <param name="unknownFields">The fields that the dictionary lacks; shared by all workers. Null for a private one.</param>
/// <param name="clock">The clock of the provider; null when it is this host's.</param>
internal sealed class ConsumerMeasure(
    ConsPerfOptions options, WorkerRecording recording, ImageClock images, ConsumerPlan? plan = null, UnknownFields? unknownFields = null,
    PeerClock? clock = null)
        : ConsumerHandler
{
    private const long NanosPerMicro = 1_000;
    private const long NanosPerMilli = 1_000_000;
    private const long HalfTickNanos = NanosPerMilli / 2; // of the usual tick

    private readonly CounterSet _counters = recording.Counters;
    private readonly LatencySeries _latency = recording[Series.Updates];
    private readonly StampRecorder? _postLatency = plan is { Posts.IsOn: true }
        ? new(recording, TimeSource.System, Series.Posts) : null;
    private readonly StampRecorder _genericLatency = new(recording, TimeSource.System, Series.Generic);
    private readonly PeerStamps? _peerStamps = clock is null ? null : new(clock, options.Session.StampUnit(), recording.Counters);
    private readonly long _steadyDelayNanos = options.DelaySteadyStateMillis * NanosPerMilli;
    private readonly long _steadyNanos = options is { Snapshot: false, SteadyStateSeconds: > 0 and int seconds }
        ? seconds * Clock.NanosPerSecond : 0;
    private ConsumerItems? _items;
    private UpdateOrder? _order; // null until an image has a count (-updateSize of its provider)
    private ConsumerDecoder? _decoder;
    private ConsumerLoad? _load;
    private long _steadyFromNanos = long.MaxValue;
    private bool _isComplete;
    private bool _hasUpdates;
    private bool _hasGenerics;
    private bool _isPost; // whether the update being decoded is a post
    private bool _isOthersPost;
    private bool _isDraining;
    private long _updates; // since they were last added to the counters

    protected override bool WantsTicks => _isComplete && !_isDraining && _load is { IsOn: true };

    protected override bool IsBlocked => _load is { IsBlocked: true };

    protected override void OnLoggedIn()
    {
        if (plan is { Posts.IsOn: true } && !Session.AcceptsPosts)
            Session.Fail(ConsumerFailureKind.PostsNotAccepted, "the provider does not support posting, as its login refresh says");
    }

    protected override void OnReady()
    {
        _decoder = new ConsumerDecoder(options, Session, unknownFields ?? new UnknownFields());
        // they outlive a connection that another follows
        _items ??= new ConsumerItems(Session.ItemCount, Session.Recording);
        _load?.Discard();
        _load = plan is null ? null : new ConsumerLoad(plan, Session);
        if (_items.Missing == 0)
            CompleteImages();
    }

    protected override void OnPriming(scoped in RwfMsg refresh) => _decoder!.DecodeUncounted(refresh);

    protected override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        _counters.Add(Counter.RefreshesReceived, 1);
        if (!_decoder!.TryDecode(refresh))
            return;
        ItemChange change = ItemChanges.Of(refresh);
        if (change == ItemChange.Image && _items!.IsLost(item))
            _load?.Follow(item); // on its present stream
        if (change == ItemChange.Image)
        {
            UpdateOrder.Begin(ref _order, Session, item, refresh);
            RecordImage(item, refresh.State.StreamState == StreamState.NonStreaming);
        }
        else
        {
            RecordChange(item, change);
        }

        if (change == ItemChange.Suspect)
            _counters.Add(Counter.SuspectRefreshes, 1);
        else if (change == ItemChange.Closed && _items!.Missing > 0)
            FailClosed(item, refresh.State);
    }

    protected override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        if (_updates++ == 0 && !_hasUpdates)
            RecordFirstUpdate();
        if (_order is { } order && !_isPost) // a post has no count
            order.Record(item, update);
        if (!ConsumerDecoder.Accepts(update.ContainerType))
            return; // the decoder still keeps the stamps of another message
        if (_decoder!.TryDecodeUpdate(update) && _decoder.HasStamp)
            RecordStamps(_decoder);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RecordStamps(ConsumerDecoder decoder)
    {
        if (decoder.Stamp(StampFields.UpdateIndex) is var stamp and not 0)
            RecordLatency(stamp);
        if (decoder.Stamp(StampFields.PostIndex) is var posted and not 0)
            RecordPost(posted);
    }

    protected override void OnFullUpdate(int item, scoped in RwfMsg update)
    {
        PostUser poster = new(update.PostUserAddress, update.PostUserId);
        _isPost = update.IsPostedUpdate;
        _isOthersPost = _isPost && poster != Session.Poster;
        OnUpdate(item, new UpdateHeader(update));
        _isPost = _isOthersPost = false;
    }

    protected override void OnStatus(int item, scoped in RwfMsg status)
    {
        _counters.Add(Counter.StatusesReceived, 1);
        ItemChange change = ItemChanges.Of(status);
        RecordChange(item, change);
        if (change == ItemChange.Closed)
            FailClosed(item, status.State);
    }

    protected override void OnItemState(int item, scoped in RwfState state)
    {
        ItemChange change = ItemChanges.Of(state);
        RecordChange(item, change);
        if (change == ItemChange.Closed && _items!.IsOpen(item))
            FailClosed(item, state);
    }

    protected override void OnGeneric(int item, scoped in RwfMsg message)
    {
        if (!_hasGenerics)
            RecordFirstGeneric();
        _counters.Add(Counter.GenericReceived, 1);
        if (_isDraining)
            _counters.Add(Counter.DrainedGeneric, 1);
        if (!ConsumerDecoder.Accepts(message.ContainerType) || !_decoder!.TryDecode(message))
            return;
        if (_decoder.Stamp(StampFields.GenericIndex) is var stamp and not 0)
            RecordGeneric(stamp);
    }

    protected override void OnAck(int item, scoped in RwfMsg ack) => _counters.Add(Counter.MessagesDropped, 1);

    protected override bool OnTick(in TickInfo tick) => _load!.Begin(tick);

    protected override void OnContinue() => _load?.Send();

    protected override void OnBatchEnd()
    {
        long now = Clock.NowNanos;
        if (!_isDraining && _steadyNanos > 0 && images.IsComplete && now >= images.CompleteNanos + _steadyNanos)
            EndSteadyState();
        CountUpdates(now);
        if (_isComplete && _steadyFromNanos == long.MaxValue && !_isDraining)
            BeginSteadyState(now + HalfTickNanos);
    }

    protected override void OnFinishing()
    {
        CountUpdates(Clock.NowNanos); // earlier updates belong to what was measured
        _isDraining = true;
        _load?.Discard();
    }

    private void FailClosed(int item, scoped in RwfState state)
    {
        if (!_isDraining)
        {
            Session.Fail(ConsumerFailureKind.ItemClosed,
                $"received unexpected final state for stream {Session.StreamIdOf(item)}: {ItemChanges.Describe(state)}");
        }
    }

    // What a provider says of its items after the end is no loss.
    private void RecordChange(int item, ItemChange change)
    {
        if (!_isDraining)
            _items!.Record(item, change);
        if (change == ItemChange.Closed)
            _load?.Leave(item);
    }

    private void RecordFirstUpdate()
    {
        _hasUpdates = true;
        recording.RecordFirst(Moment.FirstUpdate, Clock.NowNanos);
    }

    private void RecordFirstGeneric()
    {
        _hasGenerics = true;
        recording.RecordFirst(Moment.FirstGenericReceived, Clock.NowNanos);
    }

    private void RecordImage(int item, bool isLast)
    {
        bool isComplete = _items!.Missing == 0;
        _items.RecordImage(item, isLast);
        if (!isComplete && _items.Missing == 0 && !_isDraining)
            CompleteImages();
    }

    private void CompleteImages()
    {
        _isComplete = true;
        recording.RecordFirst(Moment.RefreshesComplete, Clock.NowNanos);
    }

    // Messages queued after the last image belong to the start-up. Half a tick later, so that this edge and the other one, whole ticks later, lie
    // between two bursts: a burst that is read a little early or late stays on its side.
    private void BeginSteadyState(long nowNanos)
    {
        _steadyFromNanos = nowNanos;
        recording.RecordFirst(Moment.SteadyBegan, nowNanos);
        if (Session.ItemCount > 0)
            images.Report(nowNanos);
    }

    // A whole number of ticks after its beginning, whenever the main thread ends the run.
    private void EndSteadyState()
    {
        recording.RecordFirst(Moment.End, images.CompleteNanos + _steadyNanos);
        _isDraining = true;
    }

    private void RecordLatency(ulong stamp)
    {
        long nowNanos = Clock.NowNanos;
        long now = options.Session.NanoTime ? nowNanos : nowNanos / NanosPerMicro;
        long sent = (long)stamp;
        if (_peerStamps is { } stamps && !stamps.TryRead(stamp, nowNanos, out sent))
            return;
        _latency.Record(PhaseOf(nowNanos, _steadyFromNanos), PhaseOf(nowNanos, images.CompleteNanos), now - sent);
        recording.RecordSample(Series.Updates, sent, now);
    }

    // A post of another consumer is an update like any other, but its stamp is of that consumer's clock.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RecordPost(ulong stamp)
    {
        if (!_isOthersPost)
            _postLatency?.Record(stamp);
    }

    private void RecordGeneric(ulong stamp)
    {
        _counters.Add(Counter.GenericStampsReceived, 1);
        long sent = (long)stamp;
        if (_peerStamps is null || _peerStamps.TryRead(stamp, Clock.NowNanos, out sent))
            _genericLatency.Record((ulong)sent);
    }

    private RunPhase PhaseOf(long nowNanos, long steadyNanos)
    {
        if (nowNanos <= steadyNanos)
            return RunPhase.Startup;
        return nowNanos - steadyNanos > _steadyDelayNanos ? RunPhase.Steady : RunPhase.Between;
    }

    private void CountUpdates(long nowNanos)
    {
        if (_updates == 0)
            return;
        bool isSteady = nowNanos >= _steadyFromNanos;
        _counters.Add(_isDraining ? Counter.DrainedUpdates : isSteady ? Counter.SteadyUpdates : Counter.StartupUpdates, _updates);
        if (isSteady && !_isDraining && nowNanos < images.CompleteNanos)
            _counters.Add(Counter.AheadUpdates, _updates);
        _updates = 0;
    }
}
