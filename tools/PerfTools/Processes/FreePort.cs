using System.Net;
using System.Net.Sockets;

namespace PerfTools.Processes;

/// <summary>
/// Finds a port for a role that must know its port before it listens: no program listens on it now, and the system assigns it to none meanwhile.
/// </summary>
internal static class FreePort
{
    // Below the ports that systems assign where a program names none: from 32,768 on Linux, from 49,152 on others.
    private const int Min = 12_000;
    private const int Max = 32_000;
    private const int MaxAttempts = 1_000;

    public static int Find()
    {
        for (int attempt = 0; attempt < MaxAttempts; attempt++)
        {
            int port = Random.Shared.Next(Min, Max);
            if (IsFree(port))
                return port;
        }

        throw new SocketException((int)SocketError.AddressAlreadyInUse);
    }

    private static bool IsFree(int port)
    {
        using TcpListener listener = new(Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any, port);
        try
        {
            if (Socket.OSSupportsIPv6)
                listener.Server.DualMode = true;
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
