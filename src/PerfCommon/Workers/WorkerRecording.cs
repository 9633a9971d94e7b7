using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <summary>Records the counts, samples and moments of one worker. Its thread writes; the main thread collects intervals.</summary>
internal sealed class WorkerRecording
{
    private const int Idle = 0;
    private const int Requested = 1;
    private const int Published = 2;

    private readonly LatencySeries?[] _series = new LatencySeries?[Enum.GetValues<Series>().Length];
    private readonly long[] _moments = new long[Enum.GetValues<Moment>().Length];
    private readonly CpuReading?[] _cpu = new CpuReading?[Enum.GetValues<Moment>().Length];
    private readonly long[] _gauges;
    private IReadOnlyList<ConnectionAccount> _connections = [];
    private IReadOnlyList<NetworkPath> _paths = [];
    private long _connectionsEnded;
    private CounterSnapshot _handedOver;
    private bool _anyBroken;
    private int _state;

    public WorkerRecording(RecordingSchema? schema = null, LatencyUnit lagUnit = LatencyUnit.Microseconds)
    {
        Schema = schema ?? RecordingSchema.Library;
        Counters = new(Schema);
        _gauges = new long[Schema.GaugeCount];
        Measure(Series.SendLag, lagUnit);
    }

    /// <summary>What it counts.</summary>
    public RecordingSchema Schema { get; }

    public CounterSet Counters { get; }

    /// <summary>The figures of the worker's connections, which the process reports to its listeners.</summary>
    public ConnectionFigures Figures { get; } = new();

    /// <summary>The processor clocks at the last completed interval or, after that, at the worker's end; null before. Main thread only.</summary>
    public CpuReading? HandedOverCpu { get; private set; }

    /// <summary>Samples for the latency file; null when none is written.</summary>
    public RecordRing<LatencyRecord>? LatencyRecords { get; init; }

    /// <summary>Spans in which the worker had messages to send.</summary>
    public SendingTimes Sending { get; } = new();

    /// <summary>Samples of the worker's processor; null when not requested. Set it before it runs.</summary>
    public PlacementSamples? Placement { get; set; }

    /// <summary>Notices for people, in order.</summary>
    public RunNotices Notices { get; init; } = new();

    /// <summary>True once a connection broke instead of being closed: counts of both sides cannot be compared then. Any thread.</summary>
    public bool AnyBroken => Volatile.Read(ref _anyBroken);

    /// <summary>The slowest of the connections that have ended. Any thread.</summary>
    public IReadOnlyList<ConnectionAccount> Connections => Volatile.Read(ref _connections);

    /// <summary>The paths of the connections that have ended. Any thread.</summary>
    public IReadOnlyList<NetworkPath> Paths => Volatile.Read(ref _paths);

    /// <summary>Connections that have ended so far. Any thread.</summary>
    public long ConnectionsEnded => Volatile.Read(ref _connectionsEnded);

    public IEnumerable<Series> Measured => Enum.GetValues<Series>().Where(series => _series[(int)series] is not null);

    public LatencySeries this[Series series] =>
        _series[(int)series] ?? throw new InvalidOperationException($"{series} is not measured here");

    /// <summary>The current value. Any thread.</summary>
    public long this[Gauge gauge] => Volatile.Read(ref _gauges[(int)gauge]);

    /// <summary>Adds a series, phased when its samples are separated by <see cref="RunPhase"/>; before the worker runs.</summary>
    public LatencySeries Measure(Series series, LatencyUnit unit, bool phased = false) =>
        _series[(int)series] = new LatencySeries(unit, phased);

    /// <summary>Returns when a moment occurred, in nanoseconds of <see cref="Clock"/>; null before. Any thread.</summary>
    public long? TimeOf(Moment moment) => Volatile.Read(ref _moments[(int)moment]) is long nanos and not 0 ? nanos : null;

    /// <summary>Returns the processor clocks at a moment, read by the worker; null before. Any thread.</summary>
    public CpuReading? CpuAt(Moment moment) => TimeOf(moment) is null ? null : _cpu[(int)moment];

