namespace PerfTools.Search;

/// <summary>How much a search may measure; the time comes from the measurements themselves.</summary>
/// <param name="seconds">Most seconds of all measurements.</param>
/// <param name="samples">Most measurements.</param>
internal sealed class SearchBudget(double seconds, int samples = int.MaxValue)
{
    private readonly List<double> _taken = [];

    /// <summary>Seconds of the measurements so far.</summary>
    public double Spent => _taken.Sum();

    public int Count => _taken.Count;

    // The longest of the last few: what comes next takes as long, most likely. The first starts the roles that stay up.
    private double Usual => (_taken.Count > 1 ? _taken.Skip(1) : _taken).TakeLast(3).DefaultIfEmpty(0).Max();

    public void Add(double taken) => _taken.Add(taken);

    /// <summary>True when so many more fit in.</summary>
    public bool HasRoomFor(int more) => _taken.Count + more <= samples && Spent + (more * Usual) <= seconds;
}
