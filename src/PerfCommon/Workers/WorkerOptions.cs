namespace PerfCommon.Workers;

/// <summary>How a worker goes about its connections. Immutable; vary it with <c>with</c>.</summary>
public sealed record WorkerOptions
{
    /// <summary>Bursts per second, 1 or more.</summary>
    public int TickRate { get; init; } = 1000;

    /// <summary>True never sleeps: lowest latency at the cost of a whole processor.</summary>
    public bool BusyRead { get; init; }

    /// <summary>Messages of one connection that are read in one turn at most, before ticks and other connections have theirs; 1 or more.</summary>
    internal int MaxMessagesPerTurn { get; init; } = 4_096;

    /// <summary>Gets sentences for a person: connected, refused, lost, rejected. Called by the worker's thread; null for silence.</summary>
    public Action<string>? OnNotice { get; init; }

    /// <summary>Number of the worker among those of a run, from 0.</summary>
    public int Number { get; init; }
}
