namespace LatencyPerf.Protocol;

/// <summary>
/// Handles the data that a subscriber receives: counts it and, for the echoer, replies. Knows no link; time is an argument.
/// </summary>
/// <param name="identity">The test, and the number of this side.</param>
/// <param name="echoes">False never replies.</param>
/// <param name="replyMarks">The marks of its replies.</param>
internal abstract class Arrivals(TestIdentity identity, bool echoes, DatagramMarks replyMarks)
{
    /// <summary>The number of data packets, each counted once.</summary>
    public long Received { get; protected set; }
    public long Replied { get; private set; }
    public long Lost { get; protected set; }
    public long Duplicates { get; protected set; }
    public long Late { get; protected set; }

    /// <summary>The time at which <see cref="Tick"/> has work.</summary>
    public virtual long NextWakeNanos => long.MaxValue;

    protected TestIdentity Identity => identity;
    protected bool Echoes => echoes;

    /// <summary>Handles a data packet, and turns it into its reply in place.</summary>
    public abstract void ReceiveData(in DatagramHeader header, Span<byte> datagram, long nowNanos, IDatagramOutput output);

    /// <summary>Handles the range of datagrams that the sender still has.</summary>
    public virtual void ReceiveHeartbeat(RetainedRange kept, long nowNanos, IDatagramOutput output)
    {
    }

    /// <summary>Does the work that is due.</summary>
    public virtual void Tick(long nowNanos, IDatagramOutput output)
    {
    }

    /// <summary>Receives the number of the last packet: missing ones up to there are lost.</summary>
    public abstract void RecordLast(ulong last);

    /// <summary>Answers a warm-up packet without counting it.</summary>
    public void ReceivePrime(Span<byte> datagram, IDatagramOutput output)
    {
        if (!echoes)
            return;
        DatagramHeader.TurnIntoReply(datagram, DatagramKind.Primed, identity.From, replyMarks);
        output.SendData(datagram);
    }

    /// <summary>Counts a packet and replies to it.</summary>
    protected void Deliver(in DatagramHeader header, Span<byte> datagram, IDatagramOutput output)
    {
        Received++;
        if (!echoes)
            return;
        DatagramHeader.TurnIntoReply(datagram, DatagramKind.Reply, identity.From, replyMarks | (header.Marks & DatagramMarks.Lead));
        output.SendData(datagram);
        Replied++;
    }
}
