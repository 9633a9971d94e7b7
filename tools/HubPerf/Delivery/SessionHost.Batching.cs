using HubPerf.Tuning;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <content>Connections whose updates wait for others, so that several go out together.</content>
internal sealed partial class SessionHost
{
    private readonly PriorityQueue<List<HubSession>, long> _held = new(); // those that are flushed at one time, by that time
    private readonly (long DueNanos, List<HubSession>? Sessions)[] _filling = new (long, List<HubSession>?)[BurstInterval.Phases];
    private readonly Stack<List<HubSession>> _spare = new();
    private BurstInterval _burst;
    private long _arrived; // updates for connections since it was noted last

    long IWorkerTask.NextDueNanos => NextFlushNanos;

    /// <summary>When the next connection is flushed whose updates wait; far away while none do.</summary>
    public long NextFlushNanos => _held.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    private bool IsBatching => _held.Count > 0 || Settings.Tuning.Burst.IsOn;

    // Those that need not wait, and those that have waited.
    private void FlushInWindows()
    {
        BurstSettings settings = Settings.Tuning.Burst;
        long now = Worker.Time.NowNanos;
        if (!settings.IsPerSession)
            _burst.Note(settings, now, _arrived);
        _arrived = 0;
        foreach (HubSession session in _written)
        {
            if (session.MayWait(settings, _burst, now, out long untilNanos))
                Hold(session, untilNanos);
            else
                session.FlushNow(now);
        }

        while (_held.TryPeek(out List<HubSession>? held, out long due) && due <= now)
        {
            _held.Dequeue();
            FlushHeld(held, due, now);
        }
    }

    private void FlushHeld(List<HubSession> held, long dueNanos, long nowNanos)
    {
        foreach (HubSession session in held)
        {
            if (session.HeldUntilNanos == dueNanos)
                session.FlushNow(nowNanos);
        }

        held.Clear();
        _spare.Push(held);
    }

    // Once: what comes further waits with it. Connections of a phase go out together, unless each has an interval of its own.
    private void Hold(HubSession session, long untilNanos)
    {
        session.IsWritten = false;
        if (session.HeldUntilNanos != 0)
            return;
        session.HeldUntilNanos = untilNanos;
        ref (long DueNanos, List<HubSession>? Sessions) filling = ref _filling[session.SlotNumber % BurstInterval.Phases];
        if (filling.DueNanos != untilNanos) // one that is over has a time that does not come again
        {
            filling = (untilNanos, _spare.TryPop(out List<HubSession>? spare) ? spare : []);
            _held.Enqueue(filling.Sessions!, untilNanos);
        }

        filling.Sessions!.Add(session);
    }

    private void SetBurstGauge() => Worker.Recording.Set(Gauge.BurstMicros, IsBatching ? _burst.Nanos / Clock.NanosPerMicro : 0);
}
