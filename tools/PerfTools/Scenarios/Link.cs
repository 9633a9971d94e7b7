namespace PerfTools.Scenarios;

/// <summary>What one role sends to another, and which counters say so.</summary>
/// <remarks>A counter is its path in the final JSON line of the role that has it (docs/json-lines.md).</remarks>
/// <param name="From">The role that sends.</param>
/// <param name="To">The role that receives; the same one for what passes through it.</param>
/// <param name="What">What is sent, in the plural.</param>
internal sealed record Link(string From, string To, string What)
{
    /// <summary>Counters of the sender, added: messages whose last byte its socket took.</summary>
    public required IReadOnlyList<string> Sent { get; init; }

    /// <summary>Counters of the receiver, added.</summary>
    public required IReadOnlyList<string> Received { get; init; }

    /// <summary>Counters of the receiver, added: messages that it counts as lost.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Counters of the sender, added: messages that were due and never sent.</summary>
    public IReadOnlyList<string> NotSent { get; init; } = [];

    /// <summary>True when the link is left out of a run in which nothing was counted on it.</summary>
    public bool IsOptional { get; init; }

    /// <summary>All its counters.</summary>
    public IEnumerable<string> Counters => [.. Sent, .. Received, .. Lost, .. NotSent];
}
