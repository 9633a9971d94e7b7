using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>The sockets, waiters and clock of the system.</summary>
/// <param name="isPortable">True uses only calls that every system supports.</param>
internal sealed class SystemNetwork(bool isPortable = false) : Network
{
    private readonly bool _isLinux = OperatingSystem.IsLinux() && !isPortable;

    /// <summary>The default network.</summary>
    public static SystemNetwork Instance { get; } = new(PortableWay.IsRequested);

    public override TimeSource Time => TimeSource.System;

    public override Waiter CreateWaiter() => _isLinux ? new PollWaiter() : new SelectWaiter();

    /// <summary>Resolves on a pool thread, so that a slow name server blocks no other work.</summary>
    public override Task<IPAddress[]> ResolveAsync(string host) => Task.Run(() => Dns.GetHostAddressesAsync(host));

    public override NetworkLink Connect(IPAddress address, ConnectOptions options)
    {
        Socket socket = NetworkAddresses.CreateClientSocket(address, options, blocks: false);
        try
        {
            socket.Connect(new IPEndPoint(address, options.NextHop.Port));
            return new SocketLink(socket, isConnected: true, _isLinux);
        }
        catch (SocketException pending) when (pending.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            return new SocketLink(socket, isConnected: false, _isLinux); // the waiter reports when it is writable
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public override ListeningPort Listen(ListenOptions options) =>
        new SocketPort(NetworkAddresses.CreateListeningSocket(options), _isLinux);
}
