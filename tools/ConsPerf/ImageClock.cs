namespace ConsPerf;

/// <summary>Determines when all workers have their images, which is when the steady state of the run begins.</summary>
/// <param name="workers">Number of workers that have items; each reports once.</param>
internal sealed class ImageClock(int workers)
{
    private readonly Lock _gate = new();
    private int _missing = workers;
    private long _latestNanos;
    private long _completeNanos = long.MaxValue;

    /// <summary>The time at which the last worker reported; <see cref="long.MaxValue"/> until then. Any thread.</summary>
    public long CompleteNanos => Volatile.Read(ref _completeNanos);

    /// <summary>True once all workers have all their images.</summary>
    public bool IsComplete => CompleteNanos != long.MaxValue;

    /// <summary>Reports that one worker has all its images and has read the messages that arrived with the last; once per worker.</summary>
    public void Report(long nowNanos)
    {
        lock (_gate)
        {
            _latestNanos = Math.Max(_latestNanos, nowNanos);
            if (--_missing == 0)
                Volatile.Write(ref _completeNanos, _latestNanos);
        }
    }
}
