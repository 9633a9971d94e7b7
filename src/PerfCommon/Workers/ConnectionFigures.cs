using System.Diagnostics.Metrics;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>
/// Sums the figures of a worker's connections, open and ended, when a listener of the process collects them. Nothing is done per message.
/// </summary>
/// <remarks>The worker's thread adds and removes connections, any thread reads: a lock is taken when a connection opens or ends.</remarks>
internal sealed class ConnectionFigures
{
    private static readonly Lock ProcessLock = new();
    private static readonly List<WeakReference<ConnectionFigures>> Workers = []; // a worker that is not disposed may be collected
    private static readonly SortedDictionary<string, long[]> EndedWorkers = new(StringComparer.Ordinal);

    private readonly Lock _lock = new();
    private readonly HashSet<Connection> _open = [];
    private readonly SortedDictionary<string, long[]> _ended = new(StringComparer.Ordinal); // by role; counts by the number of their row

    /// <summary>Creates the figures of a worker, which the process reports from now on.</summary>
    public ConnectionFigures()
    {
        lock (ProcessLock)
        {
            if (Workers.Count == Workers.Capacity)
                Workers.RemoveAll(worker => !worker.TryGetTarget(out _));
            Workers.Add(new(this));
        }
    }

    /// <summary>Returns a figure of all connections of the process, for each role.</summary>
    /// <param name="row">Its number in <see cref="ConnectionFigure.All"/>.</param>
    public static IEnumerable<Measurement<long>> Measure(int row) =>
        Sum(row).Select(sum => new Measurement<long>(sum.Value, new KeyValuePair<string, object?>("role", sum.Key)));

    /// <summary>Returns the sums of a figure by role.</summary>
    /// <param name="row">Its number in <see cref="ConnectionFigure.All"/>.</param>
    public static SortedDictionary<string, long> Sum(int row)
    {
        SortedDictionary<string, long> sums = new(StringComparer.Ordinal);
        lock (ProcessLock)
        {
            AddEnded(sums, EndedWorkers, row);
            foreach (WeakReference<ConnectionFigures> worker in Workers)
            {
                if (worker.TryGetTarget(out ConnectionFigures? figures))
                    figures.AddTo(sums, row);
            }
        }

        return sums;
    }

    /// <summary>Adds a connection that is open, and reports it; not one over memory. Owning thread only.</summary>
    public void Add(Connection connection)
    {
        if (connection.Channel.Info.RemoteAddress is null)
            return;
        lock (_lock)
            _open.Add(connection);
        ConnectionEvents.Log?.Opened(connection);
    }

    /// <summary>Adds the counts of a connection to those of ended ones, and reports its end. Owning thread only.</summary>
    public void Remove(Connection connection, CloseReason reason)
    {
        lock (_lock)
        {
            if (!_open.Remove(connection))
                return;
            AddCounts(connection);
        }

        ConnectionEvents.Log?.Ended(connection, reason);
    }

    /// <summary>Ends the worker: its counts remain part of the process's.</summary>
    public void End()
    {
        lock (ProcessLock)
        {
            if (Workers.RemoveAll(worker => worker.TryGetTarget(out ConnectionFigures? figures) && figures == this) == 0)
                return;
            lock (_lock)
            {
                foreach (Connection connection in _open)
                    AddCounts(connection);
                _open.Clear();
                foreach ((string role, long[] counts) in _ended)
                {
                    long[] sums = CountsOf(EndedWorkers, role);
                    for (int row = 0; row < sums.Length; row++)
                        sums[row] += counts[row];
                }
            }
        }
    }

    private void AddTo(SortedDictionary<string, long> sums, int row)
    {
        lock (_lock)
        {
            AddEnded(sums, _ended, row);
            foreach (Connection connection in _open)
                sums[connection.Role] = sums.GetValueOrDefault(connection.Role) + ConnectionFigure.All[row].Read(connection);
        }
    }

    private void AddCounts(Connection connection)
    {
        long[] counts = CountsOf(_ended, connection.Role);
        for (int row = 0; row < counts.Length; row++)
            counts[row] += ConnectionFigure.All[row] is { IsCurrent: false } figure ? figure.Read(connection) : 0;
    }

    private static void AddEnded(SortedDictionary<string, long> sums, SortedDictionary<string, long[]> ended, int row)
    {
        foreach ((string role, long[] counts) in ended)
            sums[role] = sums.GetValueOrDefault(role) + counts[row];
    }

    private static long[] CountsOf(SortedDictionary<string, long[]> counts, string role)
    {
        if (!counts.TryGetValue(role, out long[]? found))
            counts[role] = found = new long[ConnectionFigure.All.Count];
        return found;
    }
}
