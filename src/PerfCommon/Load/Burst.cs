using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Load;

/// <summary>Sends the messages of one kind on one connection: a number per tick, some of them stamped.</summary>
/// <remarks>
/// Messages that find no output buffer are carried over to the next ticks, within <see cref="BurstPlan.TicksCarried"/>: a short stall of the
/// machine costs delay, which the send lag reports, and no message. Messages beyond that count as not sent, the oldest first.
/// One owner thread, no allocation.
/// </remarks>
internal abstract class Burst
{
    private readonly BurstPlan _plan;
    private readonly WorkerRecording _recording;
    private readonly Queue<TickShare> _later; // of the ticks after the one that is being sent
    private TickShare _tick;
    private int _carried; // ticks overtaken by a later one

    private protected Burst(BurstPlan plan, WorkerRecording recording, MessageOutput output) =>
        (_plan, _recording, Output, _later) = (plan, recording, output, new(plan.TicksCarried + 1));

    private protected MessageOutput Output { get; }

    /// <summary>Messages that are due and not sent yet.</summary>
    public int Left { get; private set; }

    /// <summary>True when the last <see cref="Send"/> found too few output buffers; the next tick does not reset it.</summary>
    public bool IsBlocked { get; private protected set; }

    /// <summary>Messages of the oldest tick that are not sent yet.</summary>
    private protected int LeftInTick { get; private set; }

    /// <summary>Position of the next message in its tick.</summary>
    private protected int Place => _tick.Count - LeftInTick;

    /// <summary>The time at which that tick was due, in nanoseconds of <see cref="Clock"/>.</summary>
    private protected long DueNanos => _tick.DueNanos;

    /// <summary>Position of the stamped message in its tick; -1 for none.</summary>
    private protected int StampPlace => _tick.StampPlace;

    private protected abstract bool HasTargets { get; }

    /// <summary>Adds the messages of a tick.</summary>
    /// <param name="tick">The tick.</param>
    /// <param name="connection">Number of the connection within its worker: chooses its stamps.</param>
    /// <returns>True when the tick has messages to send; none are due while there is no stream to send them on.</returns>
    public bool Begin(in TickInfo tick, int connection)
    {
        if (!HasTargets)
        {
            Clear();
            return false;
        }

        int count = _plan.CountIn(tick);
        Output.Counters.Add(_plan.Kind.NotSent(), _plan.SkippedBefore(tick)); // also before a tick without messages
        if (count == 0)
            return false;
        while (LeftInTick > 0 && _later.Count >= _plan.TicksCarried)
            DiscardTick();
        _carried = LeftInTick > 0 ? 1 + _later.Count : 0;
        _later.Enqueue(new TickShare(count, _plan.StampPlaceIn(tick, connection), tick.DueNanos));
        Left += count;
        if (LeftInTick == 0)
            DequeueTick();
        return true;
    }

    /// <summary>Discards the remaining messages: they count as not sent.</summary>
    public void Discard()
    {
        Output.Counters.Add(_plan.Kind.NotSent(), Left);
        Clear();
    }

    /// <summary>Sends the remaining messages, as far as output buffers allow.</summary>
    public abstract void Send();

    private protected void CountSent(int messages, long stamped)
    {
        Left -= messages;
        LeftInTick -= messages;
        if (stamped > 0)
            Output.Counters.Add(_plan.Kind.Stamped(), stamped);
        if (LeftInTick > 0)
            return;
        if (_carried > 0)
            _recording.RecordLag(Output.Time.NowNanos - _tick.DueNanos);
        DequeueTick();
    }

    private void DequeueTick()
    {
        _carried = Math.Max(0, _carried - 1);
        _tick = _later.TryDequeue(out TickShare next) ? next : default;
        LeftInTick = _tick.Count;
    }

    private void DiscardTick()
    {
        Output.Counters.Add(_plan.Kind.NotSent(), LeftInTick);
        Output.Counters.Add(_plan.Kind.Stopped(), LeftInTick);
        Left -= LeftInTick;
        DequeueTick();
    }

    private void Clear()
    {
        _later.Clear();
        (Left, LeftInTick, _carried) = (0, 0, 0);
    }

    private readonly record struct TickShare(int Count, int StampPlace, long DueNanos);
}

/// <summary>A burst with the encoder of its messages.</summary>
internal sealed class Burst<TEncoder>(BurstPlan plan, WorkerRecording recording, MessageOutput output, TEncoder encoder)
    : Burst(plan, recording, output)
    where TEncoder : struct, IMessageEncoder
{
    private readonly MessageKind _kind = plan.Kind;
    private readonly bool _stampsAll = plan.StampsAll;
    private readonly LatencyUnit _unit = plan.Unit;
    private readonly bool _stampsDue = plan.StampsDue;
    private readonly TimeSource _time = output.Time;
    private readonly LatencySeries? _encoding = plan.MeasuresEncoding ? recording[Series.Encoding] : null;
    private TEncoder _encoder = encoder;

    /// <summary>The encoder in its current state; its owner may read it between bursts.</summary>
    public ref TEncoder Encoder => ref _encoder;

    private protected override bool HasTargets => _encoder.HasTargets;

    public override void Send()
    {
        IsBlocked = false;
        while (Left > 0 && _encoder.HasTargets)
        {
            if (!Output.TryBeginBatch(_encoder.MaxBytes, LeftInTick, out SendBatch run))
            {
                IsBlocked = true;
                break;
            }

            long stamped = Fill(ref run);
            Output.EndBatch(run, _kind);
            CountSent(run.Messages, stamped);
        }

        Output.EndBurst();
    }

    // All values per message are in local variables; counts are recorded once a batch.
    private long Fill(ref SendBatch target)
    {
        SendBatch run = target;
        TEncoder encoder = _encoder;
        (int place, int left, int stampPlace, long stamped) = (Place, LeftInTick, StampPlace, 0);
        do
        {
            (long stamp, long fromNanos) = (0, 0);
            if (_stampsAll || place == stampPlace)
            {
                stamp = StampNow();
                stamped++;
                fromNanos = _encoding is null ? 0 : _time.NowNanos;
            }

            int bytes = encoder.Encode(run.Room, stamp);
            if (fromNanos != 0)
                _encoding!.Record(_time.NowNanos - fromNanos);
            run.End(bytes);
            place++;
            left--;
        }
        while (left > 0 && run.HasRoom && encoder.HasTargets);

        _encoder = encoder;
        target = run;
        return stamped;
    }

    private long StampNow() => _unit.FromNanos(_stampsDue ? DueNanos : _time.NowNanos);
}
