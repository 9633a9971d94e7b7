using PerfTools.Results.Documents;

namespace PerfTools.Ranks;

/// <summary>
/// Compares what was measured of the wall clocks of the ranks with what NTP or PTP states of them. It states the error of each to the true time; two that
/// keep it are apart by the sum of both at most.
/// </summary>
internal static class ClockChecks
{
    private const double NanosPerMicro = 1_000;

    /// <summary>Creates the comparison of each pair of ranks of which something is known.</summary>
    /// <param name="clocks">The wall clocks of the ranks.</param>
    /// <param name="probed">The clocks that were probed: the rank whose clock it is, and the rank that probed it.</param>
    public static IReadOnlyList<ClockCheck> Of(IReadOnlyList<RankClock> clocks, IEnumerable<(int Rank, int Against, RunClock Clock)> probed)
    {
        Dictionary<int, RankClock> known = clocks.DistinctBy(clock => clock.Rank).ToDictionary(clock => clock.Rank);
        ClockCheck[] probes = [.. probed.Select(one => known.TryGetValue(one.Rank, out RankClock? clock)
            && known.TryGetValue(one.Against, out RankClock? against) ? OfProbes(one.Clock, clock, against) : null)
            .OfType<ClockCheck>().GroupBy(check => (check.Rank, check.Against)).Select(pair => pair.MinBy(check => check.MaxMicros - check.MinMicros)!)];
        ClockCheck[] exchanges = known.TryGetValue(0, out RankClock? zero)
            ? [.. clocks.Where(clock => clock.Rank > 0).Select(clock => OfExchanges(clock, zero)).OfType<ClockCheck>()] : [];
        return [.. probes, .. exchanges.ExceptBy(probes.Select(Pair), Pair)];
    }

    // The probes compare the clocks of the time stamps. The bound holds for every line that was in force, and so for the whole run.
    private static ClockCheck? OfProbes(RunClock probed, RankClock clock, RankClock against)
    {
        if (probed is not { State: "bounded" or "coarse", UsedMinNanos: { } least, UsedMaxNanos: { } most, BoundMicros: { } bound })
            return null;
        if (clock is not { ZeroUnixMicros: { } zero, ZeroErrorMicros: { } error })
            return null;
        if (against is not { ZeroUnixMicros: { } other, ZeroErrorMicros: { } otherError })
            return null;
        double between = zero - other, margin = bound + error + otherError;
        return Create(clock, against, ClockCheck.Probes, between + (least / NanosPerMicro) - margin, between + (most / NanosPerMicro) + margin);
    }

    // What was measured without a statement of NTP or PTP is in the clock already.
    private static ClockCheck? OfExchanges(RankClock clock, RankClock zero) =>
        clock is { OffsetMicros: { } offset, ErrorMicros: { } error } && FindStated(clock, zero) is not null
            ? Create(clock, zero, ClockCheck.Rendezvous, offset - error, offset + error) : null;

    private static ClockCheck Create(RankClock clock, RankClock against, string by, double min, double max) => new()
    {
        Rank = clock.Rank,
        Against = against.Rank,
        By = by,
        MinMicros = min,
        MaxMicros = max,
        StatedMicros = FindStated(clock, against),
    };

    private static double? FindStated(RankClock one, RankClock other) =>
        one is { Synchronized: true, MaxErrorMicros: { } error } && other is { Synchronized: true, MaxErrorMicros: { } otherError } ? error + otherError : null;

    private static (int, int) Pair(ClockCheck check) => (Math.Min(check.Rank, check.Against), Math.Max(check.Rank, check.Against));
}
