using System.Net;
using System.Net.Sockets;

namespace Tools.Tests.Runs;

/// <summary>Ports on which nothing listens.</summary>
internal static class FreePorts
{
    /// <summary>A socket that has a port and does not listen: connecting to it is refused, and no other socket can get it.</summary>
    public static Socket Refuse(out int port)
    {
        Socket socket = new(AddressFamily.InterNetworkV6, SocketType.Stream, ProtocolType.Tcp) { DualMode = true };
        socket.Bind(new IPEndPoint(IPAddress.IPv6Any, 0));
        port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        return socket;
    }
}
