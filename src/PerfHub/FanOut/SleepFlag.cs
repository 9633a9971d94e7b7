using PerfCommon.Workers;

namespace PerfHub.FanOut;

/// <summary>Shows other threads whether a worker's thread sleeps and must be woken for their records.</summary>
/// <remarks>
/// Both sides put a full fence between their writes and their reads: the sleeper writes its flag and then reads the rings, the others write their
/// records and then read the flag. So at least one of them sees the other, and no record waits for a sleeping thread.
/// </remarks>
internal sealed class SleepFlag(Worker worker)
{
    private int _sleeps;

    /// <summary>Announces that the thread will sleep; check the rings once more then. Sleeping thread only.</summary>
    public void Announce()
    {
        Volatile.Write(ref _sleeps, 1);
        Interlocked.MemoryBarrier();
    }

    /// <summary>Announces that the thread is awake and need not be woken. Sleeping thread only.</summary>
    public void Clear() => Volatile.Write(ref _sleeps, 0);

    /// <summary>Wakes the thread in any case. Any thread.</summary>
    public void Wake() => worker.Wake();

    /// <summary>Wakes the thread if it sleeps or is about to. Any thread.</summary>
    public void WakeSleeper()
    {
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _sleeps) != 0 && Interlocked.Exchange(ref _sleeps, 0) != 0)
            worker.Wake();
    }
}
