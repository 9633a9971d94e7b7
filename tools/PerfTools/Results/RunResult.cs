namespace PerfTools.Results;

/// <summary>Everything that is known when a run is over.</summary>
internal sealed record RunResult
{
    /// <summary>What it came to.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Null when a role left no final figures.</summary>
    public required RunFigures? Figures { get; init; }

    /// <summary>When the first role was started.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>When both roles had ended.</summary>
    public required DateTime EndUtc { get; init; }

    /// <summary>The role that listens; null when it was not started.</summary>
    public required RoleOutcome? Server { get; init; }

    /// <summary>The role that connects; null when it was not started.</summary>
    public required RoleOutcome? Client { get; init; }
}
