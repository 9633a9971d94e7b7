namespace PerfCommon.Benchmarks.Runs;

/// <summary>Results and cost of one role between two of its collections, after start-up and compiling.</summary>
/// <param name="Seconds">Length of the window.</param>
/// <param name="CpuSeconds">Processor time of the process in it.</param>
/// <param name="Messages">Messages sent or received in it.</param>
/// <param name="NotSent">Messages that were due in it and not sent.</param>
/// <param name="P50Micros">Median of its intervals' median latencies; null when none was measured.</param>
/// <param name="P99Micros">Median of its intervals' 99th percentiles; null when none was measured.</param>
internal sealed record RoleWindow(double Seconds, double CpuSeconds, long Messages, long NotSent, double? P50Micros, double? P99Micros)
{
    private const double NanosPerSecond = 1e9;

    /// <summary>Messages a second.</summary>
    public double Rate => Seconds > 0 ? Messages / Seconds : 0;

    /// <summary>Processor time of one message; infinite without messages.</summary>
    public double NanosPerMessage => NanosPerSecond * CpuSeconds / Messages;

    /// <summary>Returns the window between the collections nearest to two times, which may be another role's.</summary>
    /// <returns>Null when there is no interval between them.</returns>
    public static RoleWindow? Between(IReadOnlyList<CollectionLine> lines, DateTime from, DateTime to)
    {
        if (lines.Count == 0)
            return null;
        int first = FindNearest(lines, from);
        int last = FindNearest(lines, to);
        if (first >= last)
            return null;
        CollectionLine[] within = [.. lines.Take(last + 1).Skip(first + 1)];
        return new RoleWindow(
            within.Sum(l => l.Seconds),
            lines[last].CpuSeconds - lines[first].CpuSeconds,
            within.Sum(l => l.Messages),
            within.Sum(l => l.NotSent),
            MedianInterval.MedianOf(within.Select(l => l.P50Micros).OfType<double>()),
            MedianInterval.MedianOf(within.Select(l => l.P99Micros).OfType<double>()));
    }

    private static int FindNearest(IReadOnlyList<CollectionLine> lines, DateTime time) =>
        Enumerable.Range(0, lines.Count).MinBy(i => (lines[i].Utc - time).Duration());
}
