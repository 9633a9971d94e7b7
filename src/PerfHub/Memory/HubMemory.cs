namespace PerfHub.Memory;

/// <summary>
/// Signals to all threads of a hub that its memory is nearly used up: sources are not read until there is enough again. Any thread.
/// </summary>
/// <remarks>
/// A thread whose items grow checks by itself, because a source can fill the remaining memory while the main thread sleeps. Freeing memory is left to
/// the owner of this object.
/// </remarks>
/// <param name="readUsedBytes">Reads the bytes in use now; cheap.</param>
internal sealed class HubMemory(Func<long> readUsedBytes)
{
    private const double Tight = 0.85; // of the allowed bytes
    private const double Last = 0.9; // where no thread can be asked to free memory: there the run ends

    private static readonly long AllBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    private long _limitBytes = (long)(Tight * AllBytes);
    private volatile bool _isTight;
    private volatile bool _hasEnded;

    public HubMemory()
        : this(static () => GC.GetTotalMemory(forceFullCollection: false))
    {
    }

    /// <summary>True while no source should be read, and nothing without watchers is kept.</summary>
    public bool IsTight => _isTight;

    /// <summary>True once the run ends for lack of memory: nothing more is kept.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>Checks the memory; for a thread that stores more than before.</summary>
    public void Look()
    {
        if (readUsedBytes() > Volatile.Read(ref _limitBytes))
            _isTight = true;
    }

    /// <summary>Signals a lack of memory, whatever a thread has seen.</summary>
    public void Tighten() => _isTight = true;

    /// <summary>Signals that there is enough memory again.</summary>
    public void Ease()
    {
        Volatile.Write(ref _limitBytes, (long)(Tight * AllBytes));
        _isTight = false;
    }

    /// <summary>Allows the remaining memory to be used: no more can be freed.</summary>
    public void UseRest()
    {
        Volatile.Write(ref _limitBytes, (long)(Last * AllBytes));
        _isTight = false;
    }

    /// <summary>Signals that the run ends for lack of memory.</summary>
    public void End()
    {
        _hasEnded = true;
        _isTight = false; // messages that still arrive are read to the end, and counted
    }
}
