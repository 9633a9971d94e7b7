namespace PerfCommon.Measurement;

/// <summary>Computes when the next burst is due. Tick k is due at start + k seconds / tick rate, whatever happened before.</summary>
/// <remarks>Absolute and exact for every rate: lateness never accumulates and every second has exactly the requested number of ticks.
/// A late tick is taken at once, up to one second of them; older ticks are skipped and counted. One owner.</remarks>
public sealed class TickSchedule
{
    /// <summary>The longest stall that is made up for, in nanoseconds; older ticks are skipped.</summary>
    public const long CatchUpNanos = Clock.NanosPerSecond;

    private long _secondStartNanos;
    private int _inSecond;

    /// <summary>Creates a schedule that is not yet started: its first tick is due at clock time 0.</summary>
    /// <param name="tickRate">Ticks per second, 1 or more.</param>
    public TickSchedule(int tickRate)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(tickRate, 1);
        TickRate = tickRate;
    }

    /// <summary>Ticks per second.</summary>
    internal int TickRate { get; }

    /// <summary>Time at which the next tick is due, on the clock given to <see cref="Start"/>.</summary>
    public long NextDueNanos { get; private set; }

    /// <summary>Number of the next tick.</summary>
    public long NextIndex { get; private set; }

    /// <summary>Starts the schedule with tick 0 at the given time, and resets its state.</summary>
    public void Start(long nowNanos)
    {
        _secondStartNanos = nowNanos;
        _inSecond = 0;
        NextDueNanos = nowNanos;
        NextIndex = 0;
    }

    /// <summary>Takes the next tick when it is due; call again until it returns false, or read from the connections in between.</summary>
    /// <returns>False when the next tick is due in the future.</returns>
    public bool TryTakeTick(long nowNanos, out TickInfo tick)
    {
        long lagNanos = nowNanos - NextDueNanos;
        if (lagNanos < 0)
        {
            tick = default;
            return false;
        }

        long skipped = lagNanos > CatchUpNanos ? SkipUntil(nowNanos - CatchUpNanos) : 0;
        tick = new TickInfo(NextIndex, _inSecond, NextDueNanos, nowNanos - NextDueNanos, skipped);
        MoveTo(_inSecond + 1, NextIndex + 1);
        return true;
    }

    private long SkipUntil(long oldestNanos)
    {
        // the first tick that is due at oldestNanos or after it
        long sinceSecond = oldestNanos - _secondStartNanos;
        long seconds = Math.DivRem(sinceSecond, Clock.NanosPerSecond, out long nanos);
        _secondStartNanos += seconds * Clock.NanosPerSecond;
        int place = (int)(((nanos * TickRate) + Clock.NanosPerSecond - 1) / Clock.NanosPerSecond);

        long skipped = (seconds * TickRate) + place - _inSecond;
        MoveTo(place, NextIndex + skipped);
        return skipped;
    }

    private void MoveTo(int place, long index)
    {
        if (place >= TickRate)
        {
            place -= TickRate;
            _secondStartNanos += Clock.NanosPerSecond;
        }

        _inSecond = place;
        NextIndex = index;
        NextDueNanos = _secondStartNanos + DueInSecond(place);
    }

    private long DueInSecond(int place) => place * Clock.NanosPerSecond / TickRate;
}

/// <summary>One tick that is due now.</summary>
/// <param name="Index">Number of the tick from the start of the schedule, from 0, skipped ticks counted.</param>
/// <param name="InSecond">Position of the tick in its second, 0 .. tick rate - 1; decides which ticks carry the remainder of a rate.</param>
/// <param name="DueNanos">When it should have started.</param>
/// <param name="LagNanos">How late it starts, 0 or more: the send lag.</param>
/// <param name="SkippedBefore">Ticks skipped right before this one because more than one second had to be made up for; their messages,
/// <see cref="RatePerTick.InTicks"/> of them, count as not sent.</param>
public readonly record struct TickInfo(long Index, int InSecond, long DueNanos, long LagNanos, long SkippedBefore);
