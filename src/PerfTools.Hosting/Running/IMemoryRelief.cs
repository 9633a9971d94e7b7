namespace PerfTools.Hosting.Running;

/// <summary>Frees memory for a role when the limit is nearly reached, before the run is ended for it. Main thread only.</summary>
internal interface IMemoryRelief
{
    /// <summary>True when memory should be checked now.</summary>
    bool IsWanted { get; }

    /// <summary>Frees some memory.</summary>
    /// <returns>False when no more can be freed.</returns>
    bool TryMakeRoom(long nowNanos);

    /// <summary>Ends the relief: there is enough memory again, or no more can be freed.</summary>
    void End(bool hasRoom);
}
