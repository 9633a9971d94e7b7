using HubPerf.Tuning;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <content>Connections whose updates wait for others, so that several go out together.</content>
internal sealed partial class SessionHost
{
    private readonly PriorityQueue<HubSession, long> _held = new(); // by the time when they are flushed
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

        while (_held.TryPeek(out HubSession? held, out long due) && due <= now)
        {
            _held.Dequeue();
            if (held.HeldUntilNanos == due)
                held.FlushNow(now);
        }
    }

    // Once: what comes further waits with it.
    private void Hold(HubSession session, long untilNanos)
    {
        session.IsWritten = false;
        if (session.HeldUntilNanos != 0)
            return;
        session.HeldUntilNanos = untilNanos;
        _held.Enqueue(session, untilNanos);
    }

    private void SetBurstGauge() => Worker.Recording.Set(Gauge.BurstMicros, IsBatching ? _burst.Nanos / Clock.NanosPerMicro : 0);
}
