using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Clocks;

/// <summary>The clock of the host whose stamps a role measures: probed before, during and after the run. Main thread only.</summary>
internal sealed class SenderClock : IDisposable
{
    private readonly Series[] _corrected;
    private readonly CancellationToken _stop;
    private HeldIntervals[] _held = []; // of the workers
    private (DateTime Utc, ClockFigures Figures)? _last;
    private ClockFigures? _whole;
    private long _beginNanos;
    private long _endNanos;

    private SenderClock(PeerClock peer, Series[] corrected, CancellationToken stop) => (Peer, _corrected, _stop) = (peer, corrected, stop);

    /// <summary>The clock with which the workers read stamps.</summary>
    public PeerClock Peer { get; }

    /// <summary>True once latencies were moved to other lines than those in force when they were received.</summary>
    public bool HasMoved => _held.Any(held => held.Released.Any(span => span.ShiftNanos != 0));

    /// <summary>Connects to the clock; null when none is configured.</summary>
    /// <param name="options">Where the clock is.</param>
    /// <param name="stop">Ends the probing before the run early.</param>
    /// <param name="corrected">The series of the latencies that are corrected by it; the median of the first decides whether the bound is coarse.</param>
    /// <exception cref="PerfCommon.SetupException">It does not answer, or the key cannot be used.</exception>
    public static SenderClock? Open(ClockOptions options, CancellationToken stop, params Series[] corrected) =>
        options.Peer is null ? null : new SenderClock(PeerClock.Open(options), corrected, stop);

    /// <summary>Probes the clock before the run.</summary>
    /// <param name="show">Receives a line for people.</param>
    public void Begin(Action<string> show)
    {
        show(Peer.IsSame ? "Clock: the sender's host has the clock of this one." : "Clock: probing the clock of the sender's host for 2 s.");
        Peer.Begin(_stop);
        _beginNanos = Clock.NowNanos;
        foreach (HeldIntervals held in _held)
            held.Begin(_beginNanos);
    }

    /// <summary>
    /// Keeps the latencies of workers by intervals, until later probes show how far the lines were off that corrected them. Before the workers run.
    /// </summary>
    public void Hold(IReadOnlyList<Worker> workers)
    {
        if (!Peer.IsSame)
            _held = [.. workers.Select(worker => new HeldIntervals(Peer.FindErrors, worker.Recording, _corrected))];
    }

    /// <summary>Notes that an interval of a worker was collected.</summary>
    /// <param name="worker">From 0.</param>
    /// <param name="interval">Its counts.</param>
    public void Collected(int worker, CounterSnapshot interval)
    {
        if (_held.Length > 0)
            _held[worker].Add(interval[Counter.BelowZero]);
    }

    /// <summary>Probes the clock after the run, and moves the latencies to the lines that all probes show.</summary>
    public void Complete()
    {
        _endNanos = Clock.NowNanos;
        Peer.Complete();
        foreach (HeldIntervals held in _held)
            held.Complete();
    }

    /// <summary>Returns the outcome of a run that succeeded: a failure where latencies disproved the bound.</summary>
    /// <param name="outcome">The outcome so far.</param>
    /// <param name="beyondBound">The number of those latencies.</param>
    public static RunOutcome Judge(RunOutcome outcome, long beyondBound) => outcome.Code == ExitCode.Success && beyondBound > 0
        ? new RunOutcome(ExitCode.Incomplete, $"clock-wrong: latencies below 0 beyond the bound of the clock: {beyondBound}") : outcome;

    /// <summary>Adds the clock to the figures of an interval or of the whole run; latencies that disprove it are not shown.</summary>
    public Figures Describe(Figures figures, bool isWhole)
    {
        ClockFigures clock = isWhole
            ? _whole ??= Peer.Describe(_beginNanos, _endNanos, [.. _held.SelectMany(held => held.Released)]) : OfInterval(figures.Info);
        double? p50 = figures[_corrected[0], RunPhase.Steady].P50 ?? figures[_corrected[0]].P50;
        clock = clock.Beside(p50, figures.Totals[Counter.BeyondBound]);
        return figures with
        {
            Clock = clock,
            Latencies = isWhole && clock.State == ClockState.ClockWrong
                ? figures.Latencies.Where(one => !_corrected.Contains(one.Key.Series)).ToDictionary() : figures.Latencies,
        };
    }

    public void Dispose() => Peer.Dispose();

    // The same for all workers.
    private ClockFigures OfInterval(CollectionInfo info)
    {
        long now = Clock.NowNanos;
        if (_last?.Utc != info.Utc)
            _last = (info.Utc, Peer.Describe(now - (long)(info.Seconds * Clock.NanosPerSecond), now));
        return _last.Value.Figures;
    }
}
