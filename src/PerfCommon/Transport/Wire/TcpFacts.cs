using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace PerfCommon.Transport;

/// <summary>The system's statistics of one TCP connection, of what this side sent.</summary>
internal readonly record struct TcpFacts
{
    // IPPROTO_TCP, TCP_INFO, and offsets in struct tcp_info of Linux (include/uapi/linux/tcp.h); the last two fields since 4.19
    private const int TcpProtocol = 6;
    private const int TcpInfo = 11;
    private const int PathMtuOffset = 60;
    private const int RoundTripOffset = 68;
    private const int SegmentsResentOffset = 100;
    private const int MinRoundTripOffset = 148;
    private const int SegmentsSentOffset = 156;
    private const int BusyOffset = 168;
    private const int PeerLimitedOffset = 176;
    private const int BytesSentOffset = 200;
    private const int BytesResentOffset = 208;
    private const int RequiredBytes = PeerLimitedOffset + sizeof(long);
    private const int InfoBytes = BytesResentOffset + sizeof(long);

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

    /// <summary>Queries the system; null where it does not report them.</summary>
    public static TcpFacts? Of(Socket socket)
    {
        Span<byte> info = stackalloc byte[InfoBytes];
        try
        {
            return OperatingSystem.IsLinux() && socket.GetRawSocketOption(TcpProtocol, TcpInfo, info) >= RequiredBytes ? Read(info) : null;
        }
        catch (Exception problem) when (problem is SocketException or ObjectDisposedException)
        {
            return null;
        }
    }

    private static TcpFacts Read(ReadOnlySpan<byte> info) => new()
    {
        BusyMicros = Read<long>(info, BusyOffset),
        PeerLimitedMicros = Read<long>(info, PeerLimitedOffset),
        PathMtu = Read<int>(info, PathMtuOffset),
        RoundTripMicros = Read<uint>(info, RoundTripOffset),
        MinRoundTripMicros = Read<uint>(info, MinRoundTripOffset) is var min && min != uint.MaxValue ? min : null,
        SegmentsSent = Read<uint>(info, SegmentsSentOffset),
        SegmentsResent = Read<uint>(info, SegmentsResentOffset),
        BytesSent = Read<long>(info, BytesSentOffset),
        BytesResent = Read<long>(info, BytesResentOffset),
    };

    private static T Read<T>(ReadOnlySpan<byte> info, int offset) where T : unmanaged => MemoryMarshal.Read<T>(info[offset..]);
}
