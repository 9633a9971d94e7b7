namespace PerfCommon.Workers;

/// <summary>
/// The counters that each connection of a role keeps for itself; the others are its worker's alone, as a process may have thousands of connections.
/// Immutable, shared by all connections.
/// </summary>
internal sealed class ConnectionCounters
{
    private const byte NotKept = byte.MaxValue;

    private readonly byte[] _places; // by counter

    /// <param name="schema">What the workers of the role record.</param>
    /// <param name="reported">The counters of a connection that are reported. Those of messages that were not sent, by which
    /// <see cref="ConnectionAccount"/> finds the slowest, are always kept.</param>
    public ConnectionCounters(RecordingSchema schema, IEnumerable<Counter> reported)
    {
        Counter[] kept = [.. Always.Concat(reported).Distinct()];
        Count = kept.Length;
        _places = new byte[schema.CounterCount];
        Array.Fill(_places, NotKept);
        for (int place = 0; place < kept.Length; place++)
            _places[(int)kept[place]] = (byte)place;
    }

    /// <summary>Number of counters that a connection keeps.</summary>
    public int Count { get; }

    private static IEnumerable<Counter> Always => Enum.GetValues<MessageKind>().Select(kind => kind.NotSent()).OfType<Counter>();

    /// <summary>Finds the place of a counter among the values of a connection.</summary>
    /// <param name="counter">One of the schema.</param>
    /// <param name="place">0 to <see cref="Count"/> - 1, when it is kept.</param>
    public bool TryFind(Counter counter, out int place)
    {
        place = _places[(int)counter];
        return place != NotKept;
    }

    /// <summary>Returns the values of a connection by the numbers of their counters; 0 where they are not kept.</summary>
    /// <param name="values">In their places.</param>
    public CounterSnapshot Snapshot(ReadOnlySpan<long> values)
    {
        Span<long> all = stackalloc long[_places.Length];
        for (int counter = 0; counter < all.Length; counter++)
            all[counter] = TryFind((Counter)counter, out int place) ? values[place] : 0;
        return new(all);
    }
}
