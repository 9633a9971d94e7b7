namespace PerfHub.Memory;

/// <summary>
/// Says to all threads of a hub that the memory it may use is nearly used up: nothing more is read of sources until there is room again.
/// Any thread.
/// </summary>
/// <remarks>
/// A thread whose items grow looks by itself, for a source can fill what is left while the main thread sleeps; what is done about it is the
/// job of whoever made it.
/// </remarks>
/// <param name="readUsedBytes">What is in use now; cheap.</param>
internal sealed class HubMemory(Func<long> readUsedBytes)
{
    private const double Tight = 0.85; // of what may be used
    private const double Last = 0.9; // where nobody can be asked for room: there the run ends

    private static readonly long AllBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    private long _limitBytes = (long)(Tight * AllBytes);
    private volatile bool _isTight;
    private volatile bool _hasEnded;

    public HubMemory()
        : this(static () => GC.GetTotalMemory(forceFullCollection: false))
    {
    }

    /// <summary>True while no source should be read, and nothing is kept that nobody wants.</summary>
    public bool IsTight => _isTight;

    /// <summary>True once the run ends because there is no room: nothing further is kept.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>Looks whether there is room; for a thread that keeps more than it did.</summary>
    public void Look()
    {
        if (readUsedBytes() > Volatile.Read(ref _limitBytes))
            _isTight = true;
    }

    /// <summary>There is not enough room, whatever a thread has seen.</summary>
    public void Tighten() => _isTight = true;

    /// <summary>There is room again.</summary>
    public void Ease()
    {
        Volatile.Write(ref _limitBytes, (long)(Tight * AllBytes));
        _isTight = false;
    }

    /// <summary>There is no more room to be had: what is left may be used.</summary>
    public void UseRest()
    {
        Volatile.Write(ref _limitBytes, (long)(Last * AllBytes));
        _isTight = false;
    }

    /// <summary>The run ends because there is no room.</summary>
    public void End()
    {
        _hasEnded = true;
        _isTight = false; // what still comes is read to its end, and counted
    }
}
