using System.Net;
using System.Net.Sockets;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using PerfCommon.Transport.Tls;

namespace LatencyPerf.Links;

/// <summary>A link by TCP, for comparison: the publisher listens, subscribers connect; datagrams follow each other in a plain stream.</summary>
internal sealed class TcpLink : ILink
{
    private const long RendezvousWaitNanos = 10 * Clock.NanosPerMilli; // the listener is not among the descriptors of the wait

    private readonly StreamPlace _place;
    private readonly SocketSet _set = new();
    private readonly List<StreamConnection> _connections = [];
    private readonly UnknownPeers<StreamConnection> _unknown = new();
    private readonly StreamConnection?[] _peers = new StreamConnection?[TestPorts.MaxCookie + 1];
    private Socket? _listener;
    private Socket? _pending;
    private int _next; // the connection that is checked first

    /// <exception cref="PerfCommon.SetupException">The port is not available.</exception>
    public TcpLink(StreamPlace place)
    {
        _place = place;
        if (place.PublisherAddress is null)
            _listener = Listen();
    }

    public IReadOnlyList<string> Description => ["TCP enabled."];

    public PeerAddress? Source { get; private set; }

    public string? Broken { get; private set; }

    public long KernelDrops => 0;

    public bool PollRefusal() => false;

    public void Send(int peer, ReadOnlySpan<byte> datagram)
    {
        if (_place.PublisherAddress is not null && _peers[peer] is null or { Closed: not null })
            Connect();
        Send(_peers[peer], datagram);
    }

    public void SendData(ReadOnlySpan<byte> datagram)
    {
        for (int peer = 0; peer < _peers.Length; peer++)
            Send(_peers[peer], datagram);
    }

