using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Clocks;

/// <summary>
/// The latencies of one worker that were corrected while they were received. They are kept by intervals, until later probes show how far the lines
/// then in force were off; then each interval is moved by one time. Main thread only.
/// </summary>
internal sealed class HeldIntervals
{
    // After half of them the difference of the clocks in an interval is known as exactly as after the run.
    private const int MaxHeld = 60;
    private const double MinShiftNanos = Clock.NanosPerMicro;
    private const double MinShareOfMedian = 0.01;

    private readonly Func<IReadOnlyList<ClockSpan>, IReadOnlyList<ClockError?>> _findErrors;
    private readonly WorkerRecording _recording;
    private readonly Series[] _corrected;
    private readonly long _unitNanos;
    private readonly List<ClockSpan> _held = [];
    private readonly List<ClockSpan> _released = [];
    private long _endNanos;

    /// <param name="findErrors">Returns the errors of the lines by which they were corrected in some intervals, by all probes so far.</param>
    /// <param name="recording">The worker's; it does not run yet.</param>
    /// <param name="corrected">The series that are corrected.</param>
    public HeldIntervals(
        Func<IReadOnlyList<ClockSpan>, IReadOnlyList<ClockError?>> findErrors, WorkerRecording recording, IEnumerable<Series> corrected)
    {
        (_findErrors, _recording, _corrected) = (findErrors, recording, [.. corrected.Where(recording.Measured.Contains)]);
        _unitNanos = _corrected.Any(series => recording[series].Unit == LatencyUnit.Microseconds) ? Clock.NanosPerMicro : 1;
        foreach (Series series in _corrected)
            recording[series].Hold();
    }

    /// <summary>The intervals so far whose latencies are final.</summary>
    public IReadOnlyList<ClockSpan> Released => _released;

    /// <summary>Sets the begin of the first interval.</summary>
    public void Begin(long nowNanos) => _endNanos = nowNanos;

    /// <summary>Adds the interval that was collected just now.</summary>
    /// <param name="belowZero">Number of its latencies that were below zero and recorded as 0.</param>
    public void Add(long belowZero)
    {
        long end = Math.Max(_endNanos, _recording.HandedOverCpu?.AtNanos ?? Clock.NowNanos);
        double median = _corrected.Min(series => _recording[series].LastInterval.Figures().P50) ?? 0;
        double least = Math.Max(MinShiftNanos, median * Clock.NanosPerMicro * MinShareOfMedian);
        _held.Add(new(_endNanos, end, least, belowZero > 0));
        _endNanos = end;
        if (_held.Count > MaxHeld)
            Release(MaxHeld / 2);
    }

    /// <summary>Moves all intervals that are left: the last probe has been answered.</summary>
    public void Complete() => Release(_held.Count);

    private void Release(int count)
    {
        if (count == 0)
            return;
        IReadOnlyList<ClockError?> errors = _findErrors(_held[..count]);
        for (int i = 0; i < count; i++)
        {
            long shift = _held[i].FindShift(errors[i], _unitNanos);
            foreach (Series series in _corrected)
                _recording[series].Release(_recording[series].Unit == LatencyUnit.Nanoseconds ? shift : shift / Clock.NanosPerMicro);
            _released.Add(_held[i] with { ShiftNanos = shift });
        }

        _held.RemoveRange(0, count);
    }
}
