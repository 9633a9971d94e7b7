namespace PerfCommon.Workers;

/// <summary>Options of a worker. Immutable; vary it with <c>with</c>.</summary>
public sealed record WorkerOptions
{
    /// <summary>Bursts per second, 1 or more.</summary>
    public int TickRate { get; init; } = 1000;

    /// <summary>True never sleeps: lowest latency, but a whole processor is busy.</summary>
    public bool BusyRead { get; init; }

    /// <summary>Maximum messages of one connection read in one turn, before ticks and other connections get theirs; 1 or more.</summary>
    internal int MaxMessagesPerTurn { get; init; } = 4_096;

    /// <summary>Receives notices for people: connected, refused, lost, rejected. Called by the worker's thread; null for none.</summary>
    public Action<Notice>? OnNotice { get; init; }

    /// <summary>Number of the worker among those of a run, from 0.</summary>
    public int Number { get; init; }
}
