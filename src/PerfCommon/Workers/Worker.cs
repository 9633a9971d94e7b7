using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Runs the connections of one thread, turn by turn: connects, accepts, ticks, sends, waits, reads, drains.</summary>
/// <remarks>
/// It starts no thread and prints nothing: its owner calls <see cref="Run"/>, or <see cref="Turn"/> until <see cref="HasEnded"/>.
/// Every member belongs to that thread except <see cref="Serve"/>, <see cref="RequestEnd"/>, <see cref="Wake"/> and those that say so.
/// </remarks>
public sealed partial class Worker : IDisposable
{
    // Maximum late ticks before connections are read, so that neither side starves.
    private const int MaxTicksPerTurn = 4;

    // Idle-time work (refreshes) gets at least this part of each tick while there is any.
    private const int IdleShare = 10;
    private const long IdleNanos = Clock.NanosPerSecond;
    private const int MaxScratchBytes = 8_192;
    private const long TrimNanos = Clock.NanosPerSecond;
    private const int TrimsOfPool = 15; // seconds for which an array was unused

    private readonly List<Connection> _open = []; // all of them, unordered
    private readonly List<Connection> _inTurn = []; // the active list: connections that get a turn
    private readonly TickSchedule _schedule;
    private readonly long _tickNanos;
    private long _nextTrimNanos;
    private int _trims;
    private bool _isTicking;
    private int _opened;
    private volatile bool _endRequested;
    private volatile bool _hasEnded;
    private bool _isEnding;

    /// <summary>Creates a worker without connections.</summary>
    /// <param name="options">Options of the worker.</param>
    public Worker(WorkerOptions options)
        : this(options, new WorkerRecording(onNotice: options?.OnNotice ?? (static _ => { })))
    {
    }

    /// <summary>Creates a worker without connections that records what it measures.</summary>
    /// <param name="options">Options of the worker; the recording receives its notices.</param>
    /// <param name="recording">Receives its counts, samples and moments.</param>
    public Worker(WorkerOptions options, WorkerRecording recording)
        : this(options, recording, network: null) => ConnectionMeter.Start();

