using PerfCommon.Measurement;

namespace PerfCommon.Transport;

public sealed partial class ChannelPoller
{
    /// <summary>Shortest interval between two checks of the timers.</summary>
    private const long TimerGrainNanos = 10 * Clock.NanosPerMilli;

    /// <summary>While busy, number of waits per check of sockets that only need writing or connecting.</summary>
    private const int BusyTurnsPerLook = 64;

    private long _nextTimerNanos = long.MaxValue;
    private Thread? _owner;
    private int _busyTurns;
    private int _isSignalled;

    /// <summary>Ends the current or the next wait; any thread.</summary>
    public void Wake()
    {
        if (Interlocked.Exchange(ref _isSignalled, 1) == 0)
            _waiter.Signal();
    }

    /// <summary>
    /// Sleeps until bytes arrive, a blocked channel can send again, another thread wakes it, or the time is reached; processes connects,
    /// handshakes, pings and timeouts.
    /// </summary>
    /// <param name="untilNanos">Stopwatch time in nanoseconds; a past time checks without sleeping.</param>
    public void Wait(long untilNanos)
    {
        TakeOwnership();
        KeepUnread();
        if (_busyRead && CanReadBlindly())
        {
            foreach (Slot slot in _channels.Slots)
            {
                slot.Channel.MarkReadableBlindly();
                slot.ListReady();
            }
        }
        else
        {
            _waiter.Wait(TimeoutNanos(untilNanos));
            if (_waiter.Found.Count > 0)
                HandleFound();
        }

        if (Volatile.Read(ref _isSignalled) != 0)
            RunPosted(Time.NowNanos);
        RunTimers();
    }

    private void ScheduleTimer(long atNanos) => _nextTimerNanos = Math.Min(_nextTimerNanos, atNanos);

    private void TakeOwnership()
    {
        if (_owner == Thread.CurrentThread)
            return;
        _owner = Thread.CurrentThread;
        if (OperatingSystem.IsLinux())
            Libc.SharpenTimer();
    }

    /// <summary>Keeps channels ready that the owner has not read to the end.</summary>
    private void KeepUnread()
    {
        List<Slot> ready = _ready.Slots;
        int kept = 0;
        for (int i = 0; i < ready.Count; i++)
        {
            Slot slot = ready[i];
            slot.IsListed = slot.Channel.MayHaveMore;
            if (!slot.IsListed)
                continue;
            slot.ReadyPlace = kept;
            ready[kept++] = slot;
        }

        ready.RemoveRange(kept, ready.Count - kept);
    }

    private long TimeoutNanos(long untilNanos)
    {
        if (_ready.Count > 0 || _busyRead)
            return 0;
        return Math.Max(0, Math.Min(untilNanos, _nextTimerNanos) - Time.NowNanos);
    }

    /// <summary>True when every channel is simply read while busy, which costs less than polling first.</summary>
    private bool CanReadBlindly()
    {
        if (++_busyTurns >= BusyTurnsPerLook || _channels.Count == 0 || _channels.Count != _attached)
        {
            _busyTurns = 0;
            return false;
        }

        foreach (Slot slot in _channels.Slots)
        {
            if (slot.Channel.State != ChannelState.Active || slot.Channel.IsBlocked)
                return false;
        }

        return true;
    }

    private void HandleFound()
    {
        long now = Time.NowNanos;
        foreach ((WaitSlot found, bool readable, bool writable) in _waiter.Found)
        {
            if (found.Index < 0)
                continue; // closed by an event before it
            Slot slot = (Slot)found;
            slot.Channel.OnEvents(readable, writable, now);
            if (slot.Channel.State != ChannelState.Connecting)
                slot.ListReady();
        }
    }

    private void RunPosted(long nowNanos)
    {
        Volatile.Write(ref _isSignalled, 0);
        for (int left = _posted.Count; left > 0 && _posted.TryDequeue(out Action<long>? work); left--)
            work(nowNanos); // work that it posts runs in the next wait
    }

    private void RunTimers()
    {
        if (_nextTimerNanos == long.MaxValue)
            return;
        long now = Time.NowNanos;
        if (now < _nextTimerNanos)
            return;
        _nextTimerNanos = long.MaxValue;
        long next = Math.Min(RunTimers(_channels.Slots, now), RunTimers(_refused, now));
        _refused.RemoveAll(slot => slot.Channel.State == ChannelState.Closed);
        if (next != long.MaxValue)
            ScheduleTimer(Math.Max(next, now + TimerGrainNanos));
    }

    private static long RunTimers(List<Slot> slots, long nowNanos)
    {
        long next = long.MaxValue;
        foreach (Slot slot in slots)
        {
            if (slot.Channel.NextTimerNanos <= nowNanos)
                slot.Channel.OnTimer(nowNanos);
            next = Math.Min(next, slot.Channel.NextTimerNanos);
        }

        return next;
    }
}
