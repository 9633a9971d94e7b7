using System.Net.Sockets;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>Datagrams in a plain stream of TCP: each unchanged, its header has its length.</summary>
/// <remarks>A stranger's connection has a buffer for announcements only, and is never waited for.</remarks>
internal sealed class StreamConnection : IDisposable
{
    /// <summary>The maximum time between the end of our stream and the end of the peer's.</summary>
    public static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(3);

    private const int PeerBufferBytes = 1 << 18;
    private const int StrangerBufferBytes = 2 * TestIdentity.MaxControlBytes;
    private const long MaxSendNanos = Clock.NanosPerSecond;
    private const int LookMicros = 1000;

    private byte[] _buffer = new byte[StrangerBufferBytes];
    private int _start;
    private int _end;

    public StreamConnection(Socket socket)
    {
        Socket = socket;
        socket.Blocking = false;
        socket.NoDelay = true;
        At = socket.RemoteEndPoint is System.Net.IPEndPoint point ? new(point.ToString(), point.Address.ToString()) : new("", "");
    }

    public Socket Socket { get; }

    public PeerAddress At { get; }

    /// <summary>Why it ended; null while it is open.</summary>
    public string? Closed { get; private set; }

    /// <summary>True for a connection that is part of the test.</summary>
    public bool IsPeer { get; private set; }

    /// <summary>True when a whole datagram is buffered, which a wait for the socket would not show.</summary>
    public bool HasDatagram => Closed is null && FindDatagram() > 0;

    /// <summary>Makes it part of the test, with a buffer for its packets.</summary>
    public void MakePeer()
    {
        if (IsPeer)
            return;
        IsPeer = true;
        Array.Resize(ref _buffer, PeerBufferBytes);
    }

    /// <summary>Sends a whole datagram; one that does not fit into the socket for a second, or for a stranger at once, ends the connection.</summary>
    public void Send(ReadOnlySpan<byte> datagram)
    {
        long until = 0;
        while (datagram.Length > 0 && Closed is null)
        {
            int sent = Socket.Send(datagram, SocketFlags.None, out SocketError error);
            datagram = datagram[Math.Max(0, sent)..];
            if (error is SocketError.Success)
                continue;
            until = until == 0 ? Clock.NowNanos + MaxSendNanos : until;
            if (error != SocketError.WouldBlock || !IsPeer || Clock.NowNanos > until)
                Closed ??= $"connection to {At.Text} lost: {error}";
            else
                Socket.Poll(LookMicros, SelectMode.SelectWrite);
        }
    }

    /// <summary>Receives the next datagram, if a whole one has arrived.</summary>
    public bool TryReceive(out Span<byte> datagram)
    {
        if (TryRead(out datagram))
            return true;
        if (Closed is not null)
            return false;
        MakeRoom();
        int bytes = Socket.Receive(_buffer.AsSpan(_end), SocketFlags.None, out SocketError error);
        if (error == SocketError.Success && bytes > 0)
            _end += bytes;
        else if (error != SocketError.WouldBlock)
            RecordEnd(bytes, error);
        return TryRead(out datagram);
    }

    /// <summary>Ends our stream after everything that was sent.</summary>
    public void FinishSending()
    {
        try
        {
            Socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException broken)
        {
            Closed ??= $"connection to {At.Text} lost: {broken.SocketErrorCode}";
        }
    }

    /// <summary>Discards arrived bytes until the peer has ended its stream: closing with unread bytes would reset the connection.</summary>
    public void Discard()
    {
        while (Closed is null)
        {
            int bytes = Socket.Receive(_buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.WouldBlock)
                return;
            RecordEnd(bytes, error);
        }
    }

    public void Dispose()
    {
        Closed ??= $"connection to {At.Text} closed"; // a caller that still has it sends nothing more
        Socket.Dispose();
    }

    private void RecordEnd(int bytes, SocketError error)
    {
        if (error != SocketError.Success)
            Closed = $"connection to {At.Text} lost: {error}";
        else if (bytes == 0)
            Closed = $"{At.Text} closed the connection";
    }

    private bool TryRead(out Span<byte> datagram)
    {
        datagram = default;
        int bytes = FindDatagram();
        if (bytes <= 0)
        {
            if (bytes < 0)
                Closed ??= $"{At.Text} sends no datagrams of a test"; // the beginning of the next datagram is unknown
            return false;
        }

        datagram = _buffer.AsSpan(_start, bytes);
        _start += bytes;
        return true;
    }

    // The bytes of the next datagram; 0 while it is incomplete, negative when it is invalid or too long.
    private int FindDatagram()
    {
        ReadOnlySpan<byte> held = _buffer.AsSpan(_start, _end - _start);
        if (held.Length < DatagramHeader.Bytes)
            return 0;
        int bytes = DatagramHeader.ReadTotal(held);
        if (bytes > (IsPeer ? PeerBufferBytes : TestIdentity.MaxControlBytes))
            return -1;
        return held.Length >= bytes ? bytes : 0;
    }

    private void MakeRoom()
    {
        if (_start == _end)
        {
            _start = _end = 0;
        }
        else if (_start >= _buffer.Length / 2)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            (_start, _end) = (0, _end - _start);
        }
    }
}
