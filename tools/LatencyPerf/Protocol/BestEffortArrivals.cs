namespace LatencyPerf.Protocol;

/// <summary>Handles data that may be lost: gaps are counted, and nothing is requested again.</summary>
internal sealed class BestEffortArrivals(TestIdentity identity, bool echoes, DatagramMarks replyMarks)
    : Arrivals(identity, echoes, replyMarks)
{
    private const int RememberedPackets = 64;

    private ulong _last; // the highest number received
    private ulong _seen; // bit i: the packet i before it was received

    public override void ReceiveData(in DatagramHeader header, Span<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        if (header.Sequence <= _last)
        {
            ReceiveOlder(_last - header.Sequence);
            return;
        }

        RecordStep(header.Sequence - _last);
        _last = header.Sequence;
        Deliver(header, datagram, output);
    }

    public override void RecordLast(ulong last)
    {
        if (last > _last)
            Lost += (long)(last - _last);
    }

    private void RecordStep(ulong step)
    {
        Lost += (long)(step - 1);
        _seen = step < RememberedPackets ? (_seen << (int)step) | 1 : 1;
    }

    // Counted as lost before: it is not lost but late. The publisher does not wait for its reply any more.
    private void ReceiveOlder(ulong behind)
    {
        ulong bit = behind < RememberedPackets ? 1UL << (int)behind : 0;
        if (bit == 0 || (_seen & bit) != 0)
        {
            Duplicates++;
            return;
        }

        _seen |= bit;
        Lost--;
        Late++;
        Received++;
    }
}
