namespace PerfTools.Machine;

/// <summary>Records samples of the machine's CPU use, from which the load in any window is computed later.</summary>
internal sealed class LoadLog
{
    private readonly List<(DateTime Utc, ProcessorUse Use, double OwnCpuSeconds)> _looks = [];

    /// <summary>Records a sample; nothing where the system does not report it.</summary>
    /// <param name="utc">The time of the sample.</param>
    /// <param name="use">The ticks of all processors so far.</param>
    /// <param name="ownCpuSeconds">Processor time of this process so far.</param>
    public void Add(DateTime utc, ProcessorUse? use, double ownCpuSeconds = 0)
    {
        if (use is { } known)
            _looks.Add((utc, known, ownCpuSeconds));
    }

    /// <summary>Takes a sample now.</summary>
    public void Look() => Add(DateTime.UtcNow, ProcessorUse.ReadNow(), Environment.CpuUsage.TotalTime.TotalSeconds);

    /// <summary>The share of the machine that others used between the samples nearest to two times.</summary>
    /// <param name="from">The beginning of the window.</param>
    /// <param name="to">Its end.</param>
    /// <param name="ownCpuSeconds">Processor time in the window that is not foreign, in addition to this process's own.</param>
    /// <returns>From 0 to 1; null where it is unknown.</returns>
    public double? ForeignShare(DateTime from, DateTime to, double ownCpuSeconds) => ForeignShare(from, to, (_, _) => ownCpuSeconds);

    /// <summary>The same with the processor time read between the two samples.</summary>
    /// <param name="from">The beginning of the window.</param>
    /// <param name="to">Its end.</param>
    /// <param name="readOwnCpuSeconds">Reads the processor time between two times.</param>
    public double? ForeignShare(DateTime from, DateTime to, Func<DateTime, DateTime, double> readOwnCpuSeconds)
    {
        if (_looks.Count == 0)
            return null;
        (DateTime Utc, ProcessorUse Use, double Own) first = Nearest(from), last = Nearest(to);
        return first.Utc < last.Utc
            ? last.Use.ForeignShareSince(
                first.Use, (last.Utc - first.Utc).TotalSeconds, readOwnCpuSeconds(first.Utc, last.Utc) + last.Own - first.Own)
            : null;
    }

    private (DateTime Utc, ProcessorUse Use, double Own) Nearest(DateTime time) => _looks.MinBy(look => (look.Utc - time).Duration());
}
