namespace PerfCommon.Workers;

/// <summary>Knows when the last image of all workers came in.</summary>
/// <remarks>Shared by the workers: each reports once; read by any thread.</remarks>
/// <param name="workers">Workers that have items.</param>
internal sealed class ImageClock(int workers)
{
    private const long NotYet = long.MaxValue;

    private int _missing = workers;
    private long _latestNanos;
    private long _completeNanos = NotYet;

    /// <summary>When the last image of the last worker came in; <see cref="long.MaxValue"/> until then.</summary>
    public long CompleteNanos => Volatile.Read(ref _completeNanos);

    /// <summary>True once all workers have all their images.</summary>
    public bool IsComplete => CompleteNanos != NotYet;

    /// <summary>Reports that one worker has all its images; once per worker.</summary>
    public void Report(long nowNanos)
    {
        long latest = Volatile.Read(ref _latestNanos);
        while (nowNanos > latest)
        {
            long seen = Interlocked.CompareExchange(ref _latestNanos, nowNanos, latest);
            if (seen == latest)
                break;
            latest = seen;
        }

        if (Interlocked.Decrement(ref _missing) == 0)
            Volatile.Write(ref _completeNanos, Volatile.Read(ref _latestNanos));
    }
}
