using PerfCommon.Measurement;

namespace LatencyPerf.Rounds;

/// <summary>Records the round trips of one size. One object serves all sizes of a test, so that its memory is warm; one writer.</summary>
/// <param name="keepsIntervals">True keeps a histogram for every second.</param>
internal sealed class SizeFigures(bool keepsIntervals)
{
    /// <summary>The share of a size above which the clock is too coarse for it.</summary>
    private const double MaxNotPositiveShare = 0.01;

    private readonly LatencyAccumulator _trips = new(LatencyUnit.Nanoseconds);
    private readonly List<TripInterval> _intervals = [];
    private LongHistogram? _interval = keepsIntervals ? Create() : null;
    private long _intervalStartNanos;

    /// <summary>The number of samples so far, including those that are not recorded.</summary>
    public long Samples => _trips.Count + NotPositive;

    /// <summary>Round trips that took no time, or less, by the clock: not recorded.</summary>
    public long NotPositive { get; private set; }

    public bool IsClockTooCoarse => NotPositive > Samples * MaxNotPositiveShare;

    /// <summary>Discards all samples.</summary>
    public void Begin(long nowNanos)
    {
        _trips.Reset();
        _intervals.Clear();
        (NotPositive, _intervalStartNanos) = (0, nowNanos);
    }

    /// <summary>Records one round trip.</summary>
    public void Record(long sentNanos, long receivedNanos)
    {
        long nanos = receivedNanos - sentNanos;
        if (nanos <= 0)
        {
            NotPositive++;
            return;
        }

        _trips.Record(nanos);
        if (_interval is not null)
            RecordInterval(nanos, receivedNanos);
    }

    /// <summary>Creates the result of a size.</summary>
    public SizeResult Finish(int bytes, RoundCounts counts, long nowNanos)
    {
        if (_interval is { TotalCount: > 0 })
            EndInterval(nowNanos);
        LongHistogram histogram = _trips.Histogram;
        double max = _trips.Exact.Max;
        double Micros(double percentile) => Math.Min(histogram.GetValueAtPercentile(percentile), max) / Clock.NanosPerMicro;
        return new SizeResult
        {
            Bytes = bytes,
            Trips = _trips.Figures(),
            P50 = Micros(50),
            P90 = Micros(90),
            P99 = Micros(99),
            P9999 = Micros(99.99),
            Counts = counts with { NotPositive = NotPositive },
            Intervals = [.. _intervals],
        };
    }

    private static LongHistogram Create() => LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);

    private void RecordInterval(long nanos, long nowNanos)
    {
        if (nowNanos - _intervalStartNanos >= Clock.NanosPerSecond)
            EndInterval(nowNanos);
        _interval!.RecordValue(nanos);
    }

    private void EndInterval(long nowNanos)
    {
        _intervals.Add(new(_intervalStartNanos, nowNanos, _interval!));
        (_interval, _intervalStartNanos) = (Create(), nowNanos);
    }
}

/// <summary>The round trips of a second, by the clock of the run.</summary>
internal sealed record TripInterval(long FromNanos, long ToNanos, LongHistogram Trips);

/// <summary>The counts of a size in addition to its samples.</summary>
internal readonly record struct RoundCounts
{
    /// <summary>Rounds without a reply in time.</summary>
    public long Lost { get; init; }

    /// <summary>Replies that arrived after the timeout.</summary>
    public long Late { get; init; }
    public long LongestLateNanos { get; init; }
    public long Resent { get; init; }
    public long Duplicates { get; init; }
    public long NotPositive { get; init; }

    /// <summary>Rounds that began after they were due.</summary>
    public long LateStarts { get; init; }

    /// <summary>Replies whose bytes differed from those that were sent.</summary>
    public long Damaged { get; init; }

    /// <summary>Rounds started, the lead round included.</summary>
    public long Rounds { get; init; }

    public RoundCounts Plus(in RoundCounts other) => new()
    {
        Lost = Lost + other.Lost,
        Late = Late + other.Late,
        LongestLateNanos = Math.Max(LongestLateNanos, other.LongestLateNanos),
        Resent = Resent + other.Resent,
        Duplicates = Duplicates + other.Duplicates,
        NotPositive = NotPositive + other.NotPositive,
        LateStarts = LateStarts + other.LateStarts,
        Damaged = Damaged + other.Damaged,
        Rounds = Rounds + other.Rounds,
    };
}

/// <summary>The result of one size.</summary>
internal sealed record SizeResult
{
    public required int Bytes { get; init; }

    /// <summary>The samples, without percentiles that have too few of them.</summary>
    public required LatencyFigures Trips { get; init; }

    // in microseconds, for any number of samples: the table has them always
    public required double P50 { get; init; }
    public required double P90 { get; init; }
    public required double P99 { get; init; }
    public required double P9999 { get; init; }

    public RoundCounts Counts { get; init; }

    /// <summary>The samples second by second; empty unless they are kept.</summary>
    public IReadOnlyList<TripInterval> Intervals { get; init; } = [];
}
