using System.Net;
using System.Net.Sockets;
using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon.Tests;

namespace Tools.Tests.LatencyTests;

/// <summary>The fault of the one datagram.</summary>
internal enum Oddity
{
    Lost,
    Repeated,

    /// <summary>The next one of its kind to or from the same subscriber goes first.</summary>
    Overtaken,
    Delayed,
}

/// <summary>
/// The path between a publisher and its subscribers, on real sockets: one datagram of the test is odd, the others are forwarded unchanged.
/// </summary>
/// <remarks>For each side it is the peer: it has the ports of a domain on a separate address.</remarks>
internal sealed class OddRelay : IDisposable
{
    public const string Address = "127.0.0.40", PublisherAddress = "127.0.0.41";
    private const int Publisher = 0;
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(20);

    private readonly TestPorts _ports;
    private readonly Socket[] _sockets; // 0 faces the subscribers, that of a cookie the publisher
    private readonly (DatagramKind Kind, int Cookie, ulong Sequence, Oddity Oddity) _odd;
    private readonly TestThread _thread;
    private readonly byte[] _buffer = new byte[65_536];
    private byte[]? _held;
    private bool _isOver;
    private volatile bool _ends;

    /// <param name="domain">Of the test.</param>
    /// <param name="subscribers">How many there are.</param>
    /// <param name="kind">Data or Reply.</param>
    /// <param name="cookie">The subscriber that it goes to or comes from.</param>
    /// <param name="sequence">Its number.</param>
    /// <param name="oddity">What becomes of it.</param>
    public OddRelay(int domain, int subscribers, DatagramKind kind, int cookie, ulong sequence, Oddity oddity)
    {
        _odd = (kind, cookie, sequence, oddity);
        _ports = new(TestPorts.UsualBase, domain);
        _sockets = [.. Enumerable.Range(0, subscribers + 1).Select(side => Bind(side == Publisher ? _ports.Publisher : _ports.Subscriber(side)))];
        _thread = new TestThread(Run);
        _thread.Start();
    }

    /// <summary>The address of a subscriber.</summary>
    public static string AddressOf(int cookie) => $"127.0.0.{41 + cookie}";

    public void Dispose()
    {
        _ends = true;
        _thread.Join();
        foreach (Socket socket in _sockets)
            socket.Dispose();
    }

    private static Socket Bind(int port)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Parse(Address), port));
        return socket;
    }

    private void Run()
    {
        while (!_ends)
        {
            List<Socket> ready = [.. _sockets];
            Socket.Select(ready, null, null, Look);
            foreach (Socket socket in ready)
                Pass(Array.IndexOf(_sockets, socket));
        }
    }

    private void Pass(int at)
    {
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);
        byte[] datagram = _buffer.AsSpan(0, _sockets[at].ReceiveFrom(_buffer, ref from)).ToArray();
        int cookie = at == Publisher ? ((IPEndPoint)from).Port - _ports.Publisher : at;
        bool isToPublisher = at == Publisher;
        if (!DatagramHeader.TryRead(datagram, out DatagramHeader header) || header.Kind != _odd.Kind || cookie != _odd.Cookie)
        {
            Send(isToPublisher, cookie, datagram);
            return;
        }

        if (_held is { } held)
        {
            _held = null;
            Send(isToPublisher, cookie, datagram);
            Send(isToPublisher, cookie, held);
        }
        else if (_isOver || header.Sequence != _odd.Sequence)
        {
            Send(isToPublisher, cookie, datagram);
        }
        else
        {
            _isOver = true;
            BeOdd(isToPublisher, cookie, datagram);
        }
    }

    private void BeOdd(bool isToPublisher, int cookie, byte[] datagram)
    {
        if (_odd.Oddity == Oddity.Overtaken)
            _held = datagram;
        if (_odd.Oddity == Oddity.Delayed)
            Thread.Sleep(Delay); // of the way, which is what is tested
        if (_odd.Oddity is Oddity.Delayed or Oddity.Repeated)
            Send(isToPublisher, cookie, datagram);
        if (_odd.Oddity == Oddity.Repeated)
            Send(isToPublisher, cookie, datagram);
    }

    private void Send(bool isToPublisher, int cookie, byte[] datagram)
    {
        if (isToPublisher)
            _sockets[cookie].SendTo(datagram, new IPEndPoint(IPAddress.Parse(PublisherAddress), _ports.Publisher));
        else
            _sockets[Publisher].SendTo(datagram, new IPEndPoint(IPAddress.Parse(AddressOf(cookie)), _ports.Subscriber(cookie)));
    }
}
