using System.Buffers.Binary;
using System.Numerics;
using PerfCommon.Measurement;

namespace LatencyPerf.Protocol;

/// <summary>Rounds without losses: the last datagrams are kept and sent again to subscribers that miss them.</summary>
/// <remarks>The reply acknowledges for the echoer, the others are polled every quarter of a window. After 5 ms without a datagram, doubling to 100,
/// all are polled. Arrays are allocated once.</remarks>
internal sealed class StrictRounds : RoundDelivery
{
    /// <summary>The time without any progress after which a test ends.</summary>
    public const long PatienceNanos = 10 * Clock.NanosPerSecond;

    private const long FirstSilenceNanos = 5 * Clock.NanosPerMilli;
    private const long MaxSilenceNanos = 100 * Clock.NanosPerMilli;
    private const int AcksPerWindow = 4;

    // A subscriber reports missing datagrams every 5 ms; a repeated report in between concerns datagrams in flight.
    private const long ResendNanos = 4 * Clock.NanosPerMilli;

    private readonly byte[][] _kept; // by number modulo the window
    private readonly int[] _packetBytes;
    private readonly ulong[] _acked; // by cookie: everything up to there has been received
    private readonly (ulong Sequence, long Nanos)[] _resent; // by cookie, and by number modulo the window
    private readonly byte[] _control = new byte[TestIdentity.MaxControlBytes];
    private readonly uint _mask;
    private long _silenceNanos = FirstSilenceNanos;
    private long _heardNanos;
    private long _progressNanos;
    private int _next;

    public StrictRounds(RendezvousTerms terms)
        : base(terms)
    {
        _mask = (uint)terms.Window - 1;
        _kept = [.. Enumerable.Range(0, terms.Window).Select(_ => new byte[DatagramHeader.Bytes + terms.MaxBytes])];
        _packetBytes = new int[terms.Window];
        _acked = new ulong[terms.Subscribers + 1];
        _resent = new (ulong, long)[_acked.Length * terms.Window];
    }

    public override bool MayBegin => Sequence - LeastAcked < (ulong)Terms.Window;

    public override bool IsSettled => LeastAcked == Sequence;

    public override long NextWakeNanos => IsSettled && IsAnswered ? long.MaxValue : _heardNanos + _silenceNanos;

    private ulong LeastAcked
    {
        get
        {
            ulong least = Sequence;
            for (int cookie = 1; cookie < _acked.Length; cookie++)
                least = Math.Min(least, _acked[cookie]);
            return least;
        }
    }

    private ulong FirstKept => Sequence < (ulong)Terms.Window ? 1 : Sequence - (ulong)Terms.Window + 1;

    public override void Prepare(int packetBytes, DatagramMarks marks)
    {
        ulong sequence = Sequence + 1;
        _next = (int)(sequence & _mask);
        if (sequence % (ulong)Math.Max(1, Terms.Window / AcksPerWindow) == 0)
            marks |= DatagramMarks.AckWanted;
        if (_packetBytes[_next] != packetBytes)
            Write(_kept[_next], sequence, _packetBytes[_next] = packetBytes, marks);
        else
            DatagramHeader.Renew(_kept[_next], sequence, marks | Terms.Marks);
    }

    public override void Send(long nowNanos, IDatagramOutput output)
    {
        if (IsSettled)
            _progressNanos = _heardNanos = nowNanos;
        Sequence++;
        IsAnswered = false;
        DataPacket.Stamp(_kept[_next].AsSpan(DatagramHeader.Bytes), Sequence, nowNanos);
        output.SendData(Kept(Sequence));
    }

    public override void Tick(long nowNanos, IDatagramOutput output)
    {
        if (nowNanos < NextWakeNanos)
            return;
        if (nowNanos - _progressNanos >= PatienceNanos)
        {
            Trouble ??= $"no progress for 10 s: cookie {FindSlowest()} has {_acked[FindSlowest()]} of {Sequence}";
            return;
        }

        _heardNanos = nowNanos;
        _silenceNanos = Math.Min(2 * _silenceNanos, MaxSilenceNanos);
        RequestAcks(output);
    }

    protected override bool ReceiveReply(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos)
    {
        if (header.From == Terms.Subscribers && header.Sequence <= Sequence)
            Acknowledge(header.From, header.Sequence, nowNanos);
        return base.ReceiveReply(header, datagram, nowNanos);
    }

    protected override void ReceiveOlder(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos) => Duplicates++;

    protected override bool ReceiveOther(in DatagramHeader header, ReadOnlySpan<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        bool isAck = header is { Kind: DatagramKind.Ack, Length: 0 } or { Kind: DatagramKind.Nack, Length: NackBody.Bytes };
        if (!isAck || header.Sequence > Sequence)
            return base.ReceiveOther(header, datagram, nowNanos, output);
        bool isUnanswered = header.From == Terms.Subscribers && !IsAnswered; // for the echoer only the reply itself is an acknowledgement
        Acknowledge(header.From, isUnanswered ? Math.Min(header.Sequence, Sequence - 1) : header.Sequence, nowNanos);
        if (header.Kind == DatagramKind.Nack)
            Resend(header, BinaryPrimitives.ReadUInt64BigEndian(datagram[DatagramHeader.Bytes..]), nowNanos, output);
        return false;
    }

    private void Acknowledge(int cookie, ulong sequence, long nowNanos)
    {
        (_heardNanos, _silenceNanos) = (nowNanos, FirstSilenceNanos);
        if (sequence <= _acked[cookie])
            return;
        _acked[cookie] = sequence;
        _progressNanos = nowNanos;
    }

    private void Resend(in DatagramHeader nack, ulong missing, long nowNanos, IDatagramOutput output)
    {
        for (; missing != 0; missing &= missing - 1)
        {
            ulong sequence = nack.Sequence + 1 + (ulong)BitOperations.TrailingZeroCount(missing);
            ref (ulong Sequence, long Nanos) last = ref _resent[(nack.From * Terms.Window) + (int)(sequence & _mask)];
            if (sequence < FirstKept || sequence > Sequence || (last.Sequence == sequence && nowNanos - last.Nanos < ResendNanos))
                continue;
            last = (sequence, nowNanos);
            DatagramHeader.MarkResent(_kept[(int)(sequence & _mask)]);
            output.Send(nack.From, Kept(sequence));
            Resent++;
        }
    }

    private void RequestAcks(IDatagramOutput output)
    {
        new RetainedRange(FirstKept, Sequence).Write(_control.AsSpan(DatagramHeader.Bytes));
        int bytes = Terms.Identity.WriteHeader(_control, DatagramKind.Heartbeat, RetainedRange.Bytes, Sequence, Terms.Marks);
        for (int cookie = 1; cookie < _acked.Length; cookie++)
        {
            if (_acked[cookie] < Sequence)
                output.Send(cookie, _control.AsSpan(0, bytes));
        }
    }

    private int FindSlowest() => Array.IndexOf(_acked, LeastAcked, 1);

    private ReadOnlySpan<byte> Kept(ulong sequence)
    {
        int at = (int)(sequence & _mask);
        return _kept[at].AsSpan(0, DatagramHeader.Bytes + _packetBytes[at]);
    }
}
