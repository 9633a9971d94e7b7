using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Domains;

/// <summary>The position of a login: the host's address and name.</summary>
internal static class LoginPosition
{
    private const string Unknown = "1.1.1.1/net";

    /// <summary>Writes a position.</summary>
    /// <param name="address">Address of the host.</param>
    /// <param name="hostName">Name of the host.</param>
    public static string Format(IPAddress address, string hostName) => $"{address}/{hostName}";

    /// <summary>Asks the system for the first IPv4 address of this host. May take a while: ask once, at the start.</summary>
    /// <returns>The position, or <c>1.1.1.1/net</c> when the host does not know its own address.</returns>
    public static string FindLocal()
    {
        try
        {
            string host = Dns.GetHostName();
            IPAddress[] found = Dns.GetHostAddresses(host, AddressFamily.InterNetwork);
            return found.Length == 0 ? Unknown : Format(found[0], host);
        }
        catch (SocketException)
        {
            return Unknown;
        }
    }
}
