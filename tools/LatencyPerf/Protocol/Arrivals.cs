namespace LatencyPerf.Protocol;

/// <summary>
/// What a subscriber makes of data that comes: counts it and, when it is the echoer, replies. Knows no link; time is an argument.
/// </summary>
/// <param name="identity">The test, and who it is.</param>
/// <param name="echoes">False never replies.</param>
/// <param name="replyMarks">What its replies say beside their kind.</param>
internal abstract class Arrivals(TestIdentity identity, bool echoes, DatagramMarks replyMarks)
{
    /// <summary>Data packets, each once.</summary>
    public long Received { get; protected set; }
    public long Replied { get; private set; }
    public long Lost { get; protected set; }
    public long Duplicates { get; protected set; }
    public long Late { get; protected set; }

    /// <summary>When <see cref="Tick"/> has something to do.</summary>
    public virtual long NextWakeNanos => long.MaxValue;

    protected TestIdentity Identity => identity;
    protected bool Echoes => echoes;

    /// <summary>Takes a data packet; it is turned into its reply where it lies.</summary>
    public abstract void TakeData(in DatagramHeader header, Span<byte> datagram, long nowNanos, IDatagramOutput output);

    /// <summary>Takes the sender's word of what it has.</summary>
    public virtual void TakeHeartbeat(KeptRange kept, long nowNanos, IDatagramOutput output)
    {
    }

    /// <summary>Does what is due.</summary>
    public virtual void Tick(long nowNanos, IDatagramOutput output)
    {
    }

    /// <summary>Takes the number of the last packet: what is missing up to there is lost.</summary>
    public abstract void NoteLast(ulong last);

    /// <summary>A warm-up packet: answered, not counted.</summary>
    public void TakePrime(Span<byte> datagram, IDatagramOutput output)
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
