using PerfCommon.Workers;

namespace PerfHub.FanOut;

/// <summary>Tells other threads whether a worker's thread sleeps and must be woken for what they have for it.</summary>
/// <remarks>
/// Both sides put a full fence between what they write and what they read: the sleeper its flag and then the rings, the others their
/// records and then the flag. So at least one of them sees the other, and no record waits for a thread that sleeps.
/// </remarks>
internal sealed class SleepFlag(Worker worker)
{
    private int _sleeps;

    /// <summary>Announces that the thread will sleep; look at the rings once more then. Sleeping thread only.</summary>
    public void Announce()
    {
        Volatile.Write(ref _sleeps, 1);
        Interlocked.MemoryBarrier();
    }

    /// <summary>The thread is awake: nobody need wake it. Sleeping thread only.</summary>
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
