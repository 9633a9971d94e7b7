using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Requests and the messages of items.</content>
public sealed partial class ConsumerSession
{
    private readonly bool[] _isAnswered;
    private Burst<RequestEncoder>? _requests;
    private int _requested;
    private int _answered;

    internal override bool WantsTicks =>
        !IsFinishing && Stage == ConsumerStage.Items && (_requests!.Encoder.IsUnfinished || _handler.WantsTicks);

    internal override bool IsBlocked => _requests is { IsBlocked: true } || _handler.IsBlocked;

    private bool IsWaitingForItems => _answered < _requested;

    internal override bool OnTick(in TickInfo tick)
    {
        if (IsFinishing || Stage != ConsumerStage.Items)
            return false;
        bool sends = _requests!.Begin(tick, Number);
        if (sends && _requested == 0)
            Recording.NoteFirst(Moment.FirstRequest, Time.NowNanos);
        SendRequests();
        return (_handler.WantsTicks && SendOfHandler(tick)) | sends;
    }

    internal override void OnContinue()
    {
        if (!IsOpen || Stage != ConsumerStage.Items)
            return;
        if (_requests!.Left > 0)
            SendRequests();
        _handler.OnContinue();
        Output.EndBurst();
    }

    internal override void OnReadable(long untilNanos)
    {
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
        if (_gotAnswer)
        {
            _gotAnswer = false;
            _lastAnswerNanos = Time.NowNanos;
        }

        _handler.OnRunEnd();
    }

    // Each tick that is late goes out by itself, so that the stamps of none wait for the others.
    private bool SendOfHandler(in TickInfo tick)
    {
        bool wasBlocked = _handler.IsBlocked;
        bool sends = _handler.OnTick(tick);
        if (!wasBlocked)
            _handler.OnContinue();
        return sends;
    }

    private Burst<RequestEncoder> CreateRequests()
    {
        BurstPlan plan = new(MessageKind.Request, _options.RequestRate, 0, Worker.Options.TickRate, seed: 0, LatencyUnit.Microseconds);
        return new(plan, Recording, Output, new RequestEncoder(_options, _directory));
    }

    private void SendRequests()
    {
        bool beginsToWait = !IsWaitingForItems;
        _requests!.Send();
        _requested = _requests.Encoder.Requested;
        if (beginsToWait)
            _lastAnswerNanos = Time.NowNanos;
    }

    private bool Handle(ReadOnlySpan<byte> message)
    {
        if (UpdateHeader.TryRead(message, out UpdateHeader update) && update.DomainType == DomainType.MarketPrice)
        {
            // wire/domains 1
            int item = update.StreamId - StreamIds.FirstItem;
            if ((uint)item < (uint)_requested)
                _handler.OnUpdate(item, update);
            else
                Drop();
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

        // A status is matched by its stream: providers differ in the domain they put on it.
        // wire/domains 16
        else if (msg.StreamId >= StreamIds.FirstItem)
            HandleItem(msg);
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
        int item = msg.StreamId - StreamIds.FirstItem;
        if (item >= _requested)
        {
            Drop();
            return;
        }

        if (msg.MsgClass is MsgClass.Refresh or MsgClass.Status)
            NoteAnswer(item);
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh:
                _handler.OnRefresh(item, msg);
                break;
            case MsgClass.Status:
                _handler.OnStatus(item, msg);
                break;
            case MsgClass.Update:
                _handler.OnFullUpdate(item, msg);
                break;
            case MsgClass.Generic:
                _handler.OnGeneric(item, msg);
                break;
            case MsgClass.Ack:
                _handler.OnAck(item, msg);
                break;
            default:
                Drop();
                break;
        }
    }

    private void NoteAnswer(int item)
    {
        if (_isAnswered[item])
            return;
        _isAnswered[item] = _gotAnswer = true;
        _answered++;
    }

    private void Drop() => Counters.Add(Counter.MessagesDropped, 1);

    private readonly struct Receiver(ConsumerSession session) : IMessageReceiver
    {
        public bool Take(ReadOnlySpan<byte> message) => session.Handle(message);
    }
}
