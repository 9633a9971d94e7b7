using System.Runtime.InteropServices;
using PerfCommon.Measurement;

namespace PerfHub.FanOut;

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
        Span<(long ReceivedNanos, int Messages)> runs = CollectionsMarshal.AsSpan(_runs);
        if (!runs.IsEmpty)
            runs[^1].Messages++;
    }

    /// <summary>What was handed on since the last time has been written and flushed.</summary>
    /// <param name="waiting">Connections for which some of it waits: here, or for a socket to take it.</param>
    /// <param name="nowNanos">The time.</param>
    /// <returns>What is to be told when each of them has it; null when nobody waits.</returns>
    public PendingRuns? Settle(int waiting, long nowNanos)
    {
        if (_runs.Count == 0)
            return null;
        PendingRuns? pending = null;
        if (waiting == 0)
            Record(_runs, nowNanos);
        else
            pending = new PendingRuns(this, [.. _runs], waiting);
        (long last, _) = _runs[^1];
        _runs.Clear();
        _runs.Add((last, 0)); // more of the same run may follow
        return pending;
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
