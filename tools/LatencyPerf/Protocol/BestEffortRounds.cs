namespace LatencyPerf.Protocol;

/// <summary>Rounds that may be lost: one without a reply in time is abandoned, and a late reply is counted with its time.</summary>
/// <param name="terms">The test.</param>
/// <param name="replyTimeoutNanos">The timeout of a round.</param>
/// <param name="isWarmUp">True for rounds that are excluded from all counts.</param>
internal sealed class BestEffortRounds(RendezvousTerms terms, long replyTimeoutNanos, bool isWarmUp = false) : RoundDelivery(terms, isWarmUp)
{
    private const int RememberedRounds = 64;

    private readonly byte[] _datagram = new byte[DatagramHeader.Bytes + terms.MaxBytes];
    private readonly ulong[] _givenUp = new ulong[RememberedRounds]; // by number modulo their count
    private int _packetBytes;
    private DatagramMarks _marks;
    private long _deadlineNanos = long.MaxValue;

    public override long NextWakeNanos => IsAnswered ? long.MaxValue : _deadlineNanos;

    public override void Prepare(int packetBytes, DatagramMarks marks)
    {
        if (packetBytes != _packetBytes)
            Write(_datagram, 0, _packetBytes = packetBytes, marks);
        _marks = marks | Terms.Marks;
    }

    public override void Send(long nowNanos, IDatagramOutput output)
    {
        Sequence++;
        (IsLost, IsAnswered) = (false, false);
        _deadlineNanos = nowNanos + replyTimeoutNanos;
        DatagramHeader.Renew(_datagram, Sequence, _marks);
        DataPacket.Stamp(_datagram.AsSpan(DatagramHeader.Bytes), Sequence, nowNanos);
        output.SendData(_datagram.AsSpan(0, DatagramHeader.Bytes + _packetBytes));
    }

    public override void Tick(long nowNanos, IDatagramOutput output)
    {
        if (nowNanos < _deadlineNanos || IsAnswered)
            return;
        (IsLost, IsAnswered, _deadlineNanos) = (true, true, long.MaxValue);
        _givenUp[Sequence % RememberedRounds] = Sequence;
    }

    // The first reply to an abandoned round is late; every other one is a second reply.
    protected override void ReceiveOlder(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos)
    {
        ref ulong givenUp = ref _givenUp[header.Sequence % RememberedRounds];
        if (givenUp != header.Sequence)
        {
            Duplicates++;
            return;
        }

        givenUp = 0;
        Late++;
        LongestLateNanos = Math.Max(LongestLateNanos, nowNanos - DataPacket.ReadSentNanos(datagram[DatagramHeader.Bytes..]));
    }
}
