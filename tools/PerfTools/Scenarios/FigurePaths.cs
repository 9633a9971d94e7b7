using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>The paths of the figures of a scenario in the JSON lines of its roles (docs/json-lines.md).</summary>
internal sealed record FigurePaths
{
    /// <summary>The roles that measure, and the paths of their figures in the lines of intervals.</summary>
    public required MeasuredPaths Measured { get; init; }

    /// <summary>Messages per second of the steady state, in the final line.</summary>
    public required string Rate { get; init; }

    /// <summary>The length of the steady state, in the final line.</summary>
    public required string Seconds { get; init; }

    /// <summary>The latency of the steady state, in the final line.</summary>
    public required string Latency { get; init; }

    /// <summary>The retrieval of images, in a line's <c>overall</c> and <c>threads</c>; null where there are none.</summary>
    public string? Images { get; init; }

    /// <summary>The role whose threads have one connection to that role each; null for those that measure.</summary>
    public string? ConnectedBy { get; init; }

    /// <summary>The counters of a role that forwards one received message to several; null where no role does.</summary>
    public CopyCounters? Copies { get; init; }

    /// <summary>The same for messages that return to those that measure.</summary>
    public CopyCounters? ReturningCopies { get; init; }

    /// <summary>True where no rate is requested: the next message waits for the reply to the last.</summary>
    public bool HasNoRate { get; init; }

    /// <summary>Figures by size of message, in the final line of the first role that measures; null where there are none.</summary>
    public string? Sizes { get; init; }

    /// <summary>That role's option for its messages per second on each connection, with one dash.</summary>
    public required string RateOption { get; init; }

    /// <summary>
    /// A measuring role's option for the messages per second that return to it on the first link, counted there; null for none.
    /// </summary>
    public string? ReturningOption { get; init; }

    /// <summary>The counters of such messages that a worker of that role sent or had due: a worker without any has no share in the rate.</summary>
    public IReadOnlyList<string> Returning { get; init; } = [];

    /// <summary>The sender's option for the messages of a packed buffer, with one dash.</summary>
    public required string PackOption { get; init; }

    /// <summary>An option of a measuring role with which it requests no such messages; null for none.</summary>
    public string? SilencingOption { get; init; }
}

/// <summary>The counters from which the number of copies per received message is computed.</summary>
/// <param name="Role">The role that copies.</param>
/// <param name="Received">Its counters of received messages.</param>
/// <param name="Idle">Its counters of messages without a recipient.</param>
/// <param name="Copied">Its counters of copies beyond the first of each.</param>
internal sealed record CopyCounters(
    string Role, IReadOnlyList<string> Received, IReadOnlyList<string> Idle, IReadOnlyList<string> Copied)
{
    /// <summary>Its counters of copies, not of messages, among <see cref="Idle"/>: for a recipient that had left.</summary>
    public IReadOnlyList<string> LateCopies { get; init; } = [];

    /// <summary>The mean number of copies, 1 or more, over the whole of a run.</summary>
    /// <param name="final">The final line of the role; without one there are no copies.</param>
    public double ReadFactor(JsonView final) =>
        Received.Sum(final.Count) - Idle.Sum(final.Count) + LateCopies.Sum(final.Count) is > 0 and var taken
            ? 1 + ((double)Copied.Sum(final.Count) / taken) : 1;
}

/// <summary>The messages from one role to another, and the counters of both sides.</summary>
/// <remarks>A counter is its path in the final JSON line of the role that has it (docs/json-lines.md).</remarks>
/// <param name="From">The role that sends.</param>
/// <param name="To">The role that receives; the same one for messages that pass through it.</param>
/// <param name="What">The kind of message, in the plural.</param>
internal sealed record Link(string From, string To, string What)
{
    /// <summary>Counters of the sender, whose sum is the messages whose last byte its socket has accepted.</summary>
    public required IReadOnlyList<string> Sent { get; init; }

    /// <summary>Counters of the receiver, whose sum is the received messages.</summary>
    public required IReadOnlyList<string> Received { get; init; }

    /// <summary>Counters of the receiver, whose sum is the messages that it counts as lost.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Those counters of <see cref="Lost"/> whose messages had no watcher.</summary>
    public IReadOnlyList<string> Unwatched { get; init; } = [];

    /// <summary>Counters of the sender, whose sum is the messages that were due and never sent.</summary>
    public IReadOnlyList<string> NotSent { get; init; } = [];

    /// <summary>Counters of the sender, whose sum is those of <see cref="NotSent"/> that found no output buffer.</summary>
    public IReadOnlyList<string> Stopped { get; init; } = [];

    /// <summary>True when the link is omitted in a run in which nothing was counted on it.</summary>
    public bool IsOptional { get; init; }

    /// <summary>True for messages that are requested at the beginning, and are over before the end.</summary>
    public bool IsOnce { get; init; }

    /// <summary>True for options with which nothing is sent on it.</summary>
    public Func<ScenarioOptions, bool> IsLeftOut { get; init; } = static _ => false;

    /// <summary>True for a role, or one of several processes of a role, that sends on it.</summary>
    public bool IsFrom(string role) => RoleNames.IsNamedBy(From, role);

    /// <summary>True for a role, or one of several processes of a role, that receives on it.</summary>
    public bool IsTo(string role) => RoleNames.IsNamedBy(To, role);

    /// <summary>All its counters.</summary>
    public IEnumerable<string> Counters => [.. Sent, .. Received, .. Lost, .. NotSent, .. Stopped];
}
