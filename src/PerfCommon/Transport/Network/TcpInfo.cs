using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace PerfCommon.Transport;

/// <summary>Reads the statistics that Linux keeps of a TCP connection.</summary>
internal static class TcpInfo
{
    // IPPROTO_TCP, TCP_INFO, and offsets in struct tcp_info of Linux (include/uapi/linux/tcp.h); the last two fields since 4.19
    private const int TcpProtocol = 6;
    private const int InfoOption = 11;
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

    /// <summary>Queries the system; null where it does not report them.</summary>
    public static TcpFacts? ReadFacts(Socket socket)
    {
        Span<byte> info = stackalloc byte[InfoBytes];
        try
        {
            return OperatingSystem.IsLinux() && socket.GetRawSocketOption(TcpProtocol, InfoOption, info) >= RequiredBytes ? Read(info) : null;
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
