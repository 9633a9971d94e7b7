namespace PerfCommon.Measurement;

/// <summary>Spreads a rate per second over the ticks of a second: equal shares, the remainder on the first ticks.</summary>
/// <remarks>Every second of ticks sums to exactly the rate.</remarks>
public readonly struct RatePerTick
{
    private readonly int _tickRate;
    private readonly int _perTick;
    private readonly int _remainder;

    /// <summary>Spreads a rate.</summary>
    /// <param name="rate">Messages per second, 0 or more.</param>
    /// <param name="tickRate">Ticks per second, 1 or more.</param>
    public RatePerTick(int rate, int tickRate)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rate);
        ArgumentOutOfRangeException.ThrowIfLessThan(tickRate, 1);
        _tickRate = tickRate;
        (_perTick, _remainder) = Math.DivRem(rate, tickRate);
    }

    /// <summary>Messages due in one tick.</summary>
    /// <param name="inSecond">Place of the tick in its second, <see cref="TickInfo.InSecond"/>.</param>
    public int InTick(int inSecond) => _perTick + (inSecond < _remainder ? 1 : 0);

    /// <summary>Messages due in a run of ticks, for instance the skipped ones.</summary>
    /// <param name="firstIndex">Running number of the first tick, 0 or more.</param>
    /// <param name="count">Number of ticks, 0 or more.</param>
    public long InTicks(long firstIndex, long count) => UpTo(firstIndex + count) - UpTo(firstIndex);

    private long UpTo(long index)
    {
        long seconds = Math.DivRem(index, _tickRate, out long place);
        return (index * _perTick) + (seconds * _remainder) + Math.Min(place, _remainder);
    }
}
