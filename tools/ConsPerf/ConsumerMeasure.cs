using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>What ConsPerf makes of what comes on one connection: decodes every field, measures latency, tells the phases of the run apart, counts.</summary>
/// <param name="options">Stamps and strictness.</param>
/// <param name="recording">Where it is recorded; of the connection's worker.</param>
/// <param name="images">When all workers have their images; shared by them.</param>
/// <param name="plan">What is sent besides; null for nothing.</param>
internal sealed class ConsumerMeasure(ConsPerfOptions options, WorkerRecording recording, ImageClock images, ConsumerPlan? plan = null) : ConsumerHandler
{
    private const long NanosPerMicro = 1_000;
    private const long NanosPerMilli = 1_000_000;
    private const long HalfTickNanos = NanosPerMilli / 2; // of the usual tick

    private readonly CounterSet _counters = recording.Counters;
    private readonly LatencySeries _latency = recording[Series.Updates];
    private readonly StampRecorder? _postLatency = plan is { Posts.IsOn: true } ? new(recording, TimeSource.System, Series.Posts, StampedKind.Post) : null;
    private readonly StampRecorder _genericLatency = new(recording, TimeSource.System, Series.Generic, StampedKind.Generic);
    private readonly bool _nanoStamps = options.Session.NanoTime;
    private readonly long _steadyDelayNanos = options.DelaySteadyStateMillis * NanosPerMilli;
    private readonly long _steadyNanos = options is { Snapshot: false, SteadyStateSeconds: > 0 and int seconds } ? seconds * Clock.NanosPerSecond : 0;
    private bool[] _hasImage = [];
    private int _missing;
    private FieldListDecoder? _decoder;
    private ConsumerLoad? _load;
    private long _steadyFromNanos = long.MaxValue;
    private bool _isComplete;
    private bool _hasUpdates;
    private bool _hasGenerics;
    private bool _isOthersPost; // the update that is decoded now
    private bool _isDraining;
    private long _updates; // since they were booked last

    protected internal override bool WantsTicks => _isComplete && !_isDraining && _load is { IsOn: true };

    protected internal override bool IsBlocked => _load is { IsBlocked: true };

    protected internal override void OnLoggedIn()
    {
        if (plan is { Posts.IsOn: true } && !Session.TakesPosts)
            Session.Fail(ConsumerFailureKind.PostsNotTaken, "the provider does not support posting, as its login refresh says");
    }

