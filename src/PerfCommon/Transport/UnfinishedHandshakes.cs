using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// Limits the connections of a listener whose handshake is not complete, so that silent peers never lock out a client.
/// </summary>
/// <remarks>Any thread.</remarks>
/// <param name="limit">Maximum number of connections.</param>
/// <param name="time">The clock.</param>
#pragma warning disable CA1001 // connections outlive their listener, and a semaphore whose handle is unused has no resources
internal sealed class UnfinishedHandshakes(int limit, TimeSource time)
#pragma warning restore CA1001
{
    private const string Reason = "its handshake was not done, and others wait";

    // A handshake needs milliseconds: many that start together wait for each other, and none is closed.
    private const long GraceNanos = Clock.NanosPerSecond;

    private static readonly TimeSpan MaxWait = TimeSpan.FromMilliseconds(50); // then the oldest may have had its second

    private readonly Lock _lock = new();
    private readonly SemaphoreSlim _changed = new(0);
    private readonly LinkedList<(AcceptedConnection Connection, long SinceNanos)> _oldestFirst = new();
    private readonly Dictionary<AcceptedConnection, LinkedListNode<(AcceptedConnection, long)>> _nodes = [];

    /// <summary>Number of these connections.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _nodes.Count;
        }
    }

    public void Add(AcceptedConnection connection)
    {
        lock (_lock)
            _nodes.Add(connection, _oldestFirst.AddLast((connection, time.NowNanos)));
    }

    public void Remove(AcceptedConnection connection)
    {
        lock (_lock)
        {
            if (_nodes.Remove(connection, out LinkedListNode<(AcceptedConnection, long)>? node))
                _oldestFirst.Remove(node);
        }

        if (_changed.CurrentCount == 0)
            _changed.Release();
    }

    /// <summary>Waits until there is one less, or another check is useful.</summary>
    public void WaitForChange(TimeSpan limit) => _changed.Wait(limit < MaxWait ? limit : MaxWait);

    /// <summary>Waits in the same way, asynchronously.</summary>
    public Task WaitForChangeAsync(CancellationToken cancellation) => _changed.WaitAsync(MaxWait, cancellation);


    /// <summary>True when another may start; where too many are incomplete, the oldest is closed once it has had its second.</summary>
    public bool TryMakeRoom()
    {
        AcceptedConnection oldest;
        lock (_lock)
        {
            if (_nodes.Count < limit)
                return true;
            (oldest, long since) = _oldestFirst.First!.Value;
            if (time.NowNanos - since < GraceNanos)
                return false;
            _oldestFirst.RemoveFirst();
            _nodes.Remove(oldest);
        }

        oldest.End(Reason);
        return true;
    }
}