    public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram) => Send(_connections.Find(one => one.At == to), datagram);

    public void Admit(int cookie, PeerAddress at)
    {
        if (_connections.Find(one => one.At == at) is not { } connection)
            return;
        _unknown.Remove(connection);
        connection.MakePeer();
        _peers[cookie] = connection;
    }

    public void Release(int cookie)
    {
        if (_peers[cookie] is { } connection)
            Remove(connection);
        _peers[cookie] = null;
    }

    public bool IsReachable(int cookie) => _peers[cookie] is { Closed: null };

    public void UseGroup(IPEndPoint? group)
    {
        // streams have no groups; the options refuse them
    }

    public bool TryReceive(out Span<byte> datagram)
    {
        if (_listener is not null)
            AcceptNewcomers(Clock.NowNanos);
        for (int left = _connections.Count; left > 0; left--)
        {
            _next = _next < _connections.Count ? _next : 0;
            StreamConnection connection = _connections[_next];
            if (connection.TryReceive(out datagram))
            {
                _next++; // round robin, so that no connection starves
                Source = _listener is null ? null : connection.At;
                return true;
            }

            if (connection.Closed is null)
                _next++;
            else
                End(connection);
        }

        datagram = default;
        return false;
    }

    public void Wait(long limitNanos)
    {
        foreach (StreamConnection connection in _connections)
        {
            if (connection.HasDatagram)
                return; // read with the one before: its socket does not report it
        }

        _set.Wait(_listener is null ? limitNanos : Math.Min(limitNanos, RendezvousWaitNanos));
    }

    public void EndRendezvous()
    {
        _listener?.Dispose();
        _listener = null;
        foreach (StreamConnection stranger in _unknown.All.ToArray())
            Remove(stranger);
    }

    public void Dispose()
    {
        _listener?.Dispose();
        _pending?.Dispose();
        FinishAll();
        foreach (StreamConnection connection in _connections)
            connection.Dispose();
    }

    private void FinishAll()
    {
        long untilNanos = Clock.NowNanos + (long)(StreamConnection.EndLimit.TotalSeconds * Clock.NanosPerSecond);
        List<StreamConnection> peers = _connections.FindAll(connection => connection.IsPeer); // strangers are not waited for
        foreach (StreamConnection stranger in _connections.Except(peers))
            _set.Remove(stranger.Socket);
        peers.ForEach(peer => peer.FinishSending());
        while (peers.Exists(peer => peer.Closed is null) && Clock.NowNanos is var now && now < untilNanos)
        {
            _set.Wait(untilNanos - now);
            peers.ForEach(Discard);
        }
    }

    private void Discard(StreamConnection connection)
    {
        bool wasOpen = connection.Closed is null;
        connection.Discard();
        if (wasOpen && connection.Closed is not null)
            _set.Remove(connection.Socket); // its end would wake every further wait
    }

    private static void Send(StreamConnection? connection, ReadOnlySpan<byte> datagram) => connection?.Send(datagram);

    private Socket Listen()
    {
        Socket socket = new(_place.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(_place.Address, _place.Ports.Stream));
            socket.Listen();
            socket.Blocking = false;
            return socket;
        }
        catch (SocketException cause)
        {
            socket.Dispose();
            throw _place.Ports.InUse(_place.Address, _place.Ports.Stream, cause);
        }
    }

    private void AcceptNewcomers(long nowNanos)
    {
        while (_unknown.FindOverdue(nowNanos) is { } overdue)
            Remove(overdue);
        while (!_unknown.IsFull && _listener!.Poll(0, SelectMode.SelectRead))
        {
            if (!TryAccept(nowNanos))
                return;
        }
    }

    private bool TryAccept(long nowNanos)
    {
        Socket? accepted = null;
        try
        {
            accepted = _listener!.Accept();
            _unknown.Add(Add(accepted), nowNanos);
            return true;
        }
        catch (SocketException)
        {
            accepted?.Dispose(); // closed again, or no descriptor is left
            return false;
        }
    }

    private StreamConnection Add(Socket socket)
    {
        StreamConnection connection = new(socket);
        _connections.Add(connection);
        _set.Add(socket);
        return connection;
    }

    // During the rendezvous a place becomes free again when its connection ends.
    private void End(StreamConnection connection)
    {
        if (_listener is null && _peers.Contains(connection))
            Broken ??= connection.Closed;
        Remove(connection);
    }

    private void Remove(StreamConnection connection)
    {
        _unknown.Remove(connection);
        _set.Remove(connection.Socket);
        _connections.Remove(connection);
        connection.Dispose();
    }

    // Called for each announcement: begins to connect, or checks the result.
    private void Connect()
    {
        if (_pending is null)
        {
            BeginConnect();
            return;
        }

        bool hasFailed = _pending.Poll(0, SelectMode.SelectError);
        if (!hasFailed && !_pending.Poll(0, SelectMode.SelectWrite))
            return;
        if (hasFailed || _pending.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error) is not 0)
        {
            _pending.Dispose();
            _pending = null;
            return;
        }

        UsePending();
    }

    private void BeginConnect()
    {
        _pending = new Socket(_place.PublisherAddress!.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        try
        {
            if (_place.OwnAddress is { } own)
                _pending.Bind(new IPEndPoint(own, 0));
            _pending.Connect(new IPEndPoint(_place.PublisherAddress, _place.Ports.Stream));
            UsePending();
        }
        catch (SocketException problem) when (problem.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            // the next announcement checks again
        }
        catch (SocketException)
        {
            _pending.Dispose();
            _pending = null; // no publisher listens yet
        }
    }

    private void UsePending()
    {
        Socket socket = _pending!;
        _pending = null;
        Broken = null;
        StreamConnection connection = Add(socket);
        connection.MakePeer();
        _peers[IDatagramOutput.Publisher] = connection;
    }
}

/// <summary>The endpoints of a stream.</summary>
/// <param name="Ports">The ports of the domain.</param>
/// <param name="Address">The own address.</param>
/// <param name="PublisherAddress">The address of the publisher for a subscriber; null for the publisher itself.</param>
internal sealed record StreamPlace(TestPorts Ports, IPAddress Address, IPAddress? PublisherAddress)
{
    /// <summary>The encryption of a subscriber; null for plain bytes.</summary>
    public TlsClientSettings? ClientTls { get; init; }

    /// <summary>The encryption of a publisher; null for plain bytes.</summary>
    public TlsServerSettings? ServerTls { get; init; }

    /// <summary>Returns the place of the streams of a side.</summary>
    public static StreamPlace Of(TestPlace place) => new(place.Options.Ports, place.Address, place.PublisherAddress)
    {
        ClientTls = place.Options.ClientTls,
        ServerTls = place.Options.ServerTls,
    };

    /// <summary>The address from which a subscriber connects; null leaves that to the system.</summary>
    public IPAddress? OwnAddress => Address.Equals(IPAddress.Any) || Address.Equals(IPAddress.IPv6Any) ? null : Address;
}
