using System.Runtime.CompilerServices;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Clocks;

/// <summary>Reads the stamps of a sender whose host has another clock, for one worker.</summary>
/// <param name="clock">The sender's clock.</param>
/// <param name="unit">The unit of the stamps.</param>
/// <param name="counters">The worker's counters.</param>
internal sealed class PeerStamps(PeerClock clock, LatencyUnit unit, CounterSet counters)
{
    private readonly long _nanosOfUnit = unit == LatencyUnit.Nanoseconds ? 1 : Clock.NanosPerMicro;

    /// <summary>Converts a stamp into the time of this host's clock at which it was made.</summary>
    /// <param name="stamp">The stamp as received.</param>
    /// <param name="nowNanos">When it was received.</param>
    /// <param name="sent">The time, in the unit of the stamps; not later than now unless the clock's bound is disproved.</param>
    /// <returns>False when the difference of the clocks is not known: the stamp is counted, and has no latency.</returns>
    public bool TryRead(ulong stamp, long nowNanos, out long sent)
    {
        if (clock.Line is not { } line)
        {
            counters.Add(Counter.Uncorrected, 1);
            sent = 0;
            return false;
        }

        long sentNanos = line.ToOwn((long)stamp * _nanosOfUnit);
        sent = sentNanos <= nowNanos ? unit.FromNanos(sentNanos) : ReadEarly(line, sentNanos, nowNanos);
        return true;
    }

    // Received before it was sent: the error of the clock line, which has a bound.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long ReadEarly(ClockLine line, long sentNanos, long nowNanos)
    {
        bool isWithin = sentNanos - nowNanos <= line.BoundAt(nowNanos) + _nanosOfUnit;
        counters.Add(isWithin ? Counter.BelowZero : Counter.BeyondBound, 1);
        return unit.FromNanos(isWithin ? nowNanos : sentNanos);
    }
}
