namespace PerfCommon.Workers;

/// <summary>Tracks which of the messages queued on a channel reached the socket, by kind.</summary>
/// <remarks>
/// A channel sends in the order of queueing and counts messages; this keeps the series of one kind that are not sent yet.
/// One owner thread.
/// </remarks>
internal sealed class SendLedger
{
    private readonly Queue<Group> _groups = new();
    private long _headGone;
    private MessageKind _kind;
    private long _open;
    private long _settled;

    /// <summary>Messages recorded and not yet settled.</summary>
    public long Unsettled(MessageKind kind)
    {
        long count = (_kind == kind ? _open : 0) + _groups.Where(run => run.Kind == kind).Sum(run => run.Count);
        return _groups.TryPeek(out Group head) && head.Kind == kind ? count - _headGone : count;
    }

    /// <summary>Records messages just queued, in the order of queueing.</summary>
    public void Record(MessageKind kind, int count)
    {
        if (kind != _kind)
            CloseGroup(kind);
        _open += count;
    }

    /// <summary>Adds the messages sent since the last call to the counts of their kind.</summary>
    /// <param name="counters">The counters.</param>
    /// <param name="messagesSent">Messages of this channel whose last byte the socket accepted, since it became active.</param>
    public void Settle(CounterSet counters, long messagesSent)
    {
        long gone = messagesSent - _settled;
        _settled = messagesSent;
        while (gone > 0 && _groups.TryPeek(out Group run))
        {
            long part = Math.Min(gone, run.Count - _headGone);
            counters.Add(run.Kind.Sent(), part);
            _headGone += part;
            gone -= part;
            if (_headGone < run.Count)
                return;
            _groups.Dequeue();
            _headGone = 0;
        }

        if (gone <= 0)
            return;
        counters.Add(_kind.Sent(), gone);
        _open -= gone;
    }

    private void CloseGroup(MessageKind next)
    {
        if (_open > 0)
            _groups.Enqueue(new Group(_kind, _open));
        _open = 0;
        _kind = next;
    }

    private readonly record struct Group(MessageKind Kind, long Count);
}
