namespace PerfHub.FanOut;

/// <summary>By how long updates may wait for others, so that several of a connection go out together. Immutable.</summary>
/// <param name="MinNanos">The interval at the start, and the least.</param>
/// <param name="MaxNanos">The greatest; 0 sends everything at once.</param>
/// <param name="IncrementNanos">By how much it grows while there are updates, and shrinks while there are none.</param>
/// <param name="IsPerSession">True for an interval of each connection's own; false for one of all connections of a thread.</param>
internal sealed record BurstSettings(long MinNanos, long MaxNanos, long IncrementNanos, bool IsPerSession = false)
{
    /// <summary>Everything goes out at once.</summary>
    public static BurstSettings Off { get; } = new(0, 0, 0);

    /// <summary>True when the interval can be more than nothing.</summary>
    public bool IsOn => MaxNanos > 0 && (MinNanos > 0 || IncrementNanos > 0);
}
