namespace PerfCommon.Measurement;

/// <summary>Says when the next burst is due. Tick k belongs at start + k seconds / tick rate, whatever happened before.</summary>
/// <remarks>Absolute and exact for every rate: lateness never adds up and every second has exactly the asked number of ticks.
/// A late tick is taken at once, up to one second of them; what lies further back is skipped and counted. One owner.</remarks>
public sealed class TickSchedule
{
    /// <summary>The most that is caught up after a stall, in nanoseconds; older ticks are skipped.</summary>
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

    /// <summary>When the next tick is due, on the clock given to <see cref="Start"/>.</summary>
    public long NextDueNanos { get; private set; }

    /// <summary>Running number of the next tick.</summary>
    public long NextIndex { get; private set; }

    /// <summary>Puts tick 0 at the given time and forgets everything before.</summary>
    public void Start(long nowNanos)
    {
        _secondStartNanos = nowNanos;
        _inSecond = 0;
        NextDueNanos = nowNanos;
        NextIndex = 0;
    }

    /// <summary>Takes the next tick when it is due; call again until it says no, or give reading a turn in between.</summary>
    /// <returns>False when the next tick lies in the future.</returns>
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
/// <param name="Index">Running number of the tick from the start of the schedule, from 0, skipped ticks counted.</param>
/// <param name="InSecond">Place of the tick in its second, 0 .. tick rate - 1; decides which ticks carry the remainder of a rate.</param>
/// <param name="DueNanos">When it should have started.</param>
/// <param name="LagNanos">How late it starts, 0 or more: the send lag.</param>
/// <param name="SkippedBefore">Ticks given up right before this one because more than one second had to be caught up;
/// what they should have sent is <see cref="RatePerTick.InTicks"/> of them, and counts as not sent.</param>
public readonly record struct TickInfo(long Index, int InSecond, long DueNanos, long LagNanos, long SkippedBefore);