    /// <param name="options">Options of the worker.</param>
    /// <param name="recording">Receives its counts and samples.</param>
    /// <param name="network">Network and clock that it uses; null for the system's.</param>
    internal Worker(WorkerOptions options, WorkerRecording recording, Network? network)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(recording);
        Options = options;
        Recording = recording;
        Poller = new ChannelPoller(options.BusyRead, network ?? SystemNetwork.Instance);
        _schedule = new TickSchedule(options.TickRate);
        _tickNanos = Clock.NanosPerSecond / options.TickRate;
    }

    /// <summary>Options of the worker.</summary>
    public WorkerOptions Options { get; }

    /// <summary>True once the end was requested and every connection is closed. Any thread.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>True once it is ending: nothing is sent any more. Owning thread only.</summary>
    internal bool IsEnding => _isEnding;

    /// <summary>True once the end was requested: no new work starts. Any thread.</summary>
    public bool IsEndRequested => _endRequested;

    /// <summary>Counts and samples of the worker. Any thread reads.</summary>
    public WorkerRecording Recording { get; }

    internal ChannelPoller Poller { get; }

    /// <summary>Work of the thread besides its connections; null for none. Set it before the first turn.</summary>
    public IWorkerTask? Task { get; set; }

    /// <summary>Buffer for one message that is encoded and sent at once; shared by all connections, each during its turn.</summary>
    internal byte[] Scratch { get => field ??= new byte[MaxScratchBytes]; }

    /// <summary>The clock of its schedule and of its messages' stamps.</summary>
    public TimeSource Time => Poller.Time;

    /// <summary>Ends the current or the next wait. Any thread.</summary>
    public void Wake() => Poller.Wake();

    /// <summary>
    /// Requests the worker's end: no more ticks, queued messages are sent, our streams end, the peers' are read to their end (3 s at most). Any
    /// thread.
    /// </summary>
    public void RequestEnd()
    {
        _endRequested = true;
        Poller.Wake();
    }

    /// <summary>Runs turns until the worker has ended; rethrows an exception of a handler.</summary>
    /// <param name="ending">Requests the end as <see cref="RequestEnd"/> does.</param>
    public void Run(CancellationToken ending = default)
    {
        using CancellationTokenRegistration asked = ending.Register(RequestEnd);
        try
        {
            while (!HasEnded)
                Turn();
        }
        catch
        {
            RecordDefect(Time.NowNanos); // the counts so far remain, and end here
            throw;
        }
    }

    /// <summary>Does the work that is due, waits for bytes or the next due time, and reads.</summary>
    /// <param name="untilNanos">The latest that the wait ends, in nanoseconds of <see cref="Clock"/>.</param>
    public void Turn(long untilNanos = long.MaxValue)
    {
        long now = Time.NowNanos;
        Recording.Placement?.Record(now);
        if (_endRequested && !_isEnding && AreFirstOver(now) && Task is not { DelaysEnd: true })
            BeginEnding(now);
        DialDue(now);
        bool isUnfinished = _inTurn.Count > 0 && !_isEnding && SendWhatIsDue(now);
        isUnfinished |= Task is not null && !Task.TrySleep();
        Poller.Wait(isUnfinished ? 0 : Math.Min(untilNanos, NextWake(now)));
        Task?.OnAwake();
        ServeReady();
        Task?.Work();
        LookAtAll();
        CheckTimes();
        SettleAndDrop();
        if (now >= _nextTrimNanos)
            Trim(now);
        if (Recording.IsRequested)
            PublishInterval();
        if (!_isEnding || _open.Count > 0)
            return;
        Recording.RecordCpu();
        _hasEnded = true;
    }

    /// <summary>Closes every connection immediately.</summary>
    public void Dispose()
    {
        Recording.Figures.End();
        Poller.Dispose();
    }

    /// <summary>Releases all memory except the recording. After its thread has ended.</summary>
    internal void Release()
    {
        Dispose();
        Task = null;
        _open.Clear();
        _inTurn.Clear();
        _dialers.Clear();
    }

    // Releases the memory that a flood required, some seconds after it.
    private void Trim(long now)
    {
        _nextTrimNanos = now + TrimNanos;
        if (++_trims % TrimsOfPool == 0)
            Poller.TrimPool();
        Recording.Set(Gauge.KeptBytes, Poller.PooledBytes + (Task?.KeptBytes ?? 0));
    }

    private void PublishInterval()
    {
        long queued = 0;
        foreach (Connection connection in _open)
            queued += connection.IsOpen ? connection.Channel.BytesQueued : 0;
        Recording.Set(Gauge.QueuedBytes, queued);
        Recording.ServiceRequest();
    }

    // True when work remains that needs no wait.
    private bool SendWhatIsDue(long now)
    {
        bool isLate = SendDueTicks(ref now);
        SendIdleBlocked();
        foreach (Connection connection in _inTurn)
            connection.OnContinue();
        bool isSpareLeft = SendIdle(now);
        foreach (Connection connection in _inTurn)
            connection.Channel.Flush();
        return isLate || isSpareLeft || (!_isTicking && AreTicksWanted()); // ticks may have waited for a refresh sent just now
    }

    // Where bursts fill every output buffer, idle-time work would never get one: it gets the first free ones, for its share of a tick.
    private void SendIdleBlocked()
    {
        long until = 0;
        foreach (Connection connection in _inTurn)
        {
            while (connection.IsBlocked && connection.OnIdle()
                && Time.NowNanos < (until = until == 0 ? Time.NowNanos + (_tickNanos / IdleShare) : until))
            {
            }
        }
    }

    // True when more could be sent before the next tick.
    private bool SendIdle(long now)
    {
        long until = Math.Max(_isTicking ? _schedule.NextDueNanos : now + _tickNanos, now + (_tickNanos / IdleShare));
        bool any = true;
        while (any)
        {
            any = false;
            foreach (Connection connection in _inTurn)
                any |= connection.OnIdle();
            if (any && Time.NowNanos >= until)
                return true;
        }

        return false;
    }

    private long NextWake(long now)
    {
        if (_isEnding && _open.Count == 0)
            return now; // there is nothing to wait for
        long due = now + IdleNanos;
        if (_isTicking && !_isEnding)
            due = Math.Min(due, _schedule.NextDueNanos);
        if (Task is not null)
            due = Math.Min(due, Task.NextDueNanos);
        foreach (Dialer dialer in _dialers)
            due = Math.Min(due, dialer.NextAttemptNanos);
        foreach (Connection connection in _inTurn)
            due = Math.Min(due, Math.Min(connection.NextDueNanos, connection.CutAtNanos));
        return _open.Count > _inTurn.Count ? Math.Min(due, _nextLookNanos) : due;
    }

    private void CheckTimes()
    {
        if (_inTurn.Count == 0)
            return;
        long now = Time.NowNanos;
        foreach (Connection connection in _inTurn)
        {
            if (now >= connection.NextDueNanos)
                connection.OnDue(now);
            if (now >= connection.CutAtNanos && connection.Channel.State != ChannelState.Closed)
                connection.Cut();
        }
    }
}
