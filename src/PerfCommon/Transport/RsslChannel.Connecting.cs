using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <content>A client's way to a TCP connection: the name's addresses one after the other, and versions from the highest down.</content>
public sealed partial class RsslChannel
{
    private IPAddress[] _addresses = [];
    private int _addressAt;
    private int _version;
    private Socket? _connecting;

    /// <summary>The version of a client's next attempt over a new connection, where one makes sense after this; else null.</summary>
    internal int? NextVersion => (_phase, _handshake) switch
    {
        _ when Closed?.Kind == CloseKind.HandshakeTimeout => null,
        (OpeningPhase.Layers, ClientHandshake client) when _pipe!.WantsReconnect => client.Version, // a layer can only go on that way
        (OpeningPhase.Handshake, ClientHandshake { HasHeard: false } client)
            when client.Version > ConnectionVersions.LowestFor(ClientOptions) => client.Version - 1, // it may know lower ones only
        _ => null,
    };

    /// <summary>What a client that is not connected yet waits for, as a sentence. Any thread.</summary>
    internal string Awaited => _phase switch
    {
        OpeningPhase.Resolving => $"no answer yet about the name {PrintableText.From(ClientOptions.NextHop.Host)}",
        OpeningPhase.TcpConnecting => $"no answer from {PrintableText.From(ClientOptions.NextHop.Host)} port {ClientOptions.NextHop.Port}",
        OpeningPhase.Layers => "the server took the connection and did not answer what comes before the handshake (TLS, WebSocket, proxy)",
        _ => "the server took the connection and did not answer the handshake",
    };

    private ConnectOptions ClientOptions => (ConnectOptions)_options;

    /// <summary>Begins to connect; the name is resolved by a thread of the pool, so that a slow name server holds nobody.</summary>
    internal void Connect(long nowNanos)
    {
        _version = ConnectionVersions.HighestFor(ClientOptions);
        if (IPAddress.TryParse(ClientOptions.NextHop.Host, out IPAddress? address))
        {
            TryAddresses([address], nowNanos);
            return;
        }
        Task.Run(ResolveAsync);
    }

    private async Task ResolveAsync()
    {
        try
        {
            IPAddress[] found = await Dns.GetHostAddressesAsync(ClientOptions.NextHop.Host).ConfigureAwait(false);
            Poller!.Run(now => TryAddresses(found, now));
        }
        catch (Exception problem) when (problem is SocketException or ArgumentException)
        {
            string text = NetworkAddresses.DescribeHost(ClientOptions.NextHop.Host, problem);
            Poller!.Run(_ => EndWith(new CloseReason(CloseKind.ConnectFailed, text, problem)));
        }
    }

    private void TryAddresses(IPAddress[] addresses, long nowNanos)
    {
        if (State == ChannelState.Closed)
            return;
        _addresses = addresses;
        _addressAt = -1;
        TryNextAddress("no address", nowNanos);
    }

    private void TryNextAddress(string failure, long nowNanos)
    {
        DropConnecting();
        while (++_addressAt < _addresses.Length)
        {
            string? problem = TryConnect(_addresses[_addressAt], nowNanos);
            if (problem is null)
                return;
            failure = problem;
        }
        EndWith(new CloseReason(CloseKind.ConnectFailed, $"cannot connect to {ClientOptions.NextHop.Host} port {ClientOptions.NextHop.Port}: {failure}"));
    }

    /// <summary>Begins a TCP connect.</summary>
    /// <returns>What is wrong; null when it is under way.</returns>
    private string? TryConnect(IPAddress address, long nowNanos)
    {
        Socket socket = new(address.AddressFamily, SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
        try
        {
            NetworkAddresses.Configure(socket, _options, blocks: false);
            if (ClientOptions.InterfaceName is string name)
                socket.Bind(new IPEndPoint(NetworkAddresses.FindInterface(name, address.AddressFamily), 0));
            socket.Connect(new IPEndPoint(address, ClientOptions.NextHop.Port));
        }
        catch (SocketException pending) when (pending.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            // under way: the waiter says when it is writable
        }
        catch (Exception problem) when (problem is SocketException or IOException)
        {
            socket.Dispose();
            return problem.Message;
        }
        _connecting = socket;
        _phase = OpeningPhase.TcpConnecting;
        Poller!.Attach(this, socket);
        UpdateInterest();
        SetTimer(nowNanos + ClientOptions.ConnectTimeoutSeconds * Clock.NanosPerSecond);
        return null;
    }

    private void FinishTcpConnect(long nowNanos)
    {
        Socket socket = _connecting!;
        int error = (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        if (error != 0)
        {
            TryNextAddress(new SocketException(error).Message, nowNanos);
            return;
        }
        _connecting = null;
        string ownAddress = (socket.LocalEndPoint as IPEndPoint)?.Address.ToString() ?? "";
        BytePipe pipe = PipeLayers.ForClient(new PolledSocketPipe(socket, WakeForOpening), ClientOptions, _proxyLogin, _pool);
        Open(pipe, new ClientHandshake(ClientOptions, _version, ownAddress), nowNanos);
    }

    /// <summary>Drops the connection and makes another to the same address.</summary>
    private void ConnectAgain(int version, long nowNanos)
    {
        _version = version;
        Poller!.Detach(this);
        _pipe!.Dispose();
        _pipe = null;
        ReleaseOpening();
        string? problem = TryConnect(_addresses[_addressAt], nowNanos);
        if (problem is not null)
            TryNextAddress(problem, nowNanos);
    }

    private void DropConnecting()
    {
        if (_connecting is null)
            return;
        Poller!.Detach(this);
        _connecting.Dispose();
        _connecting = null;
    }
}
