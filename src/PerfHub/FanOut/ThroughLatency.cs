using System.Runtime.InteropServices;
using PerfCommon.Measurement;

namespace PerfHub.FanOut;

/// <summary>
/// Measures the latency of messages through the hub: from the end of the call that received them until the last socket has accepted the last byte.
/// </summary>
/// <remarks>A batch of messages that were received together is one sample, counted once per message. One owner thread.</remarks>
internal sealed class ThroughLatency(LatencySeries through)
{
    private readonly List<(long ReceivedNanos, int Messages)> _batches = [];

    /// <summary>Begins a batch that was received at this time.</summary>
    public void Begin(long receivedNanos) => _batches.Add((receivedNanos, 0));

    /// <summary>Counts a forwarded message.</summary>
    public void Count()
    {
        Span<(long ReceivedNanos, int Messages)> runs = CollectionsMarshal.AsSpan(_batches);
        if (!runs.IsEmpty)
            runs[^1].Messages++;
    }

    /// <summary>Ends the batches forwarded since the last call: they were written and flushed.</summary>
    /// <param name="waiting">Connections for which part of them waits: here, or until the socket accepts it.</param>
    /// <param name="nowNanos">The time.</param>
    /// <returns>The batches to complete when each of these connections has sent them; null when none waits.</returns>
    public PendingLatencies? Settle(int waiting, long nowNanos)
    {
        if (_batches.Count == 0)
            return null;
        PendingLatencies? pending = null;
        if (waiting == 0)
            Record(_batches, nowNanos);
        else
            pending = new PendingLatencies(this, [.. _batches], waiting);
        (long last, _) = _batches[^1];
        _batches.Clear();
        _batches.Add((last, 0)); // more of the same batch may follow
        return pending;
    }

    /// <summary>Records batches that are sent now.</summary>
    public void Record(IReadOnlyList<(long ReceivedNanos, int Messages)> runs, long nowNanos)
    {
        foreach ((long received, int messages) in runs)
        {
            if (messages > 0)
                through.Record((nowNanos - received) / Clock.NanosPerMicro, messages);
        }
    }
}

/// <summary>Batches that some sockets have not accepted yet.</summary>
internal sealed class PendingLatencies(ThroughLatency book, (long ReceivedNanos, int Messages)[] runs, int missing)
{
    /// <summary>Counts one more socket that has accepted them, or never will.</summary>
    public void CountSent(long nowNanos)
    {
        if (--missing == 0)
            book.Record(runs, nowNanos);
    }
}
