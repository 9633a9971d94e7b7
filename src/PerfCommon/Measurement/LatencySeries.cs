namespace PerfCommon.Measurement;

/// <summary>Records one worker's samples of one kind; the main thread collects them at intervals.</summary>
/// <remarks>Two sets alternate: the worker records into one; when the interval is requested, it passes that set to the main thread and uses the
/// other. No lock, no copy, no allocation on the worker's side. Collected samples are kept for the whole run, by phase.</remarks>
/// <param name="unit">Unit of the samples.</param>
/// <param name="phased">True when samples are separated by <see cref="RunPhase"/>; else all are of one phase, steady.</param>
public sealed class LatencySeries(LatencyUnit unit, bool phased = false)
{
    private const int Idle = 0;
    private const int Requested = 1;
    private const int Published = 2;

    private readonly LatencyPhases _whole = new(unit, phased);
    private LatencyPhases _active = new(unit, phased);
    private LatencyPhases _other = new(unit, phased);
    private Queue<HeldPhases>? _held; // intervals that are not yet part of the whole
    private int _state;

    internal bool IsPhased => phased;

    /// <summary>Unit of the samples.</summary>
    public LatencyUnit Unit => unit;

    /// <summary>The samples of the interval collected last. Collecting thread only; the next collection changes it.</summary>
    internal LatencyAccumulator LastInterval { get; } = new(unit);

    /// <summary>Keeps collected intervals apart until <see cref="Release"/>, because their samples may be moved. Before the worker runs.</summary>
    internal void Hold() => _held ??= new();

    /// <summary>Adds the oldest interval that is kept apart to the whole, each of its samples greater by a time. Collecting thread only.</summary>
    /// <param name="shift">The time in <see cref="Unit"/>.</param>
    internal void Release(long shift) => _whole.Add(_held!.Dequeue(), shift);

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

    /// <summary>Passes a requested interval to the collecting thread. Worker only, once per turn: one read when none is requested.</summary>
    internal void ServiceRequests()
    {
        if (Volatile.Read(ref _state) != Requested)
            return;

        (_active, _other) = (_other, _active);
        Volatile.Write(ref _state, Published);
    }

    /// <summary>Requests the interval; <see cref="TryCollectInterval"/> collects it. Collecting thread only.</summary>
    internal void RequestInterval() => Interlocked.CompareExchange(ref _state, Requested, Idle);

    /// <summary>Collects the requested interval, once the worker has passed it. Collecting thread only.</summary>
    /// <param name="figures">Figures of the samples recorded since the last collection; default unless the result is true.</param>
    /// <returns>False while the worker has not yet passed it, or nothing was requested.</returns>
    internal bool TryCollectInterval(out LatencyFigures figures)
    {
        if (Volatile.Read(ref _state) != Published)
        {
            figures = default;
            return false;
        }

        LastInterval.Reset();
        Collect(_other);
        Volatile.Write(ref _state, Idle);
        figures = LastInterval.Figures();
        return true;
    }

    /// <summary>Collects all remaining samples, after the worker has ended (its thread was joined). Collecting thread only.</summary>
    /// <returns>The last, partial interval.</returns>
    internal LatencyFigures CollectRest()
    {
        LastInterval.Reset();
        _other.Add(_active);
        _active.Reset();
        Collect(_other);
        _state = Idle;
        return LastInterval.Figures();
    }

    /// <summary>Adds the samples collected so far, of every phase (null) or of one; those kept apart as they are. Collecting thread only.</summary>
    /// <param name="target">The set to which they are added.</param>
    /// <param name="own">Phase by the worker's own images.</param>
    /// <param name="overall">Phase by the images of all workers.</param>
    internal void AddWholeTo(LatencyAccumulator target, RunPhase? own = null, RunPhase? overall = null)
    {
        _whole.AddTo(target, own, overall);
        if (_held is not { Count: > 0 })
            return;
        LatencyPhases apart = new(unit, phased);
        foreach (HeldPhases held in _held)
            apart.Add(held, shift: 0);
        apart.AddTo(target, own, overall);
    }

    private void Collect(LatencyPhases recorded)
    {
        recorded.AddTo(LastInterval);
        if (_held is not null)
        {
            _held.Enqueue(recorded.TakeHeld());
            return;
        }

        _whole.Add(recorded);
        recorded.Reset();
    }
}
