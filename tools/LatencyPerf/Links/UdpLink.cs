using System.Globalization;
using System.Net;
using System.Net.Sockets;
using LatencyPerf.Protocol;
using PerfCommon;

namespace LatencyPerf.Links;

/// <summary>A link by UDP over IPv4 or IPv6: one unicast socket, and one for the group on which this side receives.</summary>
internal sealed class UdpLink : ILink
{
    private const int MaxDatagramBytes = 65_536;
    private const int TurnsPerLook = 64;

    private readonly UdpLinkOptions _options;
    private readonly Socket _socket;
    private readonly Socket? _group;
    private readonly SocketSet _set = new();
    private readonly SocketAddress?[] _peers = new SocketAddress?[TestPorts.MaxCookie + 1];
    private readonly byte[] _buffer = GC.AllocateUninitializedArray<byte>(MaxDatagramBytes, pinned: true);
    private SocketAddress? _dataGroup;
    private bool _isRendezvous;
    private bool _isConnected;
    private bool _wasRefused;
    private int _lastPeer;
    private int _turns;

    /// <exception cref="SetupException">A port, an address or a group is not available.</exception>
    public UdpLink(UdpLinkOptions options)
    {
        _options = options;
        _socket = UdpSockets.CreateUnicast(options);
        _set.Add(_socket);
        if (options.GroupPoint is { } group)
        {
            _group = UdpSockets.CreateGroup(options, group);
            _set.Add(_group);
        }

        _isRendezvous = options.IsPublisher;
        _isConnected = !options.IsPublisher;
    }

    public IReadOnlyList<string> Description =>
    [
        string.Create(CultureInfo.InvariantCulture,
            $"UDP enabled. Socket sendBuffer size = {_socket.SendBufferSize}, receiveBuffer size = {_socket.ReceiveBufferSize}."),
    ];

    public PeerAddress? Source { get; private set; }

    public string? Broken => null; // a refusal is reported instead

    public long KernelDrops => UdpSockets.ReadDrops(_socket) + (_group is null ? 0 : UdpSockets.ReadDrops(_group));

    public void Send(int peer, ReadOnlySpan<byte> datagram)
    {
        if (_isConnected)
            SendConnected(datagram);
        else if (_peers[peer] is { } address)
            SendTo(address, datagram);
    }

    public void SendData(ReadOnlySpan<byte> datagram)
    {
        if (_dataGroup is not null)
            SendTo(_dataGroup, datagram);
        else if (_isConnected)
            SendConnected(datagram);
        else
            SendToAll(datagram);
    }

    public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram) => SendTo(IPEndPoint.Parse(to.Text).Serialize(), datagram);

    public void Admit(int cookie, PeerAddress at)
    {
        _peers[cookie] = IPEndPoint.Parse(at.Text).Serialize();
        _lastPeer = Math.Max(_lastPeer, cookie);
    }

    public void Release(int cookie) => _peers[cookie] = null;

    public bool IsReachable(int cookie) => true;

    /// <exception cref="SetupException">No interface was given for datagrams to groups.</exception>
    public void UseGroup(IPEndPoint? group) => _dataGroup = group is null || _options.IsInterfaceGiven
        ? group?.Serialize()
        : throw new SetupException(SetupProblem.CommandLine, $"the other side receives on group {group.Address}: give -nic");

    public bool TryReceive(out Span<byte> datagram)
    {
        if (_isRendezvous)
            return TryReceiveFrom(out datagram);
        if (_group is not null && TryReceive(_group, out datagram))
            return true;
        datagram = default;
        // a spinning reader of a group checks the other socket now and then; after a wait it checks both
        return (_group is null || ++_turns % TurnsPerLook == 1) && TryReceive(_socket, out datagram);
    }

    public bool PollRefusal()
    {
        bool was = _wasRefused;
        _wasRefused = false;
        return was;
    }

    public void Wait(long limitNanos)
    {
        _set.Wait(limitNanos);
        _turns = 0;
    }

    public void EndRendezvous()
    {
        _isRendezvous = false;
        Source = null;
        if (_lastPeer == 1 && _peers[1] is { } only && _dataGroup is null)
        {
            _socket.Connect(_options.Local.Create(only)); // it receives only the peer's datagrams now, and detects its end
            _isConnected = true;
        }
        else
        {
            UdpSockets.WatchErrors(_socket, _options.IsVersion6);
        }
    }

    public void Dispose()
    {
        _socket.Dispose();
        _group?.Dispose();
    }

    private bool TryReceive(Socket socket, out Span<byte> datagram)
    {
        int bytes = socket.Receive(_buffer, SocketFlags.None, out SocketError error);
        _wasRefused |= IsRefusal(error);
        datagram = error == SocketError.Success ? _buffer.AsSpan(0, bytes) : default;
        return error == SocketError.Success;
    }

    // No overload reports "empty" without an exception.
    private bool TryReceiveFrom(out Span<byte> datagram)
    {
        datagram = default;
        if (!_socket.Poll(0, SelectMode.SelectRead))
            return false;
        try
        {
            SocketAddress from = new(_options.Address.AddressFamily);
            int bytes = _socket.ReceiveFrom(_buffer, SocketFlags.None, from);
            IPEndPoint point = (IPEndPoint)_options.Local.Create(from);
            Source = new PeerAddress(point.ToString(), point.Address.ToString());
            datagram = _buffer.AsSpan(0, bytes);
            return true;
        }
        catch (SocketException)
        {
            return false; // an error caused by an earlier answer
        }
    }

    private void SendConnected(ReadOnlySpan<byte> datagram)
    {
        _socket.Send(datagram, SocketFlags.None, out SocketError error);
        _wasRefused |= IsRefusal(error);
    }

    private void SendToAll(ReadOnlySpan<byte> datagram)
    {
        for (int cookie = 1; cookie <= _lastPeer; cookie++)
        {
            if (_peers[cookie] is { } address)
                SendTo(address, datagram);
        }
    }

    // A datagram that the kernel does not accept is lost like one in the network: the protocol detects it.
    private void SendTo(SocketAddress address, ReadOnlySpan<byte> datagram)
    {
        try
        {
            _socket.SendTo(datagram, SocketFlags.None, address);
        }
        catch (SocketException problem)
        {
            _wasRefused |= IsRefusal(problem.SocketErrorCode);
        }
    }

    private static bool IsRefusal(SocketError error) => error is SocketError.ConnectionRefused or SocketError.ConnectionReset;
}
