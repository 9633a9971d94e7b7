using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <summary>How many messages of one kind each tick sends on a connection, and which of them carry a stamp; of one worker, shared by its connections.</summary>
/// <param name="kind">What the messages count as.</param>
/// <param name="rate">Messages a second and connection, 0 or more.</param>
/// <param name="stampRate">Stamped messages among them, or <see cref="StampCells.All"/>.</param>
/// <param name="tickRate">Ticks a second.</param>
/// <param name="seed">Chooses the stamped messages.</param>
/// <param name="unit">Unit of the stamps.</param>
/// <param name="stampsDue">True stamps the time at which the tick was due, so that the receiver sees what a late sender did; false that at which the message is made.</param>
/// <param name="measuresEncoding">True records how long encoding took each message with a stamp, as <see cref="Series.Encoding"/>.</param>
internal sealed class BurstPlan(
    MessageKind kind, int rate, int stampRate, int tickRate, int seed, LatencyUnit unit, bool stampsDue = false, bool measuresEncoding = false)
{
    private const int CarriedShareOfSecond = 10; // 100 ms

    private readonly RatePerTick _rate = new(rate, tickRate);
    private readonly StampCells _stamps = new(rate, rate == 0 ? 0 : stampRate, tickRate, seed);

    public MessageKind Kind { get; } = kind;

    public LatencyUnit Unit { get; } = unit;

    /// <summary>True when a stamp tells when its tick was due, false when it tells when its message was made.</summary>
    public bool StampsDue { get; } = stampsDue;

    /// <summary>True when it is recorded how long encoding took the messages with a stamp.</summary>
    public bool MeasuresEncoding { get; } = measuresEncoding;

    /// <summary>True when there is anything to send.</summary>
    public bool IsOn { get; } = rate > 0;

    /// <summary>How many ticks' messages may wait for output buffers when another tick comes: those of 100 ms.</summary>
    public int TicksCarried { get; } = tickRate / CarriedShareOfSecond;

    public bool StampsAll => _stamps.EveryMessage;

    public int CountIn(in TickInfo tick) => _rate.InTick(tick.InSecond);

    /// <summary>Messages of the ticks that were given up before this one.</summary>
    public long SkippedBefore(in TickInfo tick) =>
        tick.SkippedBefore == 0 ? 0 : _rate.InTicks(tick.Index - tick.SkippedBefore, tick.SkippedBefore);

    /// <summary>Which message of a connection's burst carries a stamp, from 0; -1 for none.</summary>
    public int StampPlaceIn(in TickInfo tick, int connection) =>
        StampsAll ? -1 : _stamps.Position(_stamps.CellOf(tick.Index, connection));
}
