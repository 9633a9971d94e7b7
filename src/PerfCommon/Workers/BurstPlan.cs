using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <summary>
/// How many messages of one kind each tick sends on a connection, and which of them carry a stamp; of one worker, shared by its
/// connections.
/// </summary>
/// <remarks>The worker's thread asks; <see cref="ChangeRate"/> is for any.</remarks>
/// <param name="kind">What the messages count as.</param>
/// <param name="rate">Messages a second and connection, 0 or more.</param>
/// <param name="stampRate">Stamped messages among them, or <see cref="StampCells.All"/>.</param>
/// <param name="tickRate">Ticks a second.</param>
/// <param name="seed">Chooses the stamped messages.</param>
/// <param name="unit">Unit of the stamps.</param>
/// <param name="stampsDue">True stamps the time at which the tick was due, so that the receiver sees what a late sender did; false that at
/// which the message is made.</param>
/// <param name="measuresEncoding">True records how long encoding took each message with a stamp, as <see cref="Series.Encoding"/>.</param>
internal sealed class BurstPlan(
    MessageKind kind, int rate, int stampRate, int tickRate, int seed, LatencyUnit unit, bool stampsDue = false,
    bool measuresEncoding = false)
{
    private const int CarriedShareOfSecond = 10; // 100 ms

    private BurstRate _rate = new(rate, stampRate, tickRate, seed);
    private BurstRate? _next; // taken up with the next tick
    private long _tick = -1;
    private long _firstTick; // with somebody to send to

    public MessageKind Kind { get; } = kind;

    public LatencyUnit Unit { get; } = unit;

    /// <summary>True when a stamp tells when its tick was due, false when it tells when its message was made.</summary>
    public bool StampsDue { get; } = stampsDue;

    /// <summary>True when it is recorded how long encoding took the messages with a stamp.</summary>
    public bool MeasuresEncoding { get; } = measuresEncoding;

    /// <summary>How the rate changes with time, from the first tick with somebody to send to; null for not at all.</summary>
    public RateProfile? Profile
    {
        get;
        init => _rate = new(rate, stampRate, tickRate, seed, field = value);
    }

    /// <summary>True when the rate may be changed while it runs: ticks come also while it is 0.</summary>
    public bool MayChange { get; init; }

    /// <summary>True when there is anything to send.</summary>
    public bool IsOn => rate > 0 || MayChange;

    /// <summary>How many ticks' messages may wait for output buffers when another tick comes: those of 100 ms.</summary>
    public int TicksCarried { get; } = tickRate / CarriedShareOfSecond;

    public bool StampsAll { get; } = stampRate == StampCells.All;

    /// <summary>Has another rate hold from the next tick on, in the place of a profile too. Any thread.</summary>
    /// <param name="messages">Messages a second and connection, 0 or at least the tick rate.</param>
    public void ChangeRate(int messages) => Volatile.Write(
        ref _next, Volatile.Read(ref _rate).ChangedTo(messages, stampRate == StampCells.All ? stampRate : Math.Min(stampRate, messages)));

    /// <summary>Messages of a tick for each connection; asked only when there is somebody to send to.</summary>
    public int CountIn(in TickInfo tick)
    {
        if (tick.Index != _tick)
            TakeUp(tick.Index);
        return _rate.CountIn(tick, _firstTick);
    }

    /// <summary>Messages of the ticks that were given up before this one.</summary>
    public long SkippedBefore(in TickInfo tick) =>
        tick.SkippedBefore == 0 ? 0 : _rate.CountBefore(tick, _firstTick);

    /// <summary>Which message of a connection's burst carries a stamp, from 0; -1 for none.</summary>
    public int StampPlaceIn(in TickInfo tick, int connection) => StampsAll ? -1 : _rate.StampPlaceIn(tick, _firstTick, connection);

    // Once a tick, so that all connections see the same rate in it.
    private void TakeUp(long tick)
    {
        if (tick < _tick || _tick < 0)
            _firstTick = tick; // ticks count anew when there was nobody for a while
        _tick = tick;
        if (Volatile.Read(ref _next) is not null)
            Volatile.Write(ref _rate, Interlocked.Exchange(ref _next, null) ?? _rate);
    }
}
