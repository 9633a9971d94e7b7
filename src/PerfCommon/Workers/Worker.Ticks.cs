using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <content>Takes the ticks of a worker's schedule while a connection needs them.</content>
public sealed partial class Worker
{
    private bool SendDueTicks(ref long now)
    {
        FollowTickWish(now);
        if (!_isTicking)
            return false;
        bool isDue = true;
        for (int i = 0; i < MaxTicksPerTurn && (isDue = _schedule.TryTakeTick(now, out TickInfo tick)); i++)
        {
            bool sends = false;
            foreach (Connection connection in _inTurn)
                sends |= connection.TakeTick(tick);
            if (sends)
                RecordSendingTick(tick);
            now = Time.NowNanos;
        }

        return isDue;
    }

    // Starts ticks when a connection needs them; the schedule restarts then.
    private void FollowTickWish(long now)
    {
        bool isWanted = AreTicksWanted();
        if (isWanted && !_isTicking)
            _schedule.Start(now);
        if (!isWanted)
            StopTicks();
        _isTicking = isWanted;
    }

    private void RecordSendingTick(in TickInfo tick)
    {
        Recording.RecordLag(tick.LagNanos);
        // Sent messages belong to whole ticks: 10,000 of a millisecond are 10 s, however late their end is detected.
        Recording.Sending.AddTick(tick.DueNanos, Math.Max(_schedule.NextDueNanos, tick.DueNanos + tick.LagNanos));
    }

    private void StopTicks()
    {
        if (_isTicking)
            Recording.Sending.EndSpan();
        _isTicking = false;
    }

    private bool AreTicksWanted()
    {
        bool isWanted = false;
        foreach (Connection connection in _inTurn)
            isWanted |= connection.WantsTicks;
        return isWanted;
    }
}
