namespace PerfTools.Hosting.Running;

/// <summary>What a role can do about memory that is nearly used up, before the run is ended for it. Main thread only.</summary>
internal interface IMemoryRelief
{
    /// <summary>True when it wants memory to be looked at now.</summary>
    bool IsWanted { get; }

    /// <summary>Does something about it.</summary>
    /// <returns>False when there is nothing more to be done.</returns>
    bool TryMakeRoom(long nowNanos);

    /// <summary>There is room again, or there is none to be had.</summary>
    void End(bool hasRoom);
}
