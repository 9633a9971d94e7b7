using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>Connections of a publisher without a place in its test: a limited number, for a limited time. Time is an argument.</summary>
/// <typeparam name="T">A connection of the link.</typeparam>
internal sealed class UnknownPeers<T>
    where T : class
{
    /// <summary>The maximum number; further ones wait in the system's queue.</summary>
    public const int Max = 64;

    /// <summary>The time that a subscriber has to announce itself.</summary>
    public const long MaxNanos = 10 * Clock.NanosPerSecond;

    /// <summary>The time that each has before it is replaced by one that waits.</summary>
    public const long MinNanos = Clock.NanosPerSecond;

    private readonly List<(T Connection, long SinceNanos)> _byAge = [];

    /// <summary>True while no further one can be accepted.</summary>
    public bool IsFull => _byAge.Count >= Max;

    /// <summary>All of them, the oldest first.</summary>
    public IEnumerable<T> All => _byAge.Select(one => one.Connection);

    public void Add(T connection, long nowNanos) => _byAge.Add((connection, nowNanos));

    /// <summary>Removes a connection that has a place now, or is closed.</summary>
    public void Remove(T connection) => _byAge.RemoveAll(one => one.Connection == connection);

    /// <summary>Finds the oldest, when its time is over; null while it is not.</summary>
    public T? FindOverdue(long nowNanos) =>
        _byAge is [var oldest, ..] && nowNanos - oldest.SinceNanos >= (IsFull ? MinNanos : MaxNanos) ? oldest.Connection : null;
}
