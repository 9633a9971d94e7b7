using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>The clock of the provider's host during a run: probed before, during and after it. Main thread only.</summary>
internal sealed class SenderClock : IDisposable
{
    private readonly CancellationToken _stop;
    private (DateTime Utc, ClockFigures Figures)? _last;
    private ClockFigures? _whole;
    private long _beginNanos;
    private long _endNanos;

    private SenderClock(PeerClock peer, CancellationToken stop) => (Peer, _stop) = (peer, stop);

    /// <summary>The clock with which the workers read stamps.</summary>
    public PeerClock Peer { get; }

    /// <summary>Connects to the clock; null when none is configured.</summary>
    /// <param name="options">Where the clock is.</param>
    /// <param name="stop">Ends the probing before the run early.</param>
    /// <exception cref="PerfCommon.SetupException">It does not answer, or the key cannot be used.</exception>
    public static SenderClock? Open(ClockOptions options, CancellationToken stop) =>
        options.Peer is null ? null : new SenderClock(PeerClock.Open(options), stop);

    /// <summary>Probes the clock before the run.</summary>
    public void Begin(RunConsole console)
    {
        console.WriteLine(Peer.IsSame
            ? "Clock: the provider's host has the clock of this one." : "Clock: probing the clock of the provider's host for 2 s.");
        Peer.Begin(_stop);
        _beginNanos = Clock.NowNanos;
    }

    /// <summary>Probes the clock after the run.</summary>
    public void Complete()
    {
        _endNanos = Clock.NowNanos;
        Peer.Complete();
    }

    /// <summary>Adds the clock to the figures of an interval or of the whole run; latencies that disprove it are not shown.</summary>
    public Figures Describe(Figures figures, bool isWhole)
    {
        ClockFigures clock = isWhole ? _whole ??= Peer.Describe(_beginNanos, _endNanos) : OfInterval(figures.Info);
        double? p50 = figures[Series.Updates, RunPhase.Steady].P50 ?? figures[Series.Updates].P50;
        clock = clock.Beside(p50, figures.Totals[Counter.BeyondBound]);
        return figures with
        {
            Clock = clock,
            Latencies = isWhole && clock.State == ClockState.ClockWrong
                ? figures.Latencies.Where(one => one.Key.Series is not (Series.Updates or Series.Generic)).ToDictionary() : figures.Latencies,
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
