namespace PerfTools.Results;

/// <summary>Everything that is known when a run is over.</summary>
internal sealed record RunResult
{
    /// <summary>What it came to.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Null when a role left no final figures.</summary>
    public required RunFigures? Figures { get; init; }

    /// <summary>The account of each link, the measured one first.</summary>
    public required IReadOnlyList<LinkResult> Links { get; init; }

    /// <summary>The roles that were started or found, in the order of the scenario.</summary>
    public required IReadOnlyList<RoleResult> Roles { get; init; }

    /// <summary>When the first role was started.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>When all roles had ended.</summary>
    public required DateTime EndUtc { get; init; }
}
