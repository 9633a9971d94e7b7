namespace PerfHub.Consumers;

/// <summary>The connections of one session thread by their numbers, and those that have ended, whose streams are still to be closed.</summary>
/// <remarks>One owner thread.</remarks>
internal sealed class ConsumerTable
{
    // Streams of ended connections.
    private const int MaxClosedPerTurn = 1_024;
    private const int ClosedAtOnce = 128;

    private readonly Stack<int> _freeNumbers = new();
    private readonly Queue<HubSession> _closing = new(); // their streams are closed, some in each turn
    private int _left; // connections among them that have ended

    /// <summary>The connections by their numbers; null for a free number.</summary>
    public List<HubSession?> Sessions { get; } = [];

    /// <summary>Number of connections that publish instead of consuming.</summary>
    public int Publishers { get; set; }

    /// <summary>Number of connections whose numbers are in use.</summary>
    public int Count => Sessions.Count - _freeNumbers.Count;

    /// <summary>Number of consumers that are connected.</summary>
    public int Consumers => Count - Publishers - _left;

    /// <summary>True while streams are to be closed.</summary>
    public bool IsClosing => _closing.Count > 0;

    /// <summary>Adds a connection.</summary>
    /// <returns>Its number.</returns>
    public int Enter(HubSession session)
    {
        if (_freeNumbers.TryPop(out int number))
        {
            Sessions[number] = session;
        }
        else
        {
            number = Sessions.Count;
            Sessions.Add(session);
        }

        return number;
    }

    /// <summary>Begins to close the streams of a connection that has ended, or whose login has.</summary>
    public void BeginClosing(HubSession session) => _closing.Enqueue(session);

    /// <summary>Records that a connection has ended; its number is free once its streams are closed.</summary>
    public void CountLeft() => _left++;

    /// <summary>Closes some streams.</summary>
    /// <param name="links">The rings to the source threads: only while they have space, as new requests need some, too.</param>
    public void CloseSome(SourceLink[] links)
    {
        for (int left = MaxClosedPerTurn; left > 0 && _closing.TryPeek(out HubSession? session) && !SourceLink.IsAnyCrowded(links); left -= ClosedAtOnce)
        {
            if (session.CloseSome(ClosedAtOnce))
                continue;
            _closing.Dequeue();
            if (session.HasLeft)
                Leave(session);
        }
    }

    // Removes a connection whose streams were closed.
    private void Leave(HubSession session)
    {
        _left--;
        Sessions[session.SlotNumber] = null;
        _freeNumbers.Push(session.SlotNumber);
    }
}
