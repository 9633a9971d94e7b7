namespace PerfTools.Machine;

/// <summary>How busy the machine was at each look, so that the load in any window can be told afterwards.</summary>
internal sealed class LoadLog
{
    private readonly List<(DateTime Utc, ProcessorUse Use, double OwnCpuSeconds)> _looks = [];

    /// <summary>Notes a look; none where the system does not tell.</summary>
    /// <param name="utc">When it was.</param>
    /// <param name="use">What all processors have done.</param>
    /// <param name="ownCpuSeconds">Processor time of this process so far.</param>
    public void Add(DateTime utc, ProcessorUse? use, double ownCpuSeconds = 0)
    {
        if (use is { } known)
            _looks.Add((utc, known, ownCpuSeconds));
    }

    /// <summary>Looks now.</summary>
    public void Look() => Add(DateTime.UtcNow, ProcessorUse.ReadNow(), Environment.CpuUsage.TotalTime.TotalSeconds);

    /// <summary>The part of the machine that others used between the looks nearest to two times.</summary>
    /// <param name="from">Begin of the window.</param>
    /// <param name="to">Its end.</param>
    /// <param name="ownCpuSeconds">Processor time in the window that is not foreign, beside this process's own.</param>
    /// <returns>From 0 to 1; null where it cannot be known.</returns>
    public double? ForeignShare(DateTime from, DateTime to, double ownCpuSeconds) => ForeignShare(from, to, (_, _) => ownCpuSeconds);

    /// <summary>The same with the processor time between the two looks.</summary>
    /// <param name="from">Begin of the window.</param>
    /// <param name="to">Its end.</param>
    /// <param name="readOwnCpuSeconds">Reads it for two times.</param>
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
