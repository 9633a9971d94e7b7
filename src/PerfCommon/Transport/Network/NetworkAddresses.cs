using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Resolves the names of hosts and interfaces to addresses, and configures sockets for them.</summary>
internal static class NetworkAddresses
{
    private const int Backlog = 512;

    // IPPROTO_IP and IP_BIND_ADDRESS_NO_PORT of Linux
    private const int InternetProtocol = 0;
    private const int BindAddressNoPort = 24;

    /// <exception cref="IOException">With a sentence: port in use, unknown interface.</exception>
    public static Socket CreateListeningSocket(ListenOptions options)
    {
        IPAddress address = options.InterfaceName is null
            ? Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any
            : FindInterface(options.InterfaceName, family: null);
        string where = options.InterfaceName is { } name ? $"{name} port {options.Port}" : $"port {options.Port}";
        Socket socket = new(address.AddressFamily, SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
        try
        {
            if (address.Equals(IPAddress.IPv6Any))
                socket.DualMode = true;
            // no ReuseAddress: the framework sets SO_REUSEADDR itself, and the option would allow a second server on the same port
            SetBuffers(socket, options); // before listen: the window of accepted connections depends on it
            socket.Bind(new IPEndPoint(address, options.Port));
            socket.Listen(Backlog);
            socket.Blocking = false; // a connection that is closed again must not block the accepting thread
            return socket;
        }
        catch (SocketException problem)
        {
            socket.Dispose();
            throw new IOException($"cannot listen on {where}: {problem.Message}", problem);
        }
    }

    /// <summary>Creates a client's socket, configured and bound, but not connected.</summary>
    public static Socket CreateClientSocket(IPAddress address, ConnectOptions options, bool blocks)
    {
        Socket socket = new(address.AddressFamily, SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
        try
        {
            Configure(socket, options, blocks);
            if (options.InterfaceName is string name)
                BindAddress(socket, FindInterface(name, address.AddressFamily));
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Configures a TCP connection: blocking for a stream, non-blocking for a poller.</summary>
    public static void Configure(Socket socket, ChannelOptions options, bool blocks)
    {
        socket.Blocking = blocks;
        socket.NoDelay = !options.TcpDelay;
        if (options.SendTimeoutMillis > 0)
            socket.SendTimeout = options.SendTimeoutMillis;
        if (options.ReceiveTimeoutMillis > 0)
            socket.ReceiveTimeout = options.ReceiveTimeoutMillis;
        SetBuffers(socket, options);
    }

    /// <summary>Returns both ends of a socket; null when the peer is gone already.</summary>
    public static (EndPoint? Local, EndPoint? Remote) Of(Socket socket)
    {
        try
        {
            return (socket.LocalEndPoint, socket.RemoteEndPoint);
        }
        catch (SocketException)
        {
            return (null, null);
        }
    }

    /// <summary>Returns the address of our end, as in a connect request.</summary>
    public static string OwnAddress(Socket socket) => (socket.LocalEndPoint as IPEndPoint)?.Address.ToString() ?? "";

    /// <summary>
    /// Checks an interface that a client is to connect from, so that an invalid one is known before anything starts; null does nothing.
    /// </summary>
    /// <exception cref="IOException">The interface does not exist, or this machine has no such address.</exception>
    public static void CheckInterface(string? name)
    {
        if (name is null)
            return;
        IPAddress address = FindInterface(name, family: null);
        try
        {
            using Socket trial = new(address.AddressFamily, SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
            trial.Bind(new IPEndPoint(address, 0));
        }
        catch (SocketException problem)
        {
            throw new IOException($"interface {name}: {problem.Message}", problem);
        }
    }

    /// <summary>Describes why the addresses of a host cannot be resolved, as a sentence.</summary>
    public static string DescribeHost(string host, Exception problem) => problem switch
    {
        SocketException { SocketErrorCode: SocketError.HostNotFound or SocketError.NoData } => $"unknown host {PrintableText.From(host)}",
        ArgumentException => $"{PrintableText.From(host)} is no name of a host",
        _ => $"host {PrintableText.From(host)}: {problem.Message}",
    };

    /// <summary>Returns the address of an interface given by its name, an address or a host.</summary>
    /// <exception cref="IOException">When there is none.</exception>
    public static IPAddress FindInterface(string name, AddressFamily? family)
    {
        if (IPAddress.TryParse(name, out IPAddress? address))
            return address;
        NetworkInterface[] all = NetworkInterface.GetAllNetworkInterfaces();
        if (Array.Find(all, candidate => candidate.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } network)
        {
            IPAddress[] own = [.. network.GetIPProperties().UnicastAddresses.Select(a => a.Address)];
            return Choose(own, family) ?? throw new IOException($"interface {name} has no address of the family needed");
        }

        try
        {
            return Choose(Dns.GetHostAddresses(name), family)
                ?? throw new IOException($"interface {name}: no address of the family needed");
        }
        catch (Exception problem) when (problem is SocketException or ArgumentException)
        {
            throw new IOException($"interface {PrintableText.From(name)}: neither an interface nor an address nor a known host", problem);
        }
    }

    // The port is chosen when connecting: many connections of one address may then have the same, if their destinations differ.
    private static void BindAddress(Socket socket, IPAddress address)
    {
        if (OperatingSystem.IsLinux())
        {
            try
            {
                socket.SetRawSocketOption(InternetProtocol, BindAddressNoPort, [1, 0, 0, 0]);
            }
            catch (SocketException)
            {
                // a kernel without this option chooses the port now
            }
        }

        socket.Bind(new IPEndPoint(address, 0));
    }

    private static IPAddress? Choose(IPAddress[] addresses, AddressFamily? family) =>
        family is AddressFamily wanted
            ? Array.Find(addresses, a => a.AddressFamily == wanted)
            : Array.Find(addresses, a => a.AddressFamily == AddressFamily.InterNetwork) ?? addresses.FirstOrDefault();

    private static void SetBuffers(Socket socket, ChannelOptions options)
    {
        if (options.SendBufferBytes > 0)
            socket.SendBufferSize = options.SendBufferBytes;
        if (options.ReceiveBufferBytes > 0)
            socket.ReceiveBufferSize = options.ReceiveBufferBytes;
    }
}
