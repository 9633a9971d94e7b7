namespace PerfTools.Search;

/// <summary>The limit of a search's measurements; the time is taken from the measurements themselves.</summary>
/// <param name="seconds">The maximum seconds of all measurements.</param>
/// <param name="samples">The maximum number of measurements.</param>
internal sealed class SearchBudget(double seconds, int samples = int.MaxValue)
{
    private readonly List<double> _taken = [];

    /// <summary>Seconds of the measurements so far.</summary>
    public double Spent => _taken.Sum();

    public int Count => _taken.Count;

    // The longest of the last few: the next one probably takes as long. The first is excluded: it starts the roles that stay up.
    private double Usual => (_taken.Count > 1 ? _taken.Skip(1) : _taken).TakeLast(3).DefaultIfEmpty(0).Max();

    public void Add(double taken) => _taken.Add(taken);

    /// <summary>True when the budget suffices for a number of further measurements.</summary>
    public bool HasRoomFor(int more) => _taken.Count + more <= samples && Spent + (more * Usual) <= seconds;
}
