using PerfCommon.Measurement;

namespace PerfCommon.Transport;

public sealed partial class ChannelPoller
{
    /// <summary>Timers are looked at no more often than this.</summary>
    private const long TimerGrainNanos = 10 * Clock.NanosPerMilli;

    /// <summary>While busy, sockets that only writing or connecting concerns are looked at once in so many waits.</summary>
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

    /// <summary>Sleeps until bytes arrive, a blocked channel has room again, another thread wakes it, or the time has come; works off connects, handshakes, pings and time-outs.</summary>
    /// <param name="untilNanos">Stopwatch time in nanoseconds; one that has passed only looks.</param>
    public void Wait(long untilNanos)
    {
        TakeOwnership();
        KeepUnread();
        if (_busyRead && CanReadBlindly())
        {
            foreach (RsslChannel channel in _channels)
            {
                channel.MarkReadableBlindly();
                ListReady(channel);
            }
        }
        else
        {
            _waiter.Wait(TimeoutNanos(untilNanos));
            if (_waiter.Found.Count > 0)
                WorkOffFound();
        }
        if (_inMemory.Count > 0)
            LookIntoMemory();
        if (Volatile.Read(ref _isSignalled) != 0)
            RunPosted(Clock.NowNanos);
        RunTimers();
    }

    internal void NoteTimer(long atNanos) => _nextTimerNanos = Math.Min(_nextTimerNanos, atNanos);

    internal void ListReady(RsslChannel channel)
    {
        if (channel.IsListedReady || channel.Accepted is { Refusal: not null })
            return;
        channel.IsListedReady = true;
        _ready.Add(channel);
    }

    private void TakeOwnership()
    {
        if (_owner == Thread.CurrentThread)
            return;
        _owner = Thread.CurrentThread;
        if (OperatingSystem.IsLinux())
            Libc.SharpenTimer();
    }

    /// <summary>Channels that the owner has not read to the end stay ready.</summary>
    private void KeepUnread()
    {
        int kept = 0;
        for (int i = 0; i < _ready.Count; i++)
        {
            RsslChannel channel = _ready[i];
            channel.IsListedReady = channel.MayHaveMore;
            if (channel.IsListedReady)
                _ready[kept++] = channel;
        }
        _ready.RemoveRange(kept, _ready.Count - kept);
    }

    private long TimeoutNanos(long untilNanos)
    {
        if (_ready.Count > 0 || _busyRead || _inMemory.Count > 0)
            return 0;
        return Math.Max(0, Math.Min(untilNanos, _nextTimerNanos) - Clock.NowNanos);
    }

    /// <summary>While busy, every channel is simply read, which costs less than asking first.</summary>
    private bool CanReadBlindly()
    {
        if (++_busyTurns >= BusyTurnsPerLook || _channels.Count == 0 || _channels.Count != _attached)
        {
            _busyTurns = 0;
            return false;
        }
        foreach (RsslChannel channel in _channels)
        {
            if (channel.State != ChannelState.Active || channel.IsBlocked)
                return false;
        }
        return true;
    }

    private void WorkOffFound()
    {
        long now = Clock.NowNanos;
        foreach ((RsslChannel channel, bool readable, bool writable) in _waiter.Found)
        {
            if (channel.WaitIndex < 0)
                continue; // closed by what came before it
            channel.OnEvents(readable, writable, now);
            if (channel.State != ChannelState.Connecting)
                ListReady(channel);
        }
    }

    private void RunPosted(long nowNanos)
    {
        Volatile.Write(ref _isSignalled, 0);
        while (_posted.TryDequeue(out Action<long>? work))
            work(nowNanos);
    }

    private void RunTimers()
    {
        if (_nextTimerNanos == long.MaxValue)
            return;
        long now = Clock.NowNanos;
        if (now < _nextTimerNanos)
            return;
        _nextTimerNanos = long.MaxValue;
        long next = Math.Min(RunTimers(_channels, now), RunTimers(_refused, now));
        _refused.RemoveAll(channel => channel.State == ChannelState.Closed);
        if (next != long.MaxValue)
            NoteTimer(Math.Max(next, now + TimerGrainNanos));
    }

    private static long RunTimers(List<RsslChannel> channels, long nowNanos)
    {
        long next = long.MaxValue;
        foreach (RsslChannel channel in channels)
        {
            if (channel.NextTimerNanos <= nowNanos)
                channel.OnTimer(nowNanos);
            next = Math.Min(next, channel.NextTimerNanos);
        }
        return next;
    }
}
