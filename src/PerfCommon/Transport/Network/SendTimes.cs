using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Times for which the bytes sent over a TCP connection waited.</summary>
/// <param name="BusyMicros">How long there were bytes that the peer had not acknowledged.</param>
/// <param name="PeerLimitedMicros">Part of that time in which the peer's receive window was full.</param>
internal readonly record struct SendTimes(long BusyMicros, long PeerLimitedMicros)
{
    // IPPROTO_TCP, TCP_INFO and, in struct tcp_info of Linux, tcpi_busy_time and tcpi_rwnd_limited
    private const int TcpProtocol = 6;
    private const int TcpInfo = 11;
    private const int BusyOffset = 168;
    private const int PeerLimitedOffset = 176;
    private const int InfoBytes = PeerLimitedOffset + sizeof(long);

    private const double Whole = 100;

    /// <summary>That part in percent; null when nothing was sent.</summary>
    public double? PeerLimitedPercent => BusyMicros > 0 ? Whole * PeerLimitedMicros / BusyMicros : null;

    /// <summary>Queries the system; null where it does not report the times.</summary>
    public static SendTimes? Of(Socket socket)
    {
        Span<byte> info = stackalloc byte[InfoBytes];
        try
        {
            return OperatingSystem.IsLinux() && socket.GetRawSocketOption(TcpProtocol, TcpInfo, info) == InfoBytes
                ? new(ReadMicros(info, BusyOffset), ReadMicros(info, PeerLimitedOffset)) : null;
        }
        catch (Exception problem) when (problem is SocketException or ObjectDisposedException)
        {
            return null;
        }
    }

    private static long ReadMicros(ReadOnlySpan<byte> info, int offset) =>
        BitConverter.ToInt64(info[offset..]);
}
