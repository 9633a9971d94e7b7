using System.Buffers.Binary;
using PerfCommon.Measurement;

namespace LatencyPerf.Protocol;

/// <summary>Handles data without losses: packets after a gap are held until the gap is filled, and delivered in order.</summary>
/// <remarks>
/// A gap is reported at once and again every 5 ms; received packets are acknowledged on request, and after 5 ms. Memory is allocated for the
/// packets that are held, not for what the publisher says that it may send.
/// </remarks>
internal sealed class StrictArrivals : Arrivals
{
    private const long RepeatNanos = 5 * Clock.NanosPerMilli;

    private readonly byte[]?[] _held; // by number modulo the window
    private readonly int[] _heldBytes; // 0 for none
    private readonly byte[] _reply; // the last one, in case it was lost
    private readonly byte[] _control = new byte[TestIdentity.MaxControlBytes];
    private readonly ulong _window;
    private int _replyBytes;
    private ulong _next = 1;
    private ulong _highest; // of those held, or reported by the sender
    private ulong _acked;
    private long _nackNanos = long.MaxValue;
    private long _ackNanos = long.MaxValue;

    public StrictArrivals(TestIdentity identity, bool echoes, DatagramMarks replyMarks, WelcomeTerms terms)
        : base(identity, echoes, replyMarks)
    {
        _window = (ulong)terms.Window;
        _held = new byte[terms.Window][];
        _heldBytes = new int[terms.Window];
        _reply = new byte[echoes ? DatagramHeader.Bytes + terms.MaxBytes : 0];
    }

    public override long NextWakeNanos => Math.Min(_nackNanos, _ackNanos);

    private bool HasGap => _highest >= _next;

    public override void ReceiveData(in DatagramHeader header, Span<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        if (header.Sequence == _next)
        {
            DeliverNext(header, datagram, output);
            DeliverHeld(output);
            RecordProgress(header, nowNanos, output);
        }
        else if (header.Sequence < _next)
        {
            ReceiveDuplicate(nowNanos, output);
        }
        else if (header.Sequence - _next < _window)
        {
            Hold(header.Sequence, datagram, nowNanos, output);
        }
    }

    public override void ReceiveHeartbeat(RetainedRange kept, long nowNanos, IDatagramOutput output)
    {
        if (kept.Last - _next >= _window && kept.Last >= _next)
            return; // beyond what a sender may have open
        _highest = Math.Max(_highest, kept.Last);
        if (HasGap)
        {
            SendNack(nowNanos, output);
            return;
        }

        SendAck(output);
        if (_replyBytes > 0)
            output.SendData(_reply.AsSpan(0, _replyBytes));
    }

    public override void Tick(long nowNanos, IDatagramOutput output)
    {
        if (nowNanos >= _nackNanos)
            SendNack(nowNanos, output);
        if (nowNanos >= _ackNanos)
            SendAck(output);
    }

    public override void RecordLast(ulong last)
    {
        if (last >= _next)
            Lost += (long)(last - _next + 1);
    }

    private void DeliverNext(in DatagramHeader header, Span<byte> datagram, IDatagramOutput output)
    {
        _next++;
        Deliver(header, datagram, output);
        if (!Echoes)
            return;
        datagram.CopyTo(_reply); // it has become the reply
        _replyBytes = datagram.Length;
        DatagramHeader.MarkResent(_reply);
        _acked = header.Sequence;
    }

    private void DeliverHeld(IDatagramOutput output)
    {
        for (int at = (int)(_next & (_window - 1)); _heldBytes[at] > 0; at = (int)(_next & (_window - 1)))
        {
            Span<byte> datagram = _held[at].AsSpan(0, _heldBytes[at]);
            _heldBytes[at] = 0;
            _ = DatagramHeader.TryRead(datagram, out DatagramHeader header);
            DeliverNext(header, datagram, output);
        }
    }

    private void RecordProgress(in DatagramHeader header, long nowNanos, IDatagramOutput output)
    {
        if (!HasGap)
            _nackNanos = long.MaxValue;
        if (_acked == _next - 1)
            _ackNanos = long.MaxValue;
        else if (header.Has(DatagramMarks.AckWanted))
            SendAck(output);
        else if (_ackNanos == long.MaxValue)
            _ackNanos = nowNanos + RepeatNanos;
    }

    // Its acknowledgement or its reply was lost; the sender requests what it misses.
    private void ReceiveDuplicate(long nowNanos, IDatagramOutput output)
    {
        Duplicates++;
        if (HasGap)
            SendNack(nowNanos, output);
        else
            SendAck(output);
    }

    private void Hold(ulong sequence, Span<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        int at = (int)(sequence & (_window - 1));
        if (_heldBytes[at] > 0)
            Duplicates++;
        if (_held[at] is not { } room || room.Length < datagram.Length)
            _held[at] = room = new byte[datagram.Length];
        datagram.CopyTo(room);
        _heldBytes[at] = datagram.Length;
        bool isNews = sequence > _highest;
        _highest = Math.Max(_highest, sequence);
        if (isNews)
            SendNack(nowNanos, output);
    }

    private void SendNack(long nowNanos, IDatagramOutput output)
    {
        ulong last = _next - 1, missing = 0;
        for (int i = 0; i < NackBody.MaxNamed && last + 1 + (ulong)i <= _highest; i++)
        {
            if (_heldBytes[(int)((last + 1 + (ulong)i) & (_window - 1))] == 0)
                missing |= 1UL << i;
        }

        BinaryPrimitives.WriteUInt64BigEndian(_control.AsSpan(DatagramHeader.Bytes), missing);
        output.Send(IDatagramOutput.Publisher, _control.AsSpan(0, Identity.WriteHeader(_control, DatagramKind.Nack, NackBody.Bytes, last)));
        _nackNanos = nowNanos + RepeatNanos;
    }

    private void SendAck(IDatagramOutput output)
    {
        (_acked, _ackNanos) = (_next - 1, long.MaxValue);
        output.Send(IDatagramOutput.Publisher, _control.AsSpan(0, Identity.WriteHeader(_control, DatagramKind.Ack, 0, _acked)));
    }
}
