using System.Net;
using System.Net.Sockets;

namespace PerfTools.Processes;

/// <summary>Finds a port on which no program listens now, for a role that must know its port before it listens.</summary>
internal static class FreePort
{
    public static int Find()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
