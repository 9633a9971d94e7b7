using PerfCommon.Measurement;

namespace PerfCommon.Load;

/// <summary>Computes how many messages each tick sends, and which of them carry a stamp: at a constant rate, or along a profile. Immutable.</summary>
internal sealed class BurstRate
{
    private readonly RatePerTick _shares;
    private readonly RateProfile? _profile;
    private readonly StampCells _stamps;
    private readonly int _tickRate;

    /// <param name="rate">Messages a second, 0 or more; the greatest rate of a profile.</param>
    /// <param name="stampRate">Stamped messages among them, or <see cref="StampCells.All"/>; at a lower rate there are fewer.</param>
    /// <param name="tickRate">Ticks a second.</param>
    /// <param name="seed">Seed of the choice of stamped messages.</param>
    /// <param name="profile">Profile of the rate; null for a constant rate.</param>
    public BurstRate(int rate, int stampRate, int tickRate, int seed, RateProfile? profile = null)
        : this(rate, tickRate, new StampCells(rate, rate == 0 ? 0 : stampRate, tickRate, seed), profile)
    {
    }

    private BurstRate(int rate, int tickRate, StampCells stamps, RateProfile? profile = null) =>
        (_shares, _tickRate, _stamps, _profile) = (new(rate, tickRate), tickRate, stamps, profile);

    /// <summary>Returns another rate in place of this one, also of a profile. Cheap: the drawn stamps are kept.</summary>
    public BurstRate ChangedTo(int rate, int stampRate) => new(rate, _tickRate, _stamps.ForRate(rate, stampRate));

    /// <summary>Returns the messages of a tick.</summary>
    /// <param name="tick">The tick.</param>
    /// <param name="firstTick">Tick at which a profile begins.</param>
    public int CountIn(in TickInfo tick, long firstTick) =>
        _profile is null ? _shares.InTick(tick.InSecond) : _profile.InTick(tick.Index - firstTick, _tickRate);

    /// <summary>Returns the messages of the ticks that were skipped before one.</summary>
    /// <inheritdoc cref="CountIn"/>
    public long CountBefore(in TickInfo tick, long firstTick)
    {
        if (_profile is null)
            return _shares.InTicks(tick.Index - tick.SkippedBefore, tick.SkippedBefore);
        long ticks = Math.Min(tick.SkippedBefore, tick.Index - firstTick);
        return _profile.InTicks(tick.Index - firstTick - ticks, ticks, _tickRate);
    }

    /// <summary>Returns which message of a connection's burst carries a stamp, from 0; -1 for none.</summary>
    public int StampPlaceIn(in TickInfo tick, long firstTick, int connection) =>
        _stamps.Position(_stamps.CellOf(tick.Index, connection), CountIn(tick, firstTick));
}
