using PerfCommon.Measurement;

namespace LatencyPerf.Protocol;

/// <summary>A subscriber's whole side of a test: rendezvous, data, end. Knows no link; time is an argument.</summary>
/// <param name="meeting">Its rendezvous, which has not begun.</param>
/// <param name="echoes">False never replies.</param>
/// <param name="reliable">True when nothing may be lost.</param>
internal sealed class SubscriberConversation(SubscriberRendezvous meeting, bool echoes, bool reliable)
{
    private const long LingerNanos = 300 * Clock.NanosPerMilli;

    private readonly byte[] _datagram = new byte[TestIdentity.MaxControlBytes];
    private Arrivals? _arrivals;
    private long _goneNanos = long.MaxValue;

    public SubscriberRendezvous Rendezvous => meeting;

    /// <summary>Reads the counts that only the run around it knows, for the end.</summary>
    public Func<SubscriberCounts> ReadCounts { get; set; } = () => default;

    /// <summary>True when the test is over and the counts will not be requested any more.</summary>
    public bool IsOver { get; private set; }

    /// <summary>The total counts, sent at the end; null until then.</summary>
    public SubscriberCounts? Counts { get; private set; }

    /// <summary>The total counts, or those so far where the test is not over.</summary>
    public SubscriberCounts CountsSoFar => Counts ?? Count();

    /// <summary>True when the publisher interrupted the test.</summary>
    public bool WasInterrupted { get; private set; }

    /// <summary>Datagrams that were no part of the test.</summary>
    public long Foreign { get; private set; }

    /// <summary>True from the first packet that counts.</summary>
    public bool HasData => _arrivals?.Received > 0;

    /// <summary>Datagrams of the test since the beginning: a sign of life.</summary>
    public long Received { get; private set; }

    /// <summary>The time at which <see cref="Tick"/> has work.</summary>
    public long NextWakeNanos => Counts is not null
        ? _goneNanos : Math.Min(meeting.NextWakeNanos, _arrivals?.NextWakeNanos ?? long.MaxValue);

    /// <summary>Receives a datagram; data is turned into its reply in place.</summary>
    public void Receive(Span<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        if (!DatagramHeader.TryRead(datagram, out DatagramHeader header) || !TryReceive(header, datagram, nowNanos, output))
            Foreign++;
        else
            Received++;
    }

    /// <summary>Does the work that is due.</summary>
    public void Tick(long nowNanos, IDatagramOutput output)
    {
        if (nowNanos >= _goneNanos)
            IsOver = true;
        if (Counts is not null)
            return;
        meeting.Tick(nowNanos, output);
        _arrivals?.Tick(nowNanos, output);
    }

    /// <summary>Notifies the publisher that this side interrupts the test.</summary>
    public void Leave(IDatagramOutput output)
    {
        if (meeting.Terms is not null && Counts is null)
            SendEnded(output, Count());
    }

    private bool TryReceive(in DatagramHeader header, Span<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        bool isOfTest = meeting.Terms is not null && header.From == IDatagramOutput.Publisher && meeting.Identity.Owns(header);
        if (isOfTest && header.Kind is DatagramKind.Data or DatagramKind.Prime)
            return isOfTest && ReceivePacket(header, datagram, nowNanos, output);
        return header.Kind switch
        {
            DatagramKind.Welcome or DatagramKind.Refuse or DatagramKind.Start =>
                meeting.Receive(header, datagram[DatagramHeader.Bytes..], nowNanos, output),
            _ when !isOfTest => false,
            DatagramKind.Heartbeat => ReceiveHeartbeat(datagram[DatagramHeader.Bytes..], nowNanos, output),
            DatagramKind.End => ReceiveEnd(header, nowNanos, output),
            DatagramKind.Ack when Counts is not null => IsOver = true,
            _ => false,
        };
    }

    private bool ReceivePacket(in DatagramHeader header, Span<byte> datagram, long nowNanos, IDatagramOutput output)
    {
        if (header.Length > meeting.Terms!.MaxBytes || !DataPacket.Belongs(header, datagram) || Counts is not null)
            return false;
        meeting.RecordLife(nowNanos);
        Arrivals arrivals = _arrivals ??= CreateArrivals();
        if (header.Kind == DatagramKind.Prime)
            arrivals.ReceivePrime(datagram, output);
        else
            arrivals.ReceiveData(header, datagram, nowNanos, output);
        return true;
    }

    private bool ReceiveHeartbeat(ReadOnlySpan<byte> body, long nowNanos, IDatagramOutput output)
    {
        if (!RetainedRange.TryRead(body, out RetainedRange kept) || Counts is not null)
            return false;
        meeting.RecordLife(nowNanos);
        (_arrivals ??= CreateArrivals()).ReceiveHeartbeat(kept, nowNanos, output);
        return true;
    }

    private bool ReceiveEnd(in DatagramHeader header, long nowNanos, IDatagramOutput output)
    {
        if (Counts is null)
        {
            _arrivals?.RecordLast(header.Sequence);
            WasInterrupted = header.Has(DatagramMarks.Interrupted);
            Counts = Count();
        }

        _goneNanos = nowNanos + LingerNanos;
        SendEnded(output, Counts.Value);
        return true;
    }

    private SubscriberCounts Count() => ReadCounts() with
    {
        Received = _arrivals?.Received ?? 0,
        Replied = _arrivals?.Replied ?? 0,
        Lost = _arrivals?.Lost ?? 0,
        Duplicates = _arrivals?.Duplicates ?? 0,
        Late = _arrivals?.Late ?? 0,
        Foreign = Foreign,
    };

    private void SendEnded(IDatagramOutput output, SubscriberCounts counts)
    {
        counts.Write(_datagram.AsSpan(DatagramHeader.Bytes));
        int bytes = meeting.Identity.WriteHeader(_datagram, DatagramKind.Ended, SubscriberCounts.Bytes);
        output.Send(IDatagramOutput.Publisher, _datagram.AsSpan(0, bytes));
    }

    private Arrivals CreateArrivals()
    {
        DatagramMarks marks = (reliable
            ? DatagramMarks.Reliable : 0) | (meeting.Terms!.ReplyGroup is null ? 0 : DatagramMarks.AnsweredByGroup);
        return reliable
            ? new StrictArrivals(meeting.Identity, echoes, marks, meeting.Terms)
            : new BestEffortArrivals(meeting.Identity, echoes, marks);
    }
}
