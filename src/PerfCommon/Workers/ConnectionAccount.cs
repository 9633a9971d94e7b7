namespace PerfCommon.Workers;

/// <summary>What one connection came to.</summary>
/// <param name="Address">The peer's.</param>
/// <param name="OutputBuffers">Most output buffers it had.</param>
/// <param name="Counts">What was counted of it.</param>
internal sealed record ConnectionAccount(string Address, int OutputBuffers, CounterSnapshot Counts)
{
    /// <summary>How many are kept of a worker or a run.</summary>
    public const int MaxKept = 10;

    /// <summary>How much of the time in which it had bytes on their way its peer had no room for more; null when it is not known.</summary>
    public double? PeerLimitedPercent { get; init; }

    /// <summary>Messages of every kind that were due and never sent: a connection that has many is a slow one.</summary>
    public long NotSent =>
        Enum.GetValues<MessageKind>().Select(kind => kind.NotSent()).Distinct().Sum(counter => counter is { } kept ? Counts[kept] : 0);

    /// <summary>The slowest, the worst first; of equally slow ones those that ended first.</summary>
    public static IReadOnlyList<ConnectionAccount> Slowest(IEnumerable<ConnectionAccount> all) =>
        [.. all.OrderByDescending(account => account.NotSent).Take(MaxKept)];
}
