using PerfCommon.Measurement;

namespace HubPerf.Delivery;

/// <summary>
/// How long messages take through the hub: from the end of the call that received them until the last socket has taken the last byte.
/// </summary>
/// <remarks>A run of messages that were received together is one sample, which counts as many times. One owner thread.</remarks>
internal sealed class LatencyBook(LatencySeries through)
{
    private readonly List<(long ReceivedNanos, int Messages)> _runs = [];

    /// <summary>What follows was received at this time.</summary>
    public void Begin(long receivedNanos) => _runs.Add((receivedNanos, 0));

    /// <summary>A message was handed on.</summary>
    public void Count()
    {
        if (_runs.Count > 0)
            _runs[^1] = (_runs[^1].ReceivedNanos, _runs[^1].Messages + 1);
    }

    /// <summary>What was handed on since the last time has been written and flushed.</summary>
    /// <param name="written">The connections that got something.</param>
    /// <param name="nowNanos">The time.</param>
    public void Settle(List<HubSession> written, long nowNanos)
    {
        if (_runs.Count == 0)
            return;
        int blocked = 0;
        foreach (HubSession session in written)
            blocked += session.Channel.BytesQueued > 0 ? 1 : 0;
        if (blocked == 0)
            Record(_runs, nowNanos);
        else
            Postpone(written, blocked);
        (long last, _) = _runs[^1];
        _runs.Clear();
        _runs.Add((last, 0)); // more of the same run may follow
    }

    /// <summary>Records runs that are out now.</summary>
    public void Record(IReadOnlyList<(long ReceivedNanos, int Messages)> runs, long nowNanos)
    {
        foreach ((long received, int messages) in runs)
        {
            if (messages > 0)
                through.Record((nowNanos - received) / Clock.NanosPerMicro, messages);
        }
    }

    private void Postpone(List<HubSession> written, int blocked)
    {
        PendingRuns pending = new(this, [.. _runs], blocked);
        foreach (HubSession session in written)
        {
            if (session.Channel.BytesQueued > 0)
                session.Await(pending);
        }
    }
}

/// <summary>Runs that some sockets have not taken yet.</summary>
internal sealed class PendingRuns(LatencyBook book, (long ReceivedNanos, int Messages)[] runs, int missing)
{
    /// <summary>One more socket has taken them, or never will.</summary>
    public void NoteTaken(long nowNanos)
    {
        if (--missing == 0)
            book.Record(runs, nowNanos);
    }
}
