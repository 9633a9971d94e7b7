using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;

namespace LatencyPerf.Rounds;

/// <summary>The loop that is measured: stamp, send, wait for the reply, stamp. Nothing is allocated in it.</summary>
internal sealed class RoundLoop(RoundDelivery delivery, ILink link, LinkReader reader, bool verifies, CancellationToken stop)
{
    private const int RoundsPerLook = 1024;
    private const long ProbeNanos = Clock.NanosPerSecond;

    private byte[] _expected = [];
    private Placement _placement = Placement.Unknown;
    private int _untilLook;
    private RoundCounts _atStart;
    private long _probedNanos = Clock.NowNanos;

    /// <summary>True to send each peer a unicast datagram at intervals: a group does not show that a peer is gone.</summary>
    public bool ProbesPeers { get; init; }

    public Placement Placement => _placement;

    /// <summary>Why it cannot continue; null while it can.</summary>
    public string? Trouble { get; private set; }

    /// <summary>Replies whose bytes differed from those that were sent.</summary>
    public long Damaged { get; private set; }

    /// <summary>The time at which the last round was sent, and that at which its reply was received.</summary>
    public long SentNanos { get; private set; }
    public long ReceivedNanos { get; private set; }

    public bool IsStopped => Trouble is not null || stop.IsCancellationRequested;

    /// <summary>Carries out one round.</summary>
    /// <returns>True with a reply; false when it was lost or the test is over.</returns>
    public bool TryRun(int packetBytes, DatagramMarks marks)
    {
        while (!delivery.MayBegin && !IsStopped)
            Turn();
        delivery.Prepare(packetBytes, marks);
        SentNanos = Clock.NowNanos;
        delivery.Send(SentNanos, link);
        bool isAnswered = false;
        while (!isAnswered && !delivery.IsLost && !IsStopped)
            isAnswered = Turn();
        if (--_untilLook < 0)
            See();
        return isAnswered;
    }

    /// <summary>Waits until all subscribers have all data.</summary>
    public void Settle()
    {
        while (!delivery.IsSettled && !IsStopped)
            Turn();
    }

    /// <summary>Waits until a time, and handles the datagrams that arrive meanwhile.</summary>
    public void WaitUntil(long nanos)
    {
        while (Clock.NowNanos < nanos && !IsStopped)
        {
            if (reader.TryRead(nanos, out Span<byte> datagram))
                Receive(datagram, Clock.NowNanos);
        }
    }

    /// <summary>Reads the counts since <see cref="BeginCounts"/>.</summary>
    public RoundCounts ReadCounts() => new()
    {
        Late = delivery.Late - _atStart.Late,
        LongestLateNanos = delivery.LongestLateNanos,
        Resent = delivery.Resent - _atStart.Resent,
        Duplicates = delivery.Duplicates - _atStart.Duplicates,
        Damaged = Damaged - _atStart.Damaged,
    };

    public void BeginCounts(int packetBytes)
    {
        _atStart = new() { Late = delivery.Late, Resent = delivery.Resent, Duplicates = delivery.Duplicates, Damaged = Damaged };
        if (!verifies)
            return;
        _expected = new byte[packetBytes];
        DataPacket.Fill(_expected);
    }

    private bool Turn()
    {
        long nowNanos;
        if (reader.TryRead(delivery.NextWakeNanos, out Span<byte> datagram))
        {
            nowNanos = Clock.NowNanos;
            if (Receive(datagram, nowNanos))
                return true;
            if (nowNanos >= delivery.NextWakeNanos)
                delivery.Tick(nowNanos, link);
            return false;
        }

        nowNanos = Clock.NowNanos;
        LookAround(nowNanos);
        return false;
    }

    private bool Receive(Span<byte> datagram, long nowNanos)
    {
        if (!DatagramHeader.TryRead(datagram, out DatagramHeader header))
        {
            Foreign++;
            return false;
        }

        if (!delivery.Receive(header, datagram, nowNanos, link))
        {
            Trouble ??= delivery.Trouble;
            return false;
        }

        ReceivedNanos = nowNanos;
        if (verifies && header.Kind == DatagramKind.Reply)
            Verify(datagram[DatagramHeader.Bytes..]);
        return true;
    }

    /// <summary>Datagrams that did not belong to LatencyPerf at all.</summary>
    public long Foreign { get; private set; }

    private void Verify(ReadOnlySpan<byte> packet)
    {
        DataPacket.Stamp(_expected, delivery.Sequence, SentNanos);
        if (!packet.SequenceEqual(_expected))
            Damaged++;
    }

    // Called only when nothing has arrived: a round without a delay never calls it.
    private void LookAround(long nowNanos)
    {
        if (nowNanos >= delivery.NextWakeNanos)
            delivery.Tick(nowNanos, link);
        ProbeIfDue(nowNanos);
        link.LookForPeers();
        Trouble ??= delivery.Trouble ?? FindBreak();
    }

    private void See()
    {
        _untilLook = RoundsPerLook;
        _placement = _placement.See(Thread.GetCurrentProcessorId());
        ProbeIfDue(Clock.NowNanos);
        link.LookForPeers();
        Trouble ??= FindBreak();
    }

    private void ProbeIfDue(long nowNanos)
    {
        if (!ProbesPeers || nowNanos < _probedNanos + ProbeNanos)
            return;
        _probedNanos = nowNanos;
        delivery.Probe(link);
    }

    private string? FindBreak() => link.Broken ?? (link.PollRefusal() ? "a subscriber is gone: its port is closed" : null);
}
