namespace PerfCommon.Measurement;

/// <summary>Spreads a rate per second over the ticks of a second: equal shares, the remainder on the first ticks.</summary>
/// <remarks>Every second of ticks sums to exactly the rate.</remarks>
public readonly struct RatePerTick
{
    private readonly int _tickRate;
    private readonly int _perTick;
    private readonly int _remainder;

    /// <summary>Creates the shares of a rate.</summary>
    /// <param name="rate">Messages per second, 0 or more.</param>
    /// <param name="tickRate">Ticks per second, 1 or more.</param>
    public RatePerTick(int rate, int tickRate)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rate);
        ArgumentOutOfRangeException.ThrowIfLessThan(tickRate, 1);
        _tickRate = tickRate;
        (_perTick, _remainder) = Math.DivRem(rate, tickRate);
    }

    /// <summary>Returns the messages due in one tick.</summary>
    /// <param name="inSecond">Position of the tick in its second, <see cref="TickInfo.InSecond"/>.</param>
    public int InTick(int inSecond) => _perTick + (inSecond < _remainder ? 1 : 0);

    /// <summary>Returns the messages due in consecutive ticks, for instance the skipped ones.</summary>
    /// <param name="firstIndex">Number of the first tick from the start, 0 or more.</param>
    /// <param name="count">Number of ticks, 0 or more.</param>
    public long InTicks(long firstIndex, long count) => UpTo(firstIndex + count) - UpTo(firstIndex);

    private long UpTo(long index)
    {
        long seconds = Math.DivRem(index, _tickRate, out long place);
        return (index * _perTick) + (seconds * _remainder) + Math.Min(place, _remainder);
    }
}
