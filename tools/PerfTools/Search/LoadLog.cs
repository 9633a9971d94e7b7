namespace PerfTools.Search;

/// <summary>How busy the machine was at each look, so that the load in any window can be told afterwards.</summary>
internal sealed class LoadLog
{
    private readonly List<(DateTime Utc, ProcessorUse Use)> _looks = [];

    /// <summary>Notes a look; none where the system does not tell.</summary>
    public void Add(DateTime utc, ProcessorUse? use)
    {
        if (use is { } known)
            _looks.Add((utc, known));
    }

    /// <summary>The part of the machine that others used between the looks nearest to two times.</summary>
    /// <param name="from">Begin of the window.</param>
    /// <param name="to">Its end.</param>
    /// <param name="ownCpuSeconds">Processor time in the window that is not foreign.</param>
    /// <returns>From 0 to 1; null where it cannot be known.</returns>
    public double? ForeignShare(DateTime from, DateTime to, double ownCpuSeconds)
    {
        if (_looks.Count == 0)
            return null;
        (DateTime Utc, ProcessorUse Use) first = Nearest(from);
        (DateTime Utc, ProcessorUse Use) last = Nearest(to);
        return first.Utc < last.Utc ? last.Use.ForeignShareSince(first.Use, (last.Utc - first.Utc).TotalSeconds, ownCpuSeconds) : null;
    }

    private (DateTime Utc, ProcessorUse Use) Nearest(DateTime time) => _looks.MinBy(look => (look.Utc - time).Duration());
}
