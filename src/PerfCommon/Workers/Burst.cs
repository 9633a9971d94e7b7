using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>The messages of one kind on one connection: so many a tick, some of them stamped.</summary>
/// <remarks>
/// A burst that finds no output buffer stays open and is continued until the next tick; what is left then counts as not sent.
/// One owner thread, no allocation.
/// </remarks>
internal abstract class Burst(BurstPlan plan, CounterSet counters)
{
    /// <summary>Messages of the current tick that are still to be sent.</summary>
    public int Left { get; private protected set; }

    /// <summary>True when the last <see cref="Send"/> found too few output buffers; the next burst does not end that.</summary>
    public bool IsBlocked { get; private protected set; }

    /// <summary>Place of the next message in its burst.</summary>
    private protected int Place { get; set; }

    /// <summary>Which message of the burst carries a stamp; -1 for none.</summary>
    private protected int StampPlace { get; private set; } = -1;

    private protected abstract bool HasTargets { get; }

    /// <summary>Opens the burst of a tick; what the tick before left over counts as not sent.</summary>
    /// <param name="tick">Which.</param>
    /// <param name="connection">Number of the connection within its worker: chooses its stamps.</param>
    /// <returns>True when the tick has messages to send; none are due while there is nothing to send them for.</returns>
    public bool Begin(in TickInfo tick, int connection)
    {
        bool isDue = HasTargets;
        if (isDue && Left > 0)
            GiveUp(forLackOfBuffers: true);
        Left = isDue ? plan.CountIn(tick) : 0;
        Place = 0;
        StampPlace = plan.StampPlaceIn(tick, connection);
        if (Left > 0)
            counters.Add(plan.Kind.NotSent(), plan.SkippedBefore(tick));
        return Left > 0;
    }

    /// <summary>Gives up what is left of the burst: it counts as not sent.</summary>
    /// <param name="forLackOfBuffers">True when it was the output buffers that failed it.</param>
    public void GiveUp(bool forLackOfBuffers)
    {
        counters.Add(plan.Kind.NotSent(), Left);
        if (forLackOfBuffers)
            counters.Add(plan.Kind.Stopped(), Left);
        Left = 0;
    }

    /// <summary>Sends what is left, as far as output buffers allow.</summary>
    public abstract void Send();

    private protected void CountStamped(long stamped) => counters.Add(plan.Kind.Stamped(), stamped);
}

/// <summary>A burst with the encoder of its messages.</summary>
internal sealed class Burst<TEncoder>(BurstPlan plan, CounterSet counters, MessageOutput output, TEncoder encoder) : Burst(plan, counters)
    where TEncoder : struct, IMessageEncoder
{
    private readonly MessageKind _kind = plan.Kind;
    private readonly bool _stampsAll = plan.StampsAll;
    private readonly bool _nanos = plan.Unit == LatencyUnit.Nanoseconds;
    private TEncoder _encoder = encoder;

    /// <summary>The encoder as it stands; its owner may look at it between bursts.</summary>
    public ref TEncoder Encoder => ref _encoder;

    private protected override bool HasTargets => _encoder.HasTargets;

    public override void Send()
    {
        IsBlocked = false;
        while (Left > 0 && _encoder.HasTargets)
        {
            if (!output.TryBeginRun(_encoder.MaxBytes, Left, out MessageRun run))
            {
                IsBlocked = true;
                break;
            }

            Fill(ref run);
            output.EndRun(run, _kind);
        }

        output.EndBurst();
    }

    // Everything that is per message lives in locals; counts are booked once a run.
    private void Fill(ref MessageRun target)
    {
        MessageRun run = target;
        TEncoder encoder = _encoder;
        (int place, int left, int stampPlace, long stamped) = (Place, Left, StampPlace, 0);
        do
        {
            long stamp = 0;
            if (_stampsAll || place == stampPlace)
            {
                stamp = _nanos ? Clock.NowNanos : Clock.NowMicros;
                stamped++;
            }

            run.End(encoder.Encode(run.Room, stamp));
            place++;
            left--;
        }
        while (left > 0 && run.HasRoom && encoder.HasTargets);

        (Place, Left, _encoder) = (place, left, encoder);
        target = run;
        if (stamped > 0)
            CountStamped(stamped);
    }
}
