using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfCommon.Load;

/// <summary>
/// Determines how many messages of one kind each tick sends on a connection, and which of them carry a stamp; one per worker, shared by its
/// connections.
/// </summary>
/// <remarks>Used by the worker's thread; <see cref="ChangeRate"/> may be called by any.</remarks>
/// <param name="kind">Kind as which the messages are counted.</param>
/// <param name="rate">Messages a second and connection, 0 or more.</param>
/// <param name="stampRate">Stamped messages among them, at most one for each tick that sends anything; -1 stamps every message.</param>
/// <param name="tickRate">Ticks a second, 1 or more: that of the worker.</param>
/// <param name="seed">Seed of the choice of stamped messages.</param>
/// <param name="unit">Unit of the stamps.</param>
/// <param name="stampsDue">True stamps the time at which the tick was due, so that the receiver measures a late sender's delay; false the time at
/// which the message is encoded.</param>
/// <param name="measuresEncoding">True records the encoding time of each message with a stamp, as <see cref="Series.Encoding"/>.</param>
public sealed class BurstPlan(
    MessageKind kind, int rate, int stampRate, int tickRate, int seed, LatencyUnit unit, bool stampsDue = false,
    bool measuresEncoding = false)
{
    private const int CarriedShareOfSecond = 10; // 100 ms

    private BurstRate _rate = new(rate, stampRate, tickRate, seed);
    private BurstRate? _next; // used from the next tick on
    private long _tick = -1;
    private long _firstTick; // the first that had a stream to send on

    internal MessageKind Kind { get; } = kind;

    internal LatencyUnit Unit { get; } = unit;

    /// <summary>True when a stamp is the time at which its tick was due, false when it is the time at which its message is encoded.</summary>
    internal bool StampsDue { get; } = stampsDue;

    /// <summary>True when the encoding time of messages with a stamp is recorded.</summary>
    internal bool MeasuresEncoding { get; } = measuresEncoding;

    /// <summary>Profile of the rate, from the first tick that has a stream to send on; null for a constant rate.</summary>
    public RateProfile? Profile
    {
        get;
        init => _rate = new(rate, stampRate, tickRate, seed, field = value);
    }

    /// <summary>True when the rate may be changed while it runs: there are ticks also while it is 0.</summary>
    public bool MayChange { get; init; }

    /// <summary>True when there may be messages to send.</summary>
    public bool IsOn => rate > 0 || MayChange;

    /// <summary>Number of ticks whose messages may wait for output buffers when another tick is due: those of 100 ms.</summary>
    internal int TicksCarried { get; } = tickRate / CarriedShareOfSecond;

    internal bool StampsAll { get; } = stampRate == StampCells.All;

    /// <summary>Sets another rate from the next tick on, which also replaces a profile. Any thread.</summary>
    /// <param name="messages">Messages a second and connection, 0 or at least the tick rate.</param>
    public void ChangeRate(int messages) => Volatile.Write(
        ref _next, Volatile.Read(ref _rate).ChangedTo(messages, stampRate == StampCells.All ? stampRate : Math.Min(stampRate, messages)));

    /// <summary>Returns the messages of a tick for each connection; called only when there is a stream to send on.</summary>
    internal int CountIn(in TickInfo tick)
    {
        if (tick.Index != _tick)
            BeginTick(tick.Index);
        return _rate.CountIn(tick, _firstTick);
    }

    /// <summary>Returns the messages of the ticks that were skipped before this one.</summary>
    internal long SkippedBefore(in TickInfo tick) =>
        tick.SkippedBefore == 0 ? 0 : _rate.CountBefore(tick, _firstTick);

    /// <summary>Returns which message of a connection's burst carries a stamp, from 0; -1 for none.</summary>
    internal int StampPlaceIn(in TickInfo tick, int connection) => StampsAll ? -1 : _rate.StampPlaceIn(tick, _firstTick, connection);

    // Called once a tick, so that all connections use the same rate in it.
    private void BeginTick(long tick)
    {
        if (tick < _tick || _tick < 0)
            _firstTick = tick; // ticks count from 0 again when no stream was open for a while
        _tick = tick;
        if (Volatile.Read(ref _next) is not null)
            Volatile.Write(ref _rate, Interlocked.Exchange(ref _next, null) ?? _rate);
    }
}
