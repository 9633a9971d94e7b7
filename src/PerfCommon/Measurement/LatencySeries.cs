namespace PerfCommon.Measurement;

/// <summary>The samples of one kind of one worker: recorded by the worker, collected at intervals by the main thread.</summary>
/// <remarks>Two sets alternate: the worker records into one; asked for an interval it hands that one over and goes on with the
/// other. No lock, no copy, no allocation on the worker's side. What was collected is kept for the whole run, by phase.</remarks>
/// <param name="unit">Unit of the samples.</param>
/// <param name="phased">True when samples are told apart by <see cref="RunPhase"/>; else all are of one phase, steady.</param>
internal sealed class LatencySeries(LatencyUnit unit, bool phased = false)
{
    private const int Idle = 0;
    private const int Requested = 1;
    private const int Published = 2;

    private readonly LatencyPhases _whole = new(unit, phased);
    private LatencyPhases _active = new(unit, phased);
    private LatencyPhases _other = new(unit, phased);
    private int _state;

    public bool IsPhased => phased;

    public LatencyUnit Unit => unit;

    /// <summary>The samples of the interval taken last. Collecting thread only; changed by the next take.</summary>
    public LatencyAccumulator LastInterval { get; } = new(unit);

    /// <summary>Records a sample of a series without phases. Worker only; constant time.</summary>
    /// <param name="value">The time in <see cref="Unit"/>; negative when clocks differ.</param>
    public void Record(long value) => _active.Of(RunPhase.Steady, RunPhase.Steady).Record(value);

    /// <summary>Records the same sample several times, of a series without phases. Worker only; constant time.</summary>
    public void Record(long value, long count) => _active.Of(RunPhase.Steady, RunPhase.Steady).Record(value, count);

    /// <summary>Records a sample into its phase. Worker only; constant time.</summary>
    /// <param name="own">Phase by the worker's own images.</param>
    /// <param name="overall">Phase by the images of all workers, never later than <paramref name="own"/>.</param>
    /// <param name="value">The time in <see cref="Unit"/>; negative when clocks differ.</param>
    public void Record(RunPhase own, RunPhase overall, long value) => _active.Of(own, overall).Record(value);

    /// <summary>Hands the interval over when it was asked for. Worker only, once per turn of its loop: one read when not asked.</summary>
    public void ServiceRequests()
    {
        if (Volatile.Read(ref _state) != Requested)
            return;

        (_active, _other) = (_other, _active);
        Volatile.Write(ref _state, Published);
    }

    /// <summary>Asks for the interval; <see cref="TryTakeInterval"/> gets it. Collecting thread only.</summary>
    public void RequestInterval() => Interlocked.CompareExchange(ref _state, Requested, Idle);

    /// <summary>Takes the interval that was asked for, once the worker has handed it over. Collecting thread only.</summary>
    /// <param name="figures">What was recorded since the last take; default unless the result is true.</param>
    /// <returns>False while the worker has not yet handed it over, or nothing was asked for.</returns>
    public bool TryTakeInterval(out LatencyFigures figures)
    {
        if (Volatile.Read(ref _state) != Published)
        {
            figures = default;
            return false;
        }

        LastInterval.Reset();
        Take(_other);
        Volatile.Write(ref _state, Idle);
        figures = LastInterval.Figures();
        return true;
    }

    /// <summary>Takes everything not yet taken, after the worker has ended (its thread was joined). Collecting thread only.</summary>
    /// <returns>The last, partial interval.</returns>
    public LatencyFigures TakeRest()
    {
        LastInterval.Reset();
        Take(_other);
        Take(_active);
        _state = Idle;
        return LastInterval.Figures();
    }

    /// <summary>Adds the samples taken so far, of every phase (null) or of one. Collecting thread only.</summary>
    /// <param name="target">Where they are added.</param>
    /// <param name="own">Phase by the worker's own images.</param>
    /// <param name="overall">Phase by the images of all workers.</param>
    public void AddWholeTo(LatencyAccumulator target, RunPhase? own = null, RunPhase? overall = null) => _whole.AddTo(target, own, overall);

    private void Take(LatencyPhases recorded)
    {
        recorded.AddTo(LastInterval);
        _whole.Add(recorded);
        recorded.Reset();
    }
}
