using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfTools.Hosting.Clocks;

/// <summary>The transport of probes to the peer and of answers back: datagrams, or one connection where they do not arrive. One thread.</summary>
internal sealed class ClockLink : IDisposable
{
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(2);

    private readonly Socket _socket;
    private readonly bool _isStream;
    private readonly StampedDatagrams? _stamped;
    private int _limitMillis;
    private int _received; // bytes of a partly received message, over a connection

    private ClockLink(Socket socket, bool isStream, StampedDatagrams? stamped = null) => (_socket, _isStream, _stamped) = (socket, isStream, stamped);

    /// <summary>Name of the transport of the probes.</summary>
    public string Transport => _isStream ? "tcp" : "udp";

    /// <summary>True where the kernel stamps the messages.</summary>
    public bool IsStamped => _stamped is not null;

    /// <summary>The kernel's stamps of the messages sent and received last, by the wall clock; null where it made none.</summary>
    public (long? Sent, long? Received) Stamps => (_stamped?.SentNanos, _stamped?.ReceivedNanos);

    /// <param name="peer">The peer.</param>
    /// <param name="wantsStamps">True for stamps of the kernel, where it has them.</param>
    /// <exception cref="SocketException">The peer cannot be reached.</exception>
    public static ClockLink OpenDatagrams(IPEndPoint peer, bool wantsStamps)
    {
        Socket socket = new(peer.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            socket.Connect(peer); // datagrams of other senders are not received
            return new ClockLink(socket, isStream: false, wantsStamps ? StampedDatagrams.TryOpen(socket, stampsSent: true) : null);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Connects; null when the connection is refused or takes longer than 2 s.</summary>
    public static ClockLink? TryConnect(IPEndPoint peer) => TryOpenConnection(peer) is { } socket ? new ClockLink(socket, isStream: true) : null;

    /// <summary>The same, without a link.</summary>
    public static Socket? TryOpenConnection(IPEndPoint peer)
    {
        Socket socket = new(peer.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            IAsyncResult connecting = socket.BeginConnect(peer, null, null);
            if (connecting.AsyncWaitHandle.WaitOne(ConnectLimit))
            {
                socket.EndConnect(connecting);
                return socket;
            }
        }
        catch (SocketException)
        {
            // the same as a timeout
        }

        socket.Dispose();
        return null;
    }

    /// <summary>True when the message sent last cannot be answered any more: the peer is gone, or does not listen.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Sends a message.</summary>
    public void Send(ReadOnlySpan<byte> message)
    {
        SocketError error;
        if (_stamped is null)
            _socket.Send(message, SocketFlags.None, out error);
        else
            error = _stamped.Send(message);
        HasFailed = error != SocketError.Success;
    }

    /// <summary>Waits for a message.</summary>
    /// <param name="message">Receives the message; over a connection also a part of it, for the next call.</param>
    /// <param name="limitNanos">Timeout in nanoseconds.</param>
    /// <returns>False when no whole message arrived, or the peer is gone.</returns>
    public bool TryReceive(Span<byte> message, long limitNanos)
    {
        if (_stamped is not null)
        {
            int length = _stamped.Receive(message, limitNanos);
            HasFailed = length < 0;
            return length == message.Length;
        }

        int millis = (int)Math.Max(1, limitNanos / Clock.NanosPerMilli);
        if (millis != _limitMillis)
            _socket.ReceiveTimeout = _limitMillis = millis;
        int bytes = _socket.Receive(message[_received..], SocketFlags.None, out SocketError error);
        if (error != SocketError.Success || bytes == 0)
        {
            HasFailed = error is not (SocketError.TimedOut or SocketError.WouldBlock);
            return false;
        }

        _received += bytes;
        if (_isStream && _received < message.Length)
            return false;
        bool isWhole = _received == message.Length;
        _received = 0;
        return isWhole;
    }

    public void Dispose() => _socket.Dispose();
}
