using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>What went wrong among the users of a thread, or of all: so far, or in a period.</summary>
/// <param name="Lost">Users lost or refused.</param>
/// <param name="Missing">Updates that were passed over, and did not come afterwards.</param>
/// <param name="OutOfOrder">Updates that came after a later one of their item.</param>
/// <param name="Repeated">Updates that had come already.</param>
internal readonly record struct PeriodCounts(long Lost, long Missing, long OutOfOrder, long Repeated)
{
    /// <summary>The counts so far.</summary>
    public static PeriodCounts Of(CounterSet counters) => new(
        counters[Counter.UsersLost] + counters[Counter.UsersRefused],
        counters[Counter.UpdatesSkipped] - counters[Counter.UpdatesLate],
        counters[Counter.UpdatesOutOfOrder], counters[Counter.UpdatesRepeated]);

    public static PeriodCounts operator +(PeriodCounts a, PeriodCounts b) =>
        new(a.Lost + b.Lost, a.Missing + b.Missing, a.OutOfOrder + b.OutOfOrder, a.Repeated + b.Repeated);

    public static PeriodCounts operator -(PeriodCounts a, PeriodCounts b) =>
        new(a.Lost - b.Lost, a.Missing - b.Missing, a.OutOfOrder - b.OutOfOrder, a.Repeated - b.Repeated);
}
