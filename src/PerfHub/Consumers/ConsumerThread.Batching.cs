using System.Runtime.CompilerServices;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <content>Holds back updates of connections, so that several are sent together, and measures their time through the hub.</content>
internal sealed partial class ConsumerThread
{
    /// <summary>When it must run at the latest; far in the future for never.</summary>
    public long NextDueNanos => Math.Min(_windows.NextDueNanos, _announcer.NextDueNanos);

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
        _windows.Fresh.Add(session);
    }

    // Sends to the connections whose updates need not wait, and to those whose wait is over.
    private void FlushInWindows()
    {
        FanOut.Invalidate();
        BurstSettings settings = Settings.Tuning.Burst;
        long now = Worker.Time.NowNanos;
        _windows.RecordArrivals(settings, now, _arrived);
        _arrived = 0;
        foreach (int number in _windows.Fresh)
            LookAt(number, settings, now);
        _windows.Fresh.Clear();
        while (_windows.TryDequeue(_pending.IsLarge ? long.MaxValue : now, out List<HubSession> held, out long due))
            SendHeld(held, due, now);
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
        if (!session.IsWritten && list.Bytes < Settings.HoldBytes && session.MayWait(settings, _windows.Burst, now, out long untilNanos))
        {
            _windows.Hold(session, untilNanos);
            list.IsHeld = true;
            return;
        }

        if (session.Wait.UntilNanos != 0 && list.Bytes >= Settings.HoldBytes)
            session.Counters.Add(HubCounter.EarlyFlushes, 1);
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

        _windows.Return(held);
    }

    // Its messages from earlier turns are complete once its socket has accepted them.
    private void DiscardPending(HubSession session, ReadOnlySpan<Delivery> noted, ref int lastTurn)
    {
        long nowNanos = 0;
        foreach (PendingLatencies runs in _pending.Release(noted, ref lastTurn))
            session.NotifySent(runs, ref nowNanos);
    }

    private PendingLatencies? SettleThrough()
    {
        int waiting = _pending.ConnectionsNow;
        foreach (HubSession session in _written)
            waiting += session.Channel.BytesQueued > 0 ? 1 : 0;
        if (_through.Settle(waiting, Worker.Time.NowNanos) is not { } pending)
            return null;
        foreach (HubSession session in _written)
        {
            if (session.Channel.BytesQueued > 0)
                session.Await(pending);
        }

        return pending;
    }

    private void SetBurstGauge() => Worker.Recording.Set(HubGauge.BurstMicros, _isBatching ? _windows.Burst.Nanos / Clock.NanosPerMicro : 0);
}
