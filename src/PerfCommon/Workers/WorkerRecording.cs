using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <summary>Records the counts, samples and moments of one worker. Its thread writes; the main thread collects intervals.</summary>
public sealed class WorkerRecording
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

    /// <summary>Creates a recording with the series <see cref="Series.SendLag"/>.</summary>
    /// <param name="schema">What is counted; null for the counters and gauges of the library.</param>
    /// <param name="lagUnit">Unit of that series.</param>
    /// <param name="onNotice">Receives each notice at once, on the worker's thread; null keeps them for the thread that prints.</param>
    public WorkerRecording(RecordingSchema? schema = null, LatencyUnit lagUnit = LatencyUnit.Microseconds, Action<Notice>? onNotice = null)
    {
        Notices = new(onNotice);
        Schema = schema ?? RecordingSchema.Library;
        Counters = new(Schema);
        _gauges = new long[Schema.GaugeCount];
        Measure(Series.SendLag, lagUnit);
    }

    /// <summary>What it counts.</summary>
    public RecordingSchema Schema { get; }

    /// <summary>The counters of the worker: those of all its connections, and of the role itself.</summary>
    public CounterSet Counters { get; }

    /// <summary>The counters that its connections keep for themselves; null for all. Set it before the worker runs.</summary>
    internal ConnectionCounters? ConnectionCounters { get; set; }

    /// <summary>The figures of the worker's connections, which the process reports to its listeners.</summary>
    internal ConnectionFigures Figures { get; } = new();

    /// <summary>The processor clocks at the last completed interval or, after that, at the worker's end; null before. Main thread only.</summary>
    internal CpuReading? HandedOverCpu { get; private set; }

    /// <summary>Samples for the latency file; null when none is written.</summary>
    internal RecordRing<LatencyRecord>? LatencyRecords { get; init; }

    /// <summary>Spans in which the worker had messages to send.</summary>
    internal SendingTimes Sending { get; } = new();

    /// <summary>Samples of the worker's processor; null when not requested. Set it before it runs.</summary>
    internal PlacementSamples? Placement { get; set; }

    /// <summary>Notices for people, in order.</summary>
    internal RunNotices Notices { get; }

    /// <summary>True once a connection broke instead of being closed: counts of both sides cannot be compared then. Any thread.</summary>
    public bool AnyBroken => Volatile.Read(ref _anyBroken);

    /// <summary>The slowest of the connections that have ended. Any thread.</summary>
    internal IReadOnlyList<ConnectionAccount> Connections => Volatile.Read(ref _connections);

    /// <summary>The paths of the connections that have ended. Any thread.</summary>
    internal IReadOnlyList<NetworkPath> Paths => Volatile.Read(ref _paths);

    /// <summary>Connections that have ended so far. Any thread.</summary>
    internal long ConnectionsEnded => Volatile.Read(ref _connectionsEnded);

    internal IEnumerable<Series> Measured => Enum.GetValues<Series>().Where(series => _series[(int)series] is not null);

    /// <summary>Returns a series that <see cref="Measure"/> added.</summary>
    /// <exception cref="InvalidOperationException">It is not measured here.</exception>
    public LatencySeries this[Series series] =>
        _series[(int)series] ?? throw new InvalidOperationException($"{series} is not measured here");

    /// <summary>The current value. Any thread.</summary>
    public long this[Gauge gauge] => Volatile.Read(ref _gauges[(int)gauge]);

    /// <summary>Adds a series, phased when its samples are separated by <see cref="RunPhase"/>; before the worker runs.</summary>
    public LatencySeries Measure(Series series, LatencyUnit unit, bool phased = false) =>
        _series[(int)series] = new LatencySeries(unit, phased);

    /// <summary>Returns all samples of a series, of every phase. After the worker's thread has ended.</summary>
    /// <param name="series">One that <see cref="Measure"/> added.</param>
    /// <returns>A copy, in the unit of the series.</returns>
    /// <exception cref="InvalidOperationException">It is not measured here.</exception>
    public LongHistogram HistogramOf(Series series)
    {
        LatencySeries samples = this[series];
        samples.CollectRest();
        LatencyAccumulator all = new(samples.Unit);
        samples.AddWholeTo(all);
        return all.Histogram;
    }

    /// <summary>Returns when a moment occurred, in nanoseconds of <see cref="Clock"/>; null before. Any thread.</summary>
    public long? TimeOf(Moment moment) => Volatile.Read(ref _moments[(int)moment]) is long nanos and not 0 ? nanos : null;

    /// <summary>Returns the processor clocks at a moment, read by the worker; null before. Any thread.</summary>
    internal CpuReading? CpuAt(Moment moment) => TimeOf(moment) is null ? null : _cpu[(int)moment];

    /// <summary>Sets the value of a gauge. Owning thread only.</summary>
    public void Set(Gauge gauge, long value) => Volatile.Write(ref _gauges[(int)gauge], value);

    /// <summary>Records a moment, the first time only. Owning thread only.</summary>
    public void RecordFirst(Moment moment, long nowNanos)
    {
        if (_moments[(int)moment] == 0)
            RecordLast(moment, nowNanos);
    }

    /// <summary>Records a moment; the last time counts. Owning thread only.</summary>
    internal void RecordLast(Moment moment, long nowNanos)
    {
        _cpu[(int)moment] = CpuClock.Current.Read();
        Volatile.Write(ref _moments[(int)moment], nowNanos);
    }

    /// <summary>Adds a sample to the latency file, when one is written. Owning thread only; never waits.</summary>
    /// <param name="series">Series of the sample: posts and generic messages are marked in the file.</param>
    /// <param name="sent">The stamp, in its unit.</param>
    /// <param name="received">The time of receiving, in the same unit.</param>
    public void RecordSample(Series series, long sent, long received) => LatencyRecords?.TryWrite(new LatencyRecord(sent, received, series switch
    {
        Series.Posts => StampedKind.Post,
        Series.Generic => StampedKind.Generic,
        _ => StampedKind.Update,
    }));

    /// <summary>Reports an event to the listener, or to the thread that prints. Rarely used: never waits. Owning thread only.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="values">The values of its fields, in their order.</param>
    public void Report(NoticeKind kind, params ReadOnlySpan<object?> values) => Notices.Add(kind, values);

    /// <summary>Records how late messages were sent. Owning thread only.</summary>
    public void RecordLag(long lagNanos)
    {
        LatencySeries lag = this[Series.SendLag];
        lag.Record(lag.Unit.FromNanos(lagNanos));
    }

    /// <summary>Records that a connection broke. Owning thread only.</summary>
    internal void RecordBroken() => Volatile.Write(ref _anyBroken, true);

    /// <summary>
    /// Keeps the results of an ended connection while it is one of the slowest, and adds its path to those of the same addresses. Owning thread only.
    /// </summary>
    internal void RecordConnection(ConnectionAccount ended, NetworkPath? path)
    {
        if (path is not null)
            Volatile.Write(ref _paths, NetworkPath.Merge([.. _paths, path]));
        Volatile.Write(ref _connectionsEnded, _connectionsEnded + 1);
        if (_connections.Count < ConnectionAccount.MaxKept || ended.NotSent > 0) // most lose nothing, and thousands may end at once
            Volatile.Write(ref _connections, ConnectionAccount.Slowest([.. _connections, ended]));
    }

    /// <summary>True while the interval is requested and not completed. Owning thread.</summary>
    internal bool IsRequested => Volatile.Read(ref _state) == Requested;

    /// <summary>Completes the interval when it was requested. Owning thread only, once a turn: one read when not requested.</summary>
    internal void ServiceRequest()
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
    internal void RecordCpu() => HandedOverCpu = CpuClock.Current.Read();

    /// <summary>Requests the interval; <see cref="TryCollect"/> collects it. Main thread only; wake the worker.</summary>
    internal void RequestInterval()
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
    internal bool TryCollect(out CounterSnapshot counts)
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
    internal CounterSnapshot CollectRest()
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
