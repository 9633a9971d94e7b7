namespace PerfCommon.Tests.Hosting.Control;

/// <summary>A clock that the test advances; timers that are then due fire on the caller's thread.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<Timer> _timers = [];
    private TimeSpan _now;

    /// <summary>Timers that are not due yet.</summary>
    public int Waiting
    {
        get
        {
            lock (_lock)
                return _timers.Count;
        }
    }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => _now.Ticks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Timer timer = new(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    public void Advance(TimeSpan time)
    {
        Timer[] due;
        lock (_lock)
        {
            _now += time;
            due = [.. _timers.Where(timer => timer.Due <= _now)];
            _timers.RemoveAll(timer => timer.Due <= _now);
        }

        foreach (Timer timer in due)
            timer.Fire();
    }

    private sealed class Timer(ManualTime time, Action fire) : ITimer
    {
        public TimeSpan Due { get; private set; }

        public void Fire() => fire();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._lock)
            {
                time._timers.Remove(this);
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    Due = time._now + dueTime;
                    time._timers.Add(this);
                }
            }

            return true;
        }

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
