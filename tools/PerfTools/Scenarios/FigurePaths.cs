using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>Where the figures of a scenario stand in the JSON lines of its roles (docs/json-lines.md).</summary>
internal sealed record FigurePaths
{
    /// <summary>Who measures, and where the lines of intervals have it.</summary>
    public required MeasuredPaths Measured { get; init; }

    /// <summary>Messages a second of the steady state, in the final line.</summary>
    public required string Rate { get; init; }

    /// <summary>Length of the steady state, in the final line.</summary>
    public required string Seconds { get; init; }

    /// <summary>Latency of the steady state, in the final line.</summary>
    public required string Latency { get; init; }

    /// <summary>The retrieval of images, in a line's <c>overall</c> and <c>threads</c>; null where there are none.</summary>
    public string? Images { get; init; }

    /// <summary>The role whose threads have a connection of that role's each; null for those that measure.</summary>
    public string? ConnectedBy { get; init; }

    /// <summary>Who gives what it received once to several; null where nobody does.</summary>
    public CopyCounters? Copies { get; init; }

    /// <summary>The same of what comes back to those that measure.</summary>
    public CopyCounters? ReturningCopies { get; init; }

    /// <summary>True where no rate is asked for: the next message waits for the reply to the last.</summary>
    public bool HasNoRate { get; init; }

    /// <summary>Figures by size of message, in the final line of the first role that measures; null where there are none.</summary>
    public string? Sizes { get; init; }

    /// <summary>That role's option for its messages a second on each connection, with one dash.</summary>
    public required string RateOption { get; init; }

    /// <summary>
    /// A measuring role's option for messages a second that come back to it on the first link, counted there; null for none.
    /// </summary>
    public string? ReturningOption { get; init; }

    /// <summary>What a worker of that role sent of them, or was due to: one without any has no share in the rate.</summary>
    public IReadOnlyList<string> Returning { get; init; } = [];

    /// <summary>The sender's option for the messages of a packed buffer, with one dash.</summary>
    public required string PackOption { get; init; }

    /// <summary>An option of a measuring role with which it asks for no such messages at all; null for none.</summary>
    public string? SilencingOption { get; init; }
}

/// <summary>How many messages came of each that was received.</summary>
/// <param name="Role">Who made them.</param>
/// <param name="Received">Its counters of what was received.</param>
/// <param name="Idle">Those of what nobody was there for.</param>
/// <param name="Copied">Those of what was made beyond the first of each.</param>
internal sealed record CopyCounters(
    string Role, IReadOnlyList<string> Received, IReadOnlyList<string> Idle, IReadOnlyList<string> Copied)
{
    /// <summary>1 and more, over the whole of a run.</summary>
    /// <param name="final">The final line of the role; one that does not exist makes no copies.</param>
    public double ReadFactor(JsonView final) =>
        Received.Sum(final.Count) - Idle.Sum(final.Count) is > 0 and var taken ? 1 + ((double)Copied.Sum(final.Count) / taken) : 1;
}

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

    /// <summary>Counters of the sender, added: those of <see cref="NotSent"/> that found no output buffer.</summary>
    public IReadOnlyList<string> Stopped { get; init; } = [];

    /// <summary>True when the link is left out of a run in which nothing was counted on it.</summary>
    public bool IsOptional { get; init; }

    /// <summary>True of what is asked for at the beginning, and is over before the end.</summary>
    public bool IsOnce { get; init; }

    /// <summary>True of options with which nothing is sent on it.</summary>
    public Func<ScenarioOptions, bool> IsLeftOut { get; init; } = static _ => false;

    /// <summary>All its counters.</summary>
    public IEnumerable<string> Counters => [.. Sent, .. Received, .. Lost, .. NotSent, .. Stopped];
}
