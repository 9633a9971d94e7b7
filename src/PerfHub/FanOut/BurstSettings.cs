namespace PerfHub.FanOut;

/// <summary>The limits of how long updates may wait, so that several of a connection are sent together. Immutable.</summary>
/// <param name="MinNanos">The interval at the start, and the minimum.</param>
/// <param name="MaxNanos">The maximum; 0 sends everything at once.</param>
/// <param name="IncrementNanos">The step by which it grows while there are updates, and shrinks while there are none.</param>
/// <param name="IsPerSession">True for an interval per connection; false for one of all connections of a thread.</param>
internal sealed record BurstSettings(long MinNanos, long MaxNanos, long IncrementNanos, bool IsPerSession = false)
{
    /// <summary>Settings that send everything at once.</summary>
    public static BurstSettings Off { get; } = new(0, 0, 0);

    /// <summary>True when the interval can exceed 0.</summary>
    public bool IsOn => MaxNanos > 0 && (MinNanos > 0 || IncrementNanos > 0);
}
