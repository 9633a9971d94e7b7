using System.Runtime.CompilerServices;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <content>Holds back updates of connections, so that several are sent together.</content>
internal sealed partial class ConsumerThread
{
    private readonly PriorityQueue<List<HubSession>, long> _held = new(); // connections that are flushed at the same time, by that time
    private readonly (long DueNanos, List<HubSession>? Sessions)[] _filling = new (long, List<HubSession>?)[BurstInterval.Phases];
    private readonly Stack<List<HubSession>> _spare = new();
    private BurstInterval _burst;
    private readonly List<int> _fresh = []; // numbers of the connections that are checked at the end of the turn
    private long _arrived; // updates for connections since they were last recorded
    private bool _isBatching; // in this turn

    /// <summary>When it must run at the latest; far in the future for never.</summary>
    public long NextDueNanos => Math.Min(NextFlushNanos, _announcer.NextDueNanos);

    // When the next connection with waiting updates is flushed.
    private long NextFlushNanos => _held.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    private bool HoldsUpdates => _held.Count > 0;

    /// <summary>Delivers the waiting updates to a connection, which sends next.</summary>
    public void DeliverPending(HubSession session) => Deliver(session, []);

    /// <summary>Discards the updates that wait for a connection that has ended.</summary>
    /// <returns>Updates that were lost with it.</returns>
    public int DropKept(HubSession session)
    {
        ref DeliveryList list = ref _deliveries[session.SlotNumber];
        ReadOnlySpan<Delivery> noted = list.Drain();
        DiscardPending(session, noted, ref list.LastTurn);
        return noted.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void LookAtLater(int session)
    {
        _deliveries[session].IsFresh = true;
        _fresh.Add(session);
    }

    // Sends to the connections whose updates need not wait, and to those whose wait is over.
    private void FlushInWindows()
    {
        FanOut.Invalidate();
        BurstSettings settings = Settings.Tuning.Burst;
        long now = Worker.Time.NowNanos;
        if (!settings.IsPerSession)
            _burst.Record(settings, now, _arrived);
        _arrived = 0;
        foreach (int number in _fresh)
            LookAt(number, settings, now);
        _fresh.Clear();
        while (_held.TryPeek(out List<HubSession>? held, out long due) && (due <= now || _pending.IsLarge))
        {
            _held.Dequeue();
            SendHeld(held, due, now);
        }

        foreach (HubSession session in _written)
        {
            if (!session.IsWritten)
                continue;
            session.Wait.BeginFlush(now);
            session.FlushWritten();
        }
    }

    private void LookAt(int number, BurstSettings settings, long now)
    {
        ref DeliveryList list = ref _deliveries[number];
        list.IsFresh = false;
        int arrived = list.Arrived;
        list.Arrived = 0;
        if (_sessions[number] is not { } session)
            return;
        if (settings.IsPerSession)
            session.Wait.RecordArrivals(settings, now, arrived);
        if (list.Count == 0)
            return; // they were sent with other messages
        if (!session.IsWritten && list.Bytes < Settings.HoldBytes && session.MayWait(settings, _burst, now, out long untilNanos))
        {
            Hold(session, untilNanos);
            list.IsHeld = true;
            return;
        }

        if (session.Wait.UntilNanos != 0 && list.Bytes >= Settings.HoldBytes)
            session.Counters.Add(Counter.EarlyFlushes, 1);
        session.Wait.BeginFlush(now);
        Send(session.SlotNumber, []);
    }

    private void SendHeld(List<HubSession> held, long dueNanos, long nowNanos)
    {
        foreach (HubSession session in held)
        {
            if (session.Wait.UntilNanos != dueNanos)
                continue;
            session.Wait.BeginFlush(nowNanos);
            Send(session.SlotNumber, []);
        }

        held.Clear();
        _spare.Push(held);
    }

    // Holds a connection once: further updates wait with the first. Connections of a phase are flushed together, unless each has its interval.
    private void Hold(HubSession session, long untilNanos)
    {
        if (session.Wait.UntilNanos != 0)
            return;
        session.Wait.UntilNanos = untilNanos;
        ref (long DueNanos, List<HubSession>? Sessions) filling = ref _filling[session.SlotNumber % BurstInterval.Phases];
        if (filling.DueNanos != untilNanos) // an elapsed time never recurs
        {
            filling = (untilNanos, _spare.TryPop(out List<HubSession>? spare) ? spare : []);
            _held.Enqueue(filling.Sessions!, untilNanos);
        }

        filling.Sessions!.Add(session);
    }

    private void SetBurstGauge() => Worker.Recording.Set(Gauge.BurstMicros, _isBatching ? _burst.Nanos / Clock.NanosPerMicro : 0);
}
