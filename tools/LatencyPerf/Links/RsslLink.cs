using System.Net;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace LatencyPerf.Links;

/// <summary>
/// An RSSL channel, for comparison: the same datagrams as messages of a connection, with its handshake, frames and pings.
/// </summary>
internal sealed class RsslLink : ILink
{
    private const int MaxDatagramBytes = DatagramHeader.Bytes + DataPacket.MaxBytes;
    private const long RendezvousWaitNanos = 10 * Clock.NanosPerMilli; // a new connection wakes no thread

    private readonly StreamPlace _place;
    private readonly ChannelPoller _poller;
    private readonly byte[] _buffer = new byte[MaxDatagramBytes];
    private readonly RsslChannel?[] _peers = new RsslChannel?[TestPorts.MaxCookie + 1];
    private readonly UnknownPeers<RsslChannel> _unknown = new();
    private RsslListener? _listener;
    private int _next; // the channel that is checked first

    /// <exception cref="SetupException">The port is not available.</exception>
    public RsslLink(StreamPlace place, bool isBusy)
    {
        _place = place;
        if (place.PublisherAddress is null)
            _listener = Listen();
        _poller = new ChannelPoller(isBusy);
    }

    public IReadOnlyList<string> Description => ["RSSL enabled."];

    public PeerAddress? Source { get; private set; }

    public string? Broken => Array.Find(_peers, peer => peer?.Closed is not null)?.Closed?.Text;

    public long KernelDrops => 0;

    public bool PollRefusal() => false;

    public void Send(int peer, ReadOnlySpan<byte> datagram)
    {
        if (_place.PublisherAddress is not null && _peers[peer] is null or { State: ChannelState.Closed })
            Connect();
        Send(_peers[peer], datagram);
    }

    public void SendData(ReadOnlySpan<byte> datagram)
    {
        foreach (RsslChannel? peer in _peers)
            Send(peer, datagram);
    }

    public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram) =>
        Send(_poller.Channels.FirstOrDefault(one => Equals(one.Tag, to)), datagram);

    public void Admit(int cookie, PeerAddress at)
    {
        if (_poller.Channels.FirstOrDefault(one => Equals(one.Tag, at)) is not { } channel)
            return;
        _unknown.Remove(channel);
        _peers[cookie] = channel;
    }

    public void Release(int cookie)
    {
        if (_peers[cookie] is not { } channel)
            return;
        _peers[cookie] = null;
        _poller.Remove(channel);
    }

    public bool IsReachable(int cookie) => _peers[cookie] is { State: ChannelState.Active };

    public void UseGroup(IPEndPoint? group)
    {
        // streams have no groups; the options refuse them
    }

    public bool TryReceive(out Span<byte> datagram)
    {
        if (TryRead(out datagram))
            return true;
        if (_listener is not null)
            AcceptNewcomers(Clock.NowNanos);
        _poller.Wait(0);
        return TryRead(out datagram);
    }

    public void Wait(long limitNanos) =>
        _poller.Wait(Clock.NowNanos
            + (_listener is null && Array.Exists(_peers, peer => peer is { State: ChannelState.Active })
                ? limitNanos : Math.Min(limitNanos, RendezvousWaitNanos)));

    public void EndRendezvous()
    {
        _listener?.Dispose();
        _listener = null;
        Source = null;
        foreach (RsslChannel channel in _poller.Channels.Where(one => !_peers.Contains(one)).ToArray())
            _poller.Remove(channel);
    }

    // A reset must not discard data that a peer has not read yet; strangers are not waited for.
    public void Dispose()
    {
        _listener?.Dispose();
        foreach (RsslChannel stranger in _poller.Channels.Except(_peers).OfType<RsslChannel>().ToArray())
            _poller.Remove(stranger);
        _poller.FinishAll(StreamConnection.EndLimit);
        _poller.Dispose();
    }

    private static void Send(RsslChannel? channel, ReadOnlySpan<byte> datagram)
    {
        if (channel is not { State: ChannelState.Active } || !channel.TryBeginMessage(datagram.Length, out Span<byte> room))
            return;
        datagram.CopyTo(room);
        channel.EndMessage(datagram.Length);
        channel.Flush();
    }

    private bool TryRead(out Span<byte> datagram)
    {
        IReadOnlyList<RsslChannel> ready = _poller.Ready;
        for (int left = ready.Count; left > 0; left--)
        {
            _next = _next < ready.Count ? _next : 0;
            RsslChannel channel = ready[_next++]; // round robin, so that no channel starves
            if (channel.State != ChannelState.Active || !channel.TryRead(out ReadOnlySpan<byte> message)
                || message.Length > MaxDatagramBytes)
            {
                continue;
            }

            if (_listener is not null)
                Source = AddressOf(channel);
            message.CopyTo(_buffer); // a reply is written in place, which the channel's buffer does not permit
            datagram = _buffer.AsSpan(0, message.Length);
            return true;
        }

        datagram = default;
        return false;
    }

    private static PeerAddress AddressOf(RsslChannel channel)
    {
        if (channel.Tag is not PeerAddress)
        {
            IPEndPoint? point = channel.Info.RemoteAddress as IPEndPoint;
            IPAddress? host = point?.Address is { IsIPv4MappedToIPv6: true } mapped ? mapped.MapToIPv4() : point?.Address;
            channel.Tag = new PeerAddress($"{point}", $"{host}");
        }

        return (PeerAddress)channel.Tag;
    }

    private void AcceptNewcomers(long nowNanos)
    {
        foreach (RsslChannel channel in _poller.Channels.Where(one => one is { Tag: null, State: ChannelState.Active }))
        {
            _ = AddressOf(channel);
            _unknown.Add(channel, nowNanos);
        }

        while (_unknown.FindOverdue(nowNanos) is { } overdue)
            Remove(overdue);
        foreach (RsslChannel closed in _poller.Channels.Where(one => one.State == ChannelState.Closed && !_peers.Contains(one)).ToArray())
            Remove(closed);
        while (!_unknown.IsFull && _listener!.TryAccept(TimeSpan.Zero, out AcceptedConnection? connection))
            _poller.Post(connection);
    }

    private void Remove(RsslChannel channel)
    {
        _unknown.Remove(channel);
        _poller.Remove(channel);
    }

    private RsslListener Listen()
    {
        try
        {
            return RsslListener.Bind(new ListenOptions
            {
                Port = _place.Ports.Stream,
                InterfaceName = _place.Address.ToString(),
                ProtocolType = RsslProtocol.TransportPerf,
                MaxConnections = (2 * UnknownPeers<RsslChannel>.Max) + TestPorts.MaxCookie,
                MaxHandshakes = UnknownPeers<RsslChannel>.Max,
                MaxReassembledBytes = MaxDatagramBytes,
                ReassemblyLimitBytes = 2 * MaxDatagramBytes,
                Tls = _place.ServerTls,
            });
        }
        catch (IOException problem)
        {
            throw new SetupException(SetupProblem.NotStarted,
                $"domain {_place.Ports.DomainId} is in use on {_place.Address}: {problem.Message}", problem);
        }
    }

    // Called for each announcement; a channel that failed is replaced.
    private void Connect()
    {
        if (_peers[IDatagramOutput.Publisher] is { } failed)
            _poller.Remove(failed);
        _peers[IDatagramOutput.Publisher] = _poller.Connect(new ConnectOptions
        {
            Host = _place.PublisherAddress!.ToString(),
            Port = _place.Ports.Stream,
            InterfaceName = _place.OwnAddress?.ToString(),
            ProtocolType = RsslProtocol.TransportPerf,
            Tls = _place.ClientTls,
        });
    }
}
