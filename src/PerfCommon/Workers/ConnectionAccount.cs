namespace PerfCommon.Workers;

/// <summary>Results of one connection.</summary>
/// <param name="Address">Address of the peer.</param>
/// <param name="OutputBuffers">Greatest number of output buffers it had.</param>
/// <param name="Counts">Counts of the connection.</param>
internal sealed record ConnectionAccount(string Address, int OutputBuffers, CounterSnapshot Counts)
{
    /// <summary>Maximum number kept for a worker or a run.</summary>
    public const int MaxKept = 10;

    /// <summary>Percentage of the time with bytes to send in which the peer's receive window was full; null when it is not known.</summary>
    public double? PeerLimitedPercent { get; init; }

    /// <summary>Messages of every kind that were due and never sent: many mean a slow connection.</summary>
    public long NotSent =>
        Enum.GetValues<MessageKind>().Select(kind => kind.NotSent()).Distinct().Sum(counter => counter is { } kept ? Counts[kept] : 0);

    /// <summary>Returns the slowest, the worst first; of equally slow ones those that ended first.</summary>
    public static IReadOnlyList<ConnectionAccount> Slowest(IEnumerable<ConnectionAccount> all) =>
        [.. all.OrderByDescending(account => account.NotSent).Take(MaxKept)];
}
