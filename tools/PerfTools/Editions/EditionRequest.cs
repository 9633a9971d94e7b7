namespace PerfTools.Editions;

/// <summary>The requirements of a run for a role that another edition's program plays.</summary>
internal sealed record EditionRequest
{
    public required Edition Edition { get; init; }

    /// <summary>The name of the role in messages.</summary>
    public required string Role { get; init; }

    /// <summary>The program of ours that would play it, without extension.</summary>
    public required string Tool { get; init; }

    /// <summary>The arguments for our program.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>The port to listen on; null for a role that connects.</summary>
    public int? ListenPort { get; init; }

    /// <summary>The edition of the program it connects to; null for one that listens.</summary>
    public Edition? Peer { get; init; }

    /// <summary>The folder that it works in.</summary>
    public required string Folder { get; init; }

    /// <summary>The first part of the name of its latency file, of a role that measures; null of another.</summary>
    public string? LatencyStem { get; init; }
}
