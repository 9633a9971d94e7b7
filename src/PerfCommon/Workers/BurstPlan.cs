using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <summary>How many messages of one kind each tick sends on a connection, and which of them carry a stamp; of one worker, shared by its connections.</summary>
internal sealed class BurstPlan
{
    private const int CarriedShareOfSecond = 10; // 100 ms

    private readonly RatePerTick _rate;
    private readonly StampCells _stamps;

    /// <summary>Makes a plan.</summary>
    /// <param name="kind">What the messages count as.</param>
    /// <param name="rate">Messages a second and connection, 0 or more.</param>
    /// <param name="stampRate">Stamped messages among them, or <see cref="StampCells.All"/>.</param>
    /// <param name="tickRate">Ticks a second.</param>
    /// <param name="seed">Seed of the choice of stamped messages.</param>
    /// <param name="unit">Unit of the stamps.</param>
    public BurstPlan(MessageKind kind, int rate, int stampRate, int tickRate, int seed, LatencyUnit unit)
    {
        Kind = kind;
        Unit = unit;
        IsOn = rate > 0;
        TicksCarried = tickRate / CarriedShareOfSecond;
        _rate = new RatePerTick(rate, tickRate);
        _stamps = new StampCells(rate, rate == 0 ? 0 : stampRate, tickRate, seed);
    }

    /// <summary>What the messages count as.</summary>
    public MessageKind Kind { get; }

    /// <summary>Unit of the stamps.</summary>
    public LatencyUnit Unit { get; }

    /// <summary>True when there is anything to send.</summary>
    public bool IsOn { get; }

    /// <summary>How many ticks' messages may wait for output buffers when another tick comes: those of 100 ms.</summary>
    public int TicksCarried { get; }

    /// <summary>True when every message carries a stamp.</summary>
    public bool StampsAll => _stamps.EveryMessage;

    /// <summary>Messages due in a tick.</summary>
    public int CountIn(in TickInfo tick) => _rate.InTick(tick.InSecond);

    /// <summary>Messages of the ticks that were given up before this one.</summary>
    public long SkippedBefore(in TickInfo tick) =>
        tick.SkippedBefore == 0 ? 0 : _rate.InTicks(tick.Index - tick.SkippedBefore, tick.SkippedBefore);

    /// <summary>Which message of a connection's burst carries a stamp, from 0; -1 for none.</summary>
    public int StampPlaceIn(in TickInfo tick, int connection) =>
        StampsAll ? -1 : _stamps.Position(_stamps.CellOf(tick.Index, connection));
}
