using System.Buffers.Binary;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using PerfCommon;

namespace LatencyPerf.Links;

/// <summary>Creates the sockets of <see cref="UdpLink"/>: bound, and using no other interface than the given one.</summary>
internal static class UdpSockets
{
    private const int IpLevel = 0, Ip6Level = 41, SocketLevel = 1;
    private const int IpUnicastInterface = 50, Ip6UnicastInterface = 76;
    private const int IpReceiveErrors = 11, Ip6ReceiveErrors = 25;
    private const int MemoryInfo = 55, MemoryInfoBytes = 36, DropsAt = 32;
    private const int ConnectionResets = -1744830452; // SIO_UDP_CONNRESET

    /// <summary>Creates the socket for all unicast.</summary>
    /// <exception cref="SetupException">The port or the address is not available.</exception>
    public static Socket CreateUnicast(UdpLinkOptions options)
    {
        Socket socket = new(options.Address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            if (OperatingSystem.IsWindows())
                socket.IOControl(ConnectionResets, [0, 0, 0, 0], null);
            EnlargeBuffers(socket, options.BufferBytes);
            socket.Bind(options.Local);
            if (options.IsInterfaceGiven)
                SetInterface(socket, options);
            socket.Blocking = false;
            if (options.PublisherAddress is { } publisher)
                socket.Connect(new IPEndPoint(publisher, options.Ports.Publisher));
            return socket;
        }
        catch (SocketException cause)
        {
            socket.Dispose();
            throw options.Ports.InUse(options.Address, options.Local.Port, cause);
        }
    }

    /// <summary>Creates the socket that receives the own group.</summary>
    /// <exception cref="SetupException">The group cannot be joined.</exception>
    public static Socket CreateGroup(UdpLinkOptions options, IPEndPoint group)
    {
        Socket socket = new(options.Address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true); // all members on a host share the port
            EnlargeBuffers(socket, options.BufferBytes);
            // bound to the group where that is possible: else it receives the datagrams of other groups on this port, too
            IPAddress any = options.IsVersion6 ? IPAddress.IPv6Any : IPAddress.Any;
            socket.Bind(new IPEndPoint(OperatingSystem.IsWindows() ? any : group.Address, group.Port));
            if (options.IsVersion6)
            {
                socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.AddMembership,
                    new IPv6MulticastOption(group.Address, IndexOf(options.Address)));
            }
            else
            {
                socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.AddMembership,
                    new MulticastOption(group.Address, options.Address));
            }

            socket.Blocking = false;
            return socket;
        }
        catch (SocketException cause)
        {
            socket.Dispose();
            throw new SetupException(SetupProblem.NotStarted, $"group {group} cannot be joined on {options.Address}: {cause.Message}",
                cause);
        }
    }

    /// <summary>Makes the kernel report to an unconnected socket that a port it sent to is closed, where it can.</summary>
    public static void WatchErrors(Socket socket, bool isVersion6)
    {
        if (OperatingSystem.IsLinux())
            SetRaw(socket, isVersion6 ? Ip6Level : IpLevel, isVersion6 ? Ip6ReceiveErrors : IpReceiveErrors, 1);
    }

    /// <summary>Reads the datagrams that did not fit into a socket; 0 where the system does not report them.</summary>
    public static long ReadDrops(Socket socket)
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        Span<byte> info = stackalloc byte[MemoryInfoBytes];
        int bytes = socket.GetRawSocketOption(SocketLevel, MemoryInfo, info);
        return bytes < MemoryInfoBytes ? 0 : BitConverter.ToUInt32(info[DropsAt..]);
    }

    /// <summary>Finds the interface that has an address.</summary>
    public static int IndexOf(IPAddress address)
    {
        bool isVersion6 = address.AddressFamily == AddressFamily.InterNetworkV6;
        foreach (NetworkInterface candidate in NetworkInterface.GetAllNetworkInterfaces())
        {
            IPInterfaceProperties properties = candidate.GetIPProperties();
            bool isMeant = IPAddress.IsLoopback(address)
                ? candidate.NetworkInterfaceType == NetworkInterfaceType.Loopback
                : properties.UnicastAddresses.Any(own => own.Address.Equals(address));
            if (isMeant)
                return isVersion6 ? properties.GetIPv6Properties().Index : properties.GetIPv4Properties().Index;
        }

        return 0;
    }

    private static void EnlargeBuffers(Socket socket, int bytes)
    {
        if (socket.ReceiveBufferSize < bytes)
            socket.ReceiveBufferSize = bytes;
        if (socket.SendBufferSize < bytes)
            socket.SendBufferSize = bytes;
    }

    // Datagrams to groups use the given interface or none: it is read back before the first datagram.
    private static void SetInterface(Socket socket, UdpLinkOptions options)
    {
        int index = IndexOf(options.Address);
        if (OperatingSystem.IsLinux())
        {
            SetRaw(socket, options.IsVersion6 ? Ip6Level : IpLevel, options.IsVersion6 ? Ip6UnicastInterface : IpUnicastInterface,
                BinaryPrimitives.ReverseEndianness(index));
        }

        if (options.IsVersion6)
            SetGroupInterface6(socket, options, index);
        else
            SetGroupInterface4(socket, options);
    }

    private static void SetGroupInterface4(Socket socket, UdpLinkOptions options)
    {
        byte[] address = options.Address.GetAddressBytes();
        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive, options.Ttl);
        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, address);
        byte[] set = socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, address.Length);
        if (!set.AsSpan().SequenceEqual(address))
            throw Unset(options, new IPAddress(set).ToString());
    }

    private static void SetGroupInterface6(Socket socket, UdpLinkOptions options, int index)
    {
        socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastTimeToLive, options.Ttl);
        socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastInterface, index);
        object? set = socket.GetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastInterface);
        if (set is not int found || found != index)
            throw Unset(options, $"interface {set}");
    }

    private static SetupException Unset(UdpLinkOptions options, string found) =>
        new(SetupProblem.NotStarted, $"groups would leave by {found} instead of {options.Address}");

    private static void SetRaw(Socket socket, int level, int option, int value) =>
        socket.SetRawSocketOption(level, option, BitConverter.GetBytes(value));
}
