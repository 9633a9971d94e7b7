using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Sends requests and handles the messages of items.</content>
public sealed partial class ConsumerSession
{
    private Burst<RequestEncoder>? _requests; // of the current stage
    private int _requested; // items
    private bool _isTogether; // one request for all items was encoded, or its streams are open

    internal override bool WantsTicks => !IsFinishing && (IsPriming || IsAtItems) && (_requests!.Encoder.IsUnfinished || HandlerWantsTicks);

    internal override bool RunsOnDemand => _options.IsOneOfMany;

    internal override bool IsBusy => base.IsBusy || WantsTicks;

    internal override bool IsBlocked => _requests is { IsBlocked: true } || _handler.IsBlocked;

    private bool IsPriming => Stage == ConsumerStage.Priming;

    private bool IsAtItems => Stage == ConsumerStage.Items;

    private bool HandlerWantsTicks => IsAtItems && _handler.WantsTicks;

    internal override bool OnTick(in TickInfo tick)
    {
        bool sends = _requests!.Begin(tick, Number);
        if (sends && IsAtItems)
            Recording.RecordFirst(Moment.FirstRequest, Time.NowNanos);
        return (HandlerWantsTicks && _handler.OnTick(tick)) | sends;
    }

    internal override void OnContinue()
    {
        if (!IsOpen || !(IsPriming || IsAtItems))
            return;
        if (IsAtItems && _watched is { HasPendingRequests: true })
            SendPendingRequests();
        if (_requests!.Left > 0)
            SendRequests();
        if (IsAtItems)
            _handler.OnContinue();
        Output.EndBurst();
    }

    internal override void OnReadable(long untilNanos)
    {
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
        if (_hasNewAnswer)
        {
            _hasNewAnswer = false;
            _lastAnswerNanos = Time.NowNanos;
        }

        _handler.OnBatchEnd();
    }

    // Starts the stage of the items, or the one before it, whose requests and refreshes are counted separately.
    private void BeginRequests(ConsumerStage stage, long nowNanos)
    {
        bool primes = stage == ConsumerStage.Priming;
        if (!primes)
            _watched?.Begin(firstStream: _options.Prime ? 2 * _options.ItemCount : 0);
        _requests = CreateRequests(primes, primes ? null : FindBatchNameBytes());
        _answers.Clear();
        Recording.Notices.Add(primes ? SessionNotices.Priming : SessionNotices.Requesting);
        Enter(stage, nowNanos);
    }

    // A batch is one message, in the first tick.
    private Burst<RequestEncoder> CreateRequests(bool primes, int? batchNameBytes)
    {
        int tickRate = Worker.Options.TickRate;
        BurstPlan plan = new(
            primes ? MessageKind.Priming : MessageKind.Request, batchNameBytes is null ? _options.RequestRate : tickRate, 0, tickRate, seed: 0,
            LatencyUnit.Microseconds);
        return new(plan, Recording, Output, new RequestEncoder(_options, _directory, AcceptsViews, primes, batchNameBytes));
    }

    private void SendRequests()
    {
        bool beginsToWait = !_answers.IsWaiting;
        int before = _answers.Requested;
        _requests!.Send();
        _answers.SetRequests(_requests.Encoder.Requested);
        _requested = IsAtItems ? _watched?.Streams ?? _answers.Requested : 0;
        CountTogether(_answers.Requested - before);
        if (beginsToWait)
            _lastAnswerNanos = Time.NowNanos;
    }

    private bool Handle(ReadOnlySpan<byte> message)
    {
        if (UpdateHeader.TryRead(message, out UpdateHeader update)
            && update.DomainType is DomainType.MarketPrice or DomainType.MarketByOrder)
        {
            // wire/domains 1
            int item = ItemOf(update.StreamId);
            if (item < 0)
                Drop();
            else if (_dispatcher.AreHandlesItems)
                _handler.OnUpdate(item, update);
            else if (_dispatcher.DispatchUpdate(item, update))
                RemoveUnwanted();
            return true;
        }

        HandleOther(message);
        return true;
    }

