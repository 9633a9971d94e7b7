namespace PerfCommon.Workers;

/// <summary>Tells which of the messages queued on a channel reached the socket, by kind.</summary>
/// <remarks>
/// A channel sends in the order of queueing and counts messages; this keeps the runs of one kind that are still on their way.
/// One owner thread writes; the totals of what was sent are read from other threads.
/// </remarks>
internal sealed class SendLedger
{
    private readonly Queue<Run> _runs = new();
    private long _headGone;
    private readonly long[] _sent = new long[MessageKinds.Count];
    private readonly long[] _counted = new long[MessageKinds.Count];
    private MessageKind _kind;
    private long _open;
    private long _settled;

    /// <summary>Messages of a kind whose last byte the socket took, as of the last <see cref="Settle"/>.</summary>
    public long Sent(MessageKind kind) => Volatile.Read(ref _sent[(int)kind]);

    /// <summary>Messages noted and not yet settled.</summary>
    public long Unsettled(MessageKind kind)
    {
        long count = _kind == kind ? _open : 0;
        foreach (Run run in _runs)
            count += run.Kind == kind ? run.Count : 0;
        return _runs.TryPeek(out Run head) && head.Kind == kind ? count - _headGone : count;
    }

    /// <summary>Notes messages just queued, in the order of queueing.</summary>
    public void Note(MessageKind kind, int count)
    {
        if (kind != _kind)
            CloseRun(kind);
        _open += count;
    }

    /// <summary>Books everything that went out meanwhile.</summary>
    /// <param name="messagesSent">Messages of this channel whose last byte the socket took, since it became active.</param>
    public void Settle(long messagesSent)
    {
        long gone = messagesSent - _settled;
        _settled = messagesSent;
        while (gone > 0 && _runs.TryPeek(out Run run))
        {
            long part = Math.Min(gone, run.Count - _headGone);
            Book(run.Kind, part);
            _headGone += part;
            gone -= part;
            if (_headGone < run.Count)
                return;
            _runs.Dequeue();
            _headGone = 0;
        }

        if (gone <= 0)
            return;
        Book(_kind, gone);
        _open -= gone;
    }

    /// <summary>Adds what went out since the last call to the counts of its kind.</summary>
    /// <param name="messagesSent">As with <see cref="Settle"/>.</param>
    /// <param name="counters">Where it counts.</param>
    public void SettleInto(CounterSet counters, long messagesSent)
    {
        if (messagesSent == _settled)
            return;
        Settle(messagesSent);
        for (MessageKind kind = 0; kind <= MessageKind.Other; kind++)
        {
            counters.Add(kind.Sent(), _sent[(int)kind] - _counted[(int)kind]);
            _counted[(int)kind] = _sent[(int)kind];
        }
    }

    private void CloseRun(MessageKind next)
    {
        if (_open > 0)
            _runs.Enqueue(new Run(_kind, _open));
        _open = 0;
        _kind = next;
    }

    private void Book(MessageKind kind, long count) => Volatile.Write(ref _sent[(int)kind], _sent[(int)kind] + count);

    private readonly record struct Run(MessageKind Kind, long Count);
}
