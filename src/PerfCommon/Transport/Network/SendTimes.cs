using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>What the bytes sent over a TCP connection waited for.</summary>
/// <param name="BusyMicros">How long there were bytes that the peer had not confirmed.</param>
/// <param name="PeerLimitedMicros">How much of that the peer had no room for more.</param>
internal readonly record struct SendTimes(long BusyMicros, long PeerLimitedMicros)
{
    // IPPROTO_TCP, TCP_INFO and, in struct tcp_info of Linux, tcpi_busy_time and tcpi_rwnd_limited
    private const int TcpProtocol = 6;
    private const int TcpInfo = 11;
    private const int BusyOffset = 168;
    private const int PeerLimitedOffset = 176;
    private const int InfoBytes = PeerLimitedOffset + sizeof(long);

    private const double Whole = 100;

    /// <summary>The same in percent; null when nothing was sent.</summary>
    public double? PeerLimitedPercent => BusyMicros > 0 ? Whole * PeerLimitedMicros / BusyMicros : null;

    /// <summary>Asks the system; null where it does not tell.</summary>
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
