namespace LatencyPerf.Protocol;

/// <summary>
/// The publisher's rounds: sends data, and recognizes its reply. One round is open at a time. Knows no link; time is an argument.
/// </summary>
/// <param name="terms">The test.</param>
/// <param name="isWarmUp">True for rounds that are excluded from all counts.</param>
internal abstract class RoundDelivery(RendezvousTerms terms, bool isWarmUp = false)
{
    private readonly DatagramKind _sentKind = isWarmUp ? DatagramKind.Prime : DatagramKind.Data;
    private readonly DatagramKind _replyKind = isWarmUp ? DatagramKind.Primed : DatagramKind.Reply;
    private readonly byte[] _probe = new byte[DatagramHeader.Bytes];

    /// <summary>The number of the open or last round; 0 before the first.</summary>
    public ulong Sequence { get; protected set; }

    /// <summary>True when the open round will have no reply any more.</summary>
    public bool IsLost { get; protected set; }

    /// <summary>True when another round may begin.</summary>
    public virtual bool MayBegin => true;

    /// <summary>True when all subscribers have all data.</summary>
    public virtual bool IsSettled => true;

    /// <summary>Why it cannot continue; null while it can.</summary>
    public string? Trouble { get; protected set; }

    /// <summary>The time at which <see cref="Tick"/> has work.</summary>
    public abstract long NextWakeNanos { get; }

    /// <summary>Datagrams sent once more.</summary>
    public long Resent { get; protected set; }

    /// <summary>Replies that arrived a second time.</summary>
    public long Duplicates { get; protected set; }

    /// <summary>Replies to rounds that had been abandoned.</summary>
    public long Late { get; protected set; }

    /// <summary>The longest of their round trips, in nanoseconds.</summary>
    public long LongestLateNanos { get; protected set; }

    /// <summary>Datagrams that were no part of the test.</summary>
    public long Foreign { get; protected set; }

    protected RendezvousTerms Terms => terms;

    /// <summary>Prepares the datagram of the next round, before its time is read.</summary>
    /// <param name="packetBytes">The size of its packet.</param>
    /// <param name="marks">The marks in addition to those of the whole test.</param>
    public abstract void Prepare(int packetBytes, DatagramMarks marks);

    /// <summary>Sends the prepared datagram.</summary>
    public abstract void Send(long nowNanos, IDatagramOutput output);

    /// <summary>Receives a datagram.</summary>
    /// <returns>True when it is the reply of the open round; it is in <paramref name="datagram"/>.</returns>
    public bool Receive(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        if (!terms.Identity.Owns(header) || header.From < 1 || header.From > terms.Subscribers)
        {
            Foreign++;
            return false;
        }

        return header.Kind == _replyKind ? ReceiveReply(header, datagram, nowNanos) : ReceiveOther(header, datagram, nowNanos, output);
    }

    /// <summary>
    /// Sends each peer by unicast the start that it has had already: the answers mean nothing, but a closed port is reported.
    /// </summary>
    public void Probe(IDatagramOutput output)
    {
        int bytes = terms.Identity.WriteHeader(_probe, DatagramKind.Start, 0, marks: terms.Marks);
        for (int cookie = 1; cookie <= terms.Subscribers; cookie++)
            output.Send(cookie, _probe.AsSpan(0, bytes));
    }

    /// <summary>Does the work that is due.</summary>
    public abstract void Tick(long nowNanos, IDatagramOutput output);

    protected virtual bool ReceiveReply(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos)
    {
        if (header.From != terms.Subscribers || header.Sequence > Sequence || !DataPacket.Belongs(header, datagram))
            Foreign++;
        else if (header.Sequence == Sequence && !IsAnswered)
            return IsAnswered = true;
        else
            ReceiveOlder(header, datagram, nowNanos);
        return false;
    }

    /// <summary>True when the open round has its reply.</summary>
    protected bool IsAnswered { get; set; } = true;

    protected abstract void ReceiveOlder(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos);

    protected virtual bool ReceiveOther(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        if (header.Kind == DatagramKind.Ended)
            Trouble ??= $"the subscriber with cookie {header.From} was interrupted";
        else if (header.Kind is not (DatagramKind.Ready or DatagramKind.Primed))
            Foreign++;
        return false;
    }

    /// <summary>Writes header and packet of the next round, except its time.</summary>
    protected void Write(Span<byte> datagram, ulong sequence, int packetBytes, DatagramMarks marks)
    {
        terms.Identity.WriteHeader(datagram, _sentKind, packetBytes, sequence, marks | terms.Marks);
        DataPacket.Fill(datagram.Slice(DatagramHeader.Bytes, packetBytes));
    }
}