    private void HandleOther(ReadOnlySpan<byte> message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
            // wire/domains 12
            Fail(ConsumerFailureKind.BadMessage, "the provider sent a message that cannot be decoded");

        // A status is matched by its stream: providers differ in its domain.
        // wire/domains 16
        else if (msg.StreamId >= StreamIds.FirstItem)
            HandleItem(msg);
        else if (msg.StreamId == StreamIds.Batch)
            HandleBatchEnd(msg);
        else if (msg.DomainType == DomainType.Login || msg.StreamId == StreamIds.Login)
            HandleLogin(msg, message);
        else if (msg.DomainType == DomainType.Dictionary || msg.StreamId is StreamIds.FieldDictionary or StreamIds.EnumDictionary)
            HandleDictionary(msg);
        else if (msg.DomainType == DomainType.Source || msg.StreamId == StreamIds.Directory)
            HandleDirectory(msg);
        else
            Drop();
    }

    private void HandleItem(scoped in RwfMsg msg)
    {
        // wire/domains 1
        int item = ItemOf(msg.StreamId);
        if (item < 0)
        {
            if (!TryEndBatch(msg))
                HandlePriming(msg.StreamId - StreamIds.FirstItem - _options.ItemCount, msg);
            return;
        }

        if (msg.MsgClass is MsgClass.Refresh or MsgClass.Status)
            RecordItem(item, msg);
        if (msg.MsgClass is not (MsgClass.Refresh or MsgClass.Status or MsgClass.Update or MsgClass.Generic or MsgClass.Ack))
            Drop();
        else if ((_watched is null || !TakesOver(item, msg)) && _dispatcher.Dispatch(item, msg))
            RemoveUnwanted();
    }

    // Any state ends priming of the item: the item itself is requested afterwards.
    private void HandlePriming(int item, scoped in RwfMsg msg)
    {
        bool isAnswer = _options.Prime && (uint)item < (uint)_options.ItemCount && msg.MsgClass is MsgClass.Refresh or MsgClass.Status;
        if (!isAnswer)
            Drop();
        if (!isAnswer || !IsPriming || item >= _answers.Requested)
            return;
        _hasNewAnswer = true;
        if (msg.MsgClass == MsgClass.Refresh)
        {
            Counters.Add(Counter.PrimingRefreshesReceived, 1);
            _handler.OnPriming(msg);
        }

        if (msg.MsgClass == MsgClass.Status || msg.Has(RefreshFlags.RefreshComplete))
            RecordAnswer(item);
        if (_answers.Requested == _options.ItemCount && !_answers.IsWaiting)
            BeginRequests(ConsumerStage.Items, Time.NowNanos);
    }

    private void RecordItem(int item, scoped in RwfMsg msg)
    {
        RecordAnswer(item);
        if (msg.MsgClass == MsgClass.Refresh || msg.Has(StatusFlags.HasGroupId))
            _groups.Join(item, msg.GroupId);
    }

    private void RecordAnswer(int item) => _hasNewAnswer |= _answers.TryRecord(item);

    // Null where each item has a separate request.
    private int? FindBatchNameBytes()
    {
        _isTogether = _options is { AsksTogether: true, ItemCount: > 1 } && AcceptsBatches;
        int bytes = 0;
        for (int item = 0; item < _options.ItemCount && _isTogether; item++)
        {
            bytes += NameOf(item).Length;
            _isTogether = bytes <= MaxBatchNameBytes && IsLike(FlagsOf(item), FlagsOf(0));
        }

        return _isTogether ? bytes : null;
    }

    // A batch is of market price; it requests updates of all its items or of none, and all on private streams or none.
    private bool IsLike(ItemFlags flags, ItemFlags first) => (flags & ItemFlags.MarketByOrder) == 0
        && ((flags ^ first) & ItemFlags.PrivateStream) == 0 && _options.Streams(flags) == _options.Streams(first);

    // Each item counts as a request: that number of images must arrive.
    private void CountTogether(int asked)
    {
        if (_isTogether && asked > 0)
            Counters.Add(Counter.RequestsSent, asked - 1);
    }

    // wire/domains 5.6
    private void HandleBatchEnd(scoped in RwfMsg msg)
    {
        if (!_isTogether || !IsAtItems || msg.MsgClass != MsgClass.Status)
        {
            Drop();
            return;
        }

        if (msg.State.Code != StateCode.UnableToRequestAsBatch)
            return;
        _isTogether = false;
        _requests = CreateRequests(primes: false, batchNameBytes: null);
        Counters.Add(Counter.RequestsSent, -_answers.Requested);
        _answers.Clear();
        _requested = 0;
    }

    private void Drop() => Counters.Add(Counter.MessagesDropped, 1);

    private readonly struct Receiver(ConsumerSession session) : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message) => session.Handle(message);
    }
}
