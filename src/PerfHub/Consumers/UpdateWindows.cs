using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <summary>The connections of one session thread whose updates are held back, so that several are sent together, by the time of their flush.</summary>
/// <remarks>Connections of a phase are flushed together, unless each has its interval. One owner thread.</remarks>
internal sealed class UpdateWindows
{
    private readonly PriorityQueue<List<HubSession>, long> _held = new(); // connections that are flushed at the same time, by that time
    private readonly (long DueNanos, List<HubSession>? Sessions)[] _filling = new (long, List<HubSession>?)[BurstInterval.Phases];
    private readonly Stack<List<HubSession>> _spare = new();
    private BurstInterval _burst;

    /// <summary>Numbers of the connections that are checked at the end of the turn.</summary>
    public List<int> Fresh { get; } = [];

    /// <summary>The common interval of all connections, where there is one.</summary>
    public ref readonly BurstInterval Burst => ref _burst;

    /// <summary>When the next connection with waiting updates is flushed; far in the future for none.</summary>
    public long NextDueNanos => _held.TryPeek(out _, out long dueNanos) ? dueNanos : long.MaxValue;

    /// <summary>True while a connection has waiting updates.</summary>
    public bool HoldsUpdates => _held.Count > 0;

    /// <summary>Records updates for connections, where all have one interval.</summary>
    public void RecordArrivals(BurstSettings settings, long nowNanos, long updates)
    {
        if (!settings.IsPerSession)
            _burst.Record(settings, nowNanos, updates);
    }

    /// <summary>Holds a connection once: further updates wait with the first.</summary>
    public void Hold(HubSession session, long untilNanos)
    {
        if (session.Wait.UntilNanos != 0)
            return;
        session.Wait.UntilNanos = untilNanos;
        ref (long DueNanos, List<HubSession>? Sessions) filling = ref _filling[session.SlotNumber % BurstInterval.Phases];
        if (filling.DueNanos != untilNanos) // an elapsed time never recurs
        {
            filling = (untilNanos, _spare.TryPop(out List<HubSession>? spare) ? spare : []);
            _held.Enqueue(filling.Sessions!, untilNanos);
        }

        filling.Sessions!.Add(session);
    }

    /// <summary>Removes the connections that are flushed next.</summary>
    /// <param name="untilNanos">Those of later times stay.</param>
    /// <param name="held">The connections; return them when they are flushed.</param>
    /// <param name="dueNanos">Their time; one that waits for another time was flushed before.</param>
    public bool TryDequeue(long untilNanos, out List<HubSession> held, out long dueNanos)
    {
        if (!_held.TryPeek(out held!, out dueNanos) || dueNanos > untilNanos)
            return false;
        _held.Dequeue();
        return true;
    }

    /// <summary>Returns a list of connections, to be used again.</summary>
    public void Return(List<HubSession> held)
    {
        held.Clear();
        _spare.Push(held);
    }
}
