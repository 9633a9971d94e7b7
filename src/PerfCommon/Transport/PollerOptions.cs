namespace PerfCommon.Transport;

/// <summary>How a worker thread waits. Immutable; vary it with <c>with</c>.</summary>
public sealed record PollerOptions
{
    /// <summary>True never sleeps: every wait only looks, at the cost of a whole processor.</summary>
    public bool BusyRead { get; init; }
}
