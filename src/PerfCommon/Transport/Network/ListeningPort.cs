namespace PerfCommon.Transport;

/// <summary>A port that accepts connections.</summary>
internal abstract class ListeningPort : IDisposable
{
    /// <summary>Its number, also when 0 was requested.</summary>
    public abstract int Number { get; }

    /// <summary>Waits for a connection.</summary>
    /// <returns>Null when none arrived in time, it was closed again, or the port is closed.</returns>
    public abstract NetworkLink? TryAccept(TimeSpan limit);

    public abstract void Dispose();
}