    /// <summary>Sets the value of a gauge. Owning thread only.</summary>
    public void Set(Gauge gauge, long value) => Volatile.Write(ref _gauges[(int)gauge], value);

    /// <summary>Records a moment, the first time only. Owning thread only.</summary>
    public void RecordFirst(Moment moment, long nowNanos)
    {
        if (_moments[(int)moment] == 0)
            RecordLast(moment, nowNanos);
    }

    /// <summary>Records a moment; the last time counts. Owning thread only.</summary>
    public void RecordLast(Moment moment, long nowNanos)
    {
        _cpu[(int)moment] = CpuClock.Current.Read();
        Volatile.Write(ref _moments[(int)moment], nowNanos);
    }

    /// <summary>Records how late messages were sent. Owning thread only.</summary>
    public void RecordLag(long lagNanos)
    {
        LatencySeries lag = this[Series.SendLag];
        lag.Record(lag.Unit.FromNanos(lagNanos));
    }

    /// <summary>Records that a connection broke. Owning thread only.</summary>
    public void RecordBroken() => Volatile.Write(ref _anyBroken, true);

    /// <summary>
    /// Keeps the results of an ended connection while it is one of the slowest, and adds its path to those of the same addresses. Owning thread only.
    /// </summary>
    public void RecordConnection(ConnectionAccount ended, NetworkPath? path)
    {
        if (path is not null)
            Volatile.Write(ref _paths, NetworkPath.Merge([.. _paths, path]));
        Volatile.Write(ref _connectionsEnded, _connectionsEnded + 1);
        if (_connections.Count < ConnectionAccount.MaxKept || ended.NotSent > 0) // most lose nothing, and thousands may end at once
            Volatile.Write(ref _connections, ConnectionAccount.Slowest([.. _connections, ended]));
    }

    /// <summary>True while the interval is requested and not completed. Owning thread.</summary>
    public bool IsRequested => Volatile.Read(ref _state) == Requested;

    /// <summary>Completes the interval when it was requested. Owning thread only, once a turn: one read when not requested.</summary>
    public void ServiceRequest()
    {
        if (!IsRequested)
            return;
        foreach (LatencySeries? series in _series)
            series?.ServiceRequests();
        _handedOver = Snapshot();
        RecordCpu();
        Volatile.Write(ref _state, Published);
    }

    /// <summary>Reads the processor clocks for the last, partial interval. Owning thread only, when it ends.</summary>
    public void RecordCpu() => HandedOverCpu = CpuClock.Current.Read();

    /// <summary>Requests the interval; <see cref="TryCollect"/> collects it. Main thread only; wake the worker.</summary>
    public void RequestInterval()
    {
        foreach (LatencySeries? series in _series)
            series?.RequestInterval();
        Interlocked.CompareExchange(ref _state, Requested, Idle);
    }

    /// <summary>
    /// Collects the requested interval: the samples of all series are in their last intervals then. Main thread only.
    /// </summary>
    /// <param name="counts">All counts at the end of the interval.</param>
    /// <returns>False while the worker has not completed it.</returns>
    public bool TryCollect(out CounterSnapshot counts)
    {
        counts = default;
        if (Volatile.Read(ref _state) != Published)
            return false;
        counts = _handedOver;
        foreach (LatencySeries? series in _series)
            series?.TryCollectInterval(out _);
        Volatile.Write(ref _state, Idle);
        return true;
    }

    /// <summary>Collects everything not yet collected, after the worker has ended. Main thread only.</summary>
    public CounterSnapshot CollectRest()
    {
        foreach (LatencySeries? series in _series)
            series?.CollectRest();
        _state = Idle;
        return Snapshot();
    }

    private CounterSnapshot Snapshot()
    {
        long dropped = LatencyRecords?.DroppedCount ?? 0;
        Counters.Add(Counter.LatencyRecordsDropped, dropped - Counters[Counter.LatencyRecordsDropped]);
        return Counters.Snapshot();
    }
}