    protected internal override void OnReady()
    {
        _decoder = new FieldListDecoder(Session.Dictionary.Types, StampFields.First, StampFields.Count);
        _hasImage = new bool[Session.ItemCount];
        _missing = _hasImage.Length;
        _load = plan is null ? null : new ConsumerLoad(plan, Session);
        if (_missing == 0)
            CompleteImages();
    }

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        _counters.Add(Counter.RefreshesReceived, 1);
        if (!TryDecode(refresh.ContainerType, refresh.Message, refresh.PayloadStart))
            return;
        ItemChange change = MarketPriceConsumer.Classify(refresh);
        if (change == ItemChange.Image)
            NoteImage(item);
        else if (change == ItemChange.Closed && _missing > 0)
            FailClosed(refresh);
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        if (_updates++ == 0 && !_hasUpdates)
            NoteFirstUpdate();
        if (update.ContainerType != DataType.FieldList)
            return; // what the decoder kept is of another message
        if (!TryDecode(update.ContainerType, update.Message, update.PayloadStart))
            return;
        if (_decoder!.Kept(StampFields.UpdateIndex) is var stamp and not 0)
            RecordLatency(stamp);
        if (_decoder.Kept(StampFields.PostIndex) is var posted and not 0)
            RecordPost(posted);
    }

    protected internal override void OnFullUpdate(int item, scoped in RwfMsg update)
    {
        PostUser poster = new(update.PostUserAddress, update.PostUserId);
        _isOthersPost = update.Has(UpdateFlags.HasPostUserInfo) && poster != Session.Poster;
        OnUpdate(item, new UpdateHeader(update));
        _isOthersPost = false;
    }

    protected internal override void OnStatus(int item, scoped in RwfMsg status)
    {
        _counters.Add(Counter.StatusesReceived, 1);
        ItemChange change = MarketPriceConsumer.Classify(status);
        if (change == ItemChange.Closed)
            FailClosed(status);
    }

    protected internal override void OnGeneric(int item, scoped in RwfMsg message)
    {
        if (!_hasGenerics)
            NoteFirstGeneric();
        _counters.Add(Counter.GenericReceived, 1);
        if (_isDraining)
            _counters.Add(Counter.DrainedGeneric, 1);
        if (message.ContainerType != DataType.FieldList || !TryDecode(message.ContainerType, message.Message, message.PayloadStart))
            return;
        if (_decoder!.Kept(StampFields.GenericIndex) is var stamp and not 0)
            RecordGeneric(stamp);
    }

    protected internal override void OnAck(int item, scoped in RwfMsg ack) => _counters.Add(Counter.MessagesDropped, 1);

    protected internal override bool OnTick(in TickInfo tick) => _load!.Begin(tick);

    protected internal override void OnContinue() => _load?.Send();

    protected internal override void OnRunEnd()
    {
        long now = Clock.NowNanos;
        if (!_isDraining && _steadyNanos > 0 && images.IsComplete && now >= images.CompleteNanos + _steadyNanos)
            EndSteadyState();
        BookUpdates(now);
        if (_isComplete && _steadyFromNanos == long.MaxValue && !_isDraining)
            BeginSteadyState(now + HalfTickNanos);
    }

    protected internal override void OnFinishing()
    {
        BookUpdates(Clock.NowNanos); // what came before is part of what was measured
        _isDraining = true;
        _load?.GiveUp();
    }

    private void FailClosed(scoped in RwfMsg msg)
    {
        if (!_isDraining)
            Session.Fail(ConsumerFailureKind.ItemClosed, $"received unexpected final state for stream {msg.StreamId}: {DomainMsg.Show(msg.State)}");
    }

    private bool TryDecode(DataType container, ReadOnlySpan<byte> message, int payloadStart)
    {
        if (container != DataType.FieldList)
            return true; // nothing of ours
        FieldListDecoder decoder = _decoder!;
        DecodeResult result = decoder.Decode(message, payloadStart);
        if (result is not (DecodeResult.Success or DecodeResult.NoData))
        {
            Session.Fail(ConsumerFailureKind.BadMessage, "the provider sent a field list that cannot be decoded");
            return false;
        }

        if (decoder.UnknownFields != _counters[Counter.FieldsSkipped])
            NoteUnknownField(decoder);
        return true;
    }

    private void NoteUnknownField(FieldListDecoder decoder)
    {
        string what = $"field {decoder.FirstUnknownField} is not in the dictionary";
        if (options.StrictFields)
            Session.Fail(ConsumerFailureKind.BadMessage, what);
        else if (_counters[Counter.FieldsSkipped] == 0)
            recording.Notices.Add($"Warning: {what}; such fields are skipped and counted.");
        _counters.Add(Counter.FieldsSkipped, decoder.UnknownFields - _counters[Counter.FieldsSkipped]);
    }

    private void NoteFirstUpdate()
    {
        _hasUpdates = true;
        recording.NoteFirst(Moment.FirstUpdate, Clock.NowNanos);
    }

    private void NoteFirstGeneric()
    {
        _hasGenerics = true;
        recording.NoteFirst(Moment.FirstGenericReceived, Clock.NowNanos);
    }

    private void NoteImage(int item)
    {
        if (_hasImage[item])
            return;
        _hasImage[item] = true;
        _counters.Add(Counter.ItemsWithRefresh, 1);
        if (--_missing == 0 && !_isDraining)
            CompleteImages();
    }

    private void CompleteImages()
    {
        _isComplete = true;
        recording.NoteFirst(Moment.RefreshesComplete, Clock.NowNanos);
    }

    // What had piled up behind the last image belongs to the start-up. Half a tick later, so that this edge and the other, whole ticks
    // later, lie between two bursts: one that is read a little early or late stays on its side.
    private void BeginSteadyState(long nowNanos)
    {
        _steadyFromNanos = nowNanos;
        recording.NoteFirst(Moment.SteadyBegan, nowNanos);
        if (Session.ItemCount > 0)
            images.Report(nowNanos);
    }

    // A whole number of ticks after its beginning, whenever the main thread comes to end the run.
    private void EndSteadyState()
    {
        recording.NoteFirst(Moment.End, images.CompleteNanos + _steadyNanos);
        _isDraining = true;
    }

    private void RecordLatency(ulong stamp)
    {
        long nowNanos = Clock.NowNanos;
        long now = _nanoStamps ? nowNanos : nowNanos / NanosPerMicro;
        long sent = (long)stamp;
        _latency.Record(PhaseOf(nowNanos, _steadyFromNanos), PhaseOf(nowNanos, images.CompleteNanos), now - sent);
        recording.LatencyRecords?.TryWrite(new LatencyRecord(sent, now));
    }

    // What somebody else posted is an update like any other: its stamp is of his clock.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RecordPost(ulong stamp)
    {
        if (!_isOthersPost)
            _postLatency?.Record(stamp);
    }

    private void RecordGeneric(ulong stamp)
    {
        _counters.Add(Counter.GenericStampsReceived, 1);
        _genericLatency.Record(stamp);
    }

    private RunPhase PhaseOf(long nowNanos, long steadyNanos)
    {
        if (nowNanos <= steadyNanos)
            return RunPhase.Startup;
        return nowNanos - steadyNanos > _steadyDelayNanos ? RunPhase.Steady : RunPhase.Between;
    }

    private void BookUpdates(long nowNanos)
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
