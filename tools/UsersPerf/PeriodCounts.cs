using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>Faults counted among the users of a thread, or of all threads: so far, or in a period.</summary>
/// <param name="Lost">Users lost or refused.</param>
/// <param name="Missing">Updates that were skipped and did not arrive later.</param>
/// <param name="OutOfOrder">Updates that arrived after a later one of their item.</param>
/// <param name="Repeated">Updates that arrived more than once.</param>
internal readonly record struct PeriodCounts(long Lost, long Missing, long OutOfOrder, long Repeated)
{
    /// <summary>Reads the counts so far.</summary>
    public static PeriodCounts Of(CounterSet counters) => new(
        counters[UserCounter.UsersLost] + counters[UserCounter.UsersRefused],
        counters[Counter.UpdatesSkipped] - counters[Counter.UpdatesLate],
        counters[Counter.UpdatesOutOfOrder], counters[Counter.UpdatesRepeated]);

    public static PeriodCounts operator +(PeriodCounts a, PeriodCounts b) =>
        new(a.Lost + b.Lost, a.Missing + b.Missing, a.OutOfOrder + b.OutOfOrder, a.Repeated + b.Repeated);

    public static PeriodCounts operator -(PeriodCounts a, PeriodCounts b) =>
        new(a.Lost - b.Lost, a.Missing - b.Missing, a.OutOfOrder - b.OutOfOrder, a.Repeated - b.Repeated);
}
