using System.Net;
using System.Net.Sockets;

namespace Tools.Tests.Runs;

/// <summary>Finds ports by number, where 0 will not do.</summary>
internal static class FreePorts
{
    // Below those that the system assigns for port 0, or for none.
    private const int Min = 12_000;
    private const int Max = 32_000;

    /// <summary>Finds a free port for a program that will listen on it.</summary>
    public static int FindFree()
    {
        while (true)
        {
            int port = Random.Shared.Next(Min, Max);
            try
            {
                using TcpListener listener = new(IPAddress.IPv6Any, port);
                listener.Server.DualMode = true;
                listener.Start();
                return port;
            }
            catch (SocketException)
            {
                // taken: another one
            }
        }
    }

    /// <summary>A socket that has a port and does not listen: connecting to it is refused, and no other socket can get it.</summary>
    public static Socket Refuse(out int port)
    {
        Socket socket = new(AddressFamily.InterNetworkV6, SocketType.Stream, ProtocolType.Tcp) { DualMode = true };
        socket.Bind(new IPEndPoint(IPAddress.IPv6Any, 0));
        port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        return socket;
    }
}
