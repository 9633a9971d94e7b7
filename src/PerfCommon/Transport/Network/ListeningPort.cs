namespace PerfCommon.Transport;

/// <summary>A port that connections come to.</summary>
internal abstract class ListeningPort : IDisposable
{
    /// <summary>Its number, also when 0 was asked for.</summary>
    public abstract int Number { get; }

    /// <summary>Waits for a connection.</summary>
    /// <returns>Null when none came in time, it was gone again, or the port is closed.</returns>
    public abstract NetworkLink? TryAccept(TimeSpan limit);

    public abstract void Dispose();
}
