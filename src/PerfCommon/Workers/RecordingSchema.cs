namespace PerfCommon.Workers;

/// <summary>
/// The counters and gauges that the workers of a role record: those of the library, and after them the role's own, which are named in the role's
/// room and have numbers from <see cref="FirstCounter"/> and <see cref="FirstGauge"/>.
/// </summary>
/// <remarks>Immutable. Sets of counts have the size of their schema: a role keeps no counts of another role.</remarks>
public sealed class RecordingSchema
{
    /// <summary>The first counter of a role.</summary>
    public const Counter FirstCounter = Counter.PostsUnwatched + 1;

    /// <summary>The first gauge of a role.</summary>
    public const Gauge FirstGauge = Gauge.QueuedBytes + 1;

    private readonly string[] _counters;
    private readonly (string Name, bool IsMax)[] _gauges;

    /// <summary>Creates the schema of a role.</summary>
    /// <param name="counters">Names of its counters, in the order of their numbers.</param>
    /// <param name="gauges">Names of its gauges, in the order of their numbers, and whether the value of several workers is their maximum instead of
    /// their sum.</param>
    public RecordingSchema(IEnumerable<string> counters, IEnumerable<(string Name, bool IsMax)> gauges) =>
        (_counters, _gauges) = ([.. counters], [.. gauges]);

    /// <summary>The counters and gauges of the library alone.</summary>
    internal static RecordingSchema Library { get; } = new([], []);

    /// <summary>All counters, in the order of their numbers.</summary>
    public IEnumerable<Counter> Counters => Enumerable.Range(0, CounterCount).Select(number => (Counter)number);

    /// <summary>All gauges, in the order of their numbers.</summary>
    public IEnumerable<Gauge> Gauges => Enumerable.Range(0, GaugeCount).Select(number => (Gauge)number);

    internal int CounterCount => (int)FirstCounter + _counters.Length;

    internal int GaugeCount => (int)FirstGauge + _gauges.Length;

    /// <summary>Returns the name of a counter.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is not in this schema.</exception>
    public string NameOf(Counter counter)
    {
        ArgumentOutOfRangeException.ThrowIfNegative((int)counter, nameof(counter));
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((int)counter, CounterCount, nameof(counter));
        return counter < FirstCounter ? counter.ToString() : _counters[counter - FirstCounter];
    }

    /// <summary>True for a gauge whose value of several workers is their maximum, false where it is their sum.</summary>
    internal bool IsMax(Gauge gauge) => gauge < FirstGauge ? gauge == Gauge.QueuedBytesMax : _gauges[gauge - FirstGauge].IsMax;
}
