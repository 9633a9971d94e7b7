namespace PerfCommon.Transport;

/// <summary>The system's statistics of one TCP connection, of what this side sent.</summary>
internal readonly record struct TcpFacts
{
    private const double Whole = 100;

    /// <summary>How long there were bytes that the peer had not acknowledged.</summary>
    public long BusyMicros { get; init; }

    /// <summary>The part of that time in which the peer's receive window was full.</summary>
    public long PeerLimitedMicros { get; init; }

    /// <summary>Maximum bytes of a packet on the way to the peer, headers included.</summary>
    public int PathMtu { get; init; }

    /// <summary>The smoothed round trip: of late, and with the time that packets wait in queues on the way.</summary>
    public uint RoundTripMicros { get; init; }

    /// <summary>The minimum round trip of the last minutes; null before the first.</summary>
    public uint? MinRoundTripMicros { get; init; }

    /// <summary>Segments with data that were sent, those that were sent again included.</summary>
    public long SegmentsSent { get; init; }

    /// <summary>Segments that were sent again, as the peer did not acknowledge them in time.</summary>
    public long SegmentsResent { get; init; }

    /// <summary>Bytes of data that were sent, those that were sent again included.</summary>
    public long BytesSent { get; init; }

    /// <summary>Bytes of data that were sent again.</summary>
    public long BytesResent { get; init; }

    /// <summary>The time limited by the peer in percent of the busy time; null when nothing was sent.</summary>
    public double? PeerLimitedPercent => BusyMicros > 0 ? Whole * PeerLimitedMicros / BusyMicros : null;
}
