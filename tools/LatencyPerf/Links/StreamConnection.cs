using System.Net.Sockets;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>Datagrams in a plain stream of TCP: each as it is, its header says how long it is.</summary>
/// <remarks>One that is no peer has room for announcements alone, and is never waited for.</remarks>
internal sealed class StreamConnection : IDisposable
{
    /// <summary>How long a peer may take to end its stream after ours.</summary>
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

    /// <summary>True when a whole datagram is here that no wait for the socket would show.</summary>
    public bool HasDatagram => Closed is null && FindDatagram() > 0;

    /// <summary>Makes it part of the test, with room for its packets.</summary>
    public void MakePeer()
    {
        if (IsPeer)
            return;
        IsPeer = true;
        Array.Resize(ref _buffer, PeerBufferBytes);
    }

    /// <summary>Sends a whole datagram; one that finds no room for a second, or of a stranger at once, ends the connection.</summary>
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

    /// <summary>Takes the next datagram, if a whole one is here.</summary>
    public bool TryReceive(out Span<byte> datagram)
    {
        if (TryTake(out datagram))
            return true;
        if (Closed is not null)
            return false;
        MakeRoom();
        int bytes = Socket.Receive(_buffer.AsSpan(_end), SocketFlags.None, out SocketError error);
        if (error == SocketError.Success && bytes > 0)
            _end += bytes;
        else if (error != SocketError.WouldBlock)
            NoteEnd(bytes, error);
        return TryTake(out datagram);
    }

    /// <summary>Ends our stream behind everything sent.</summary>
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

    /// <summary>Discards what has arrived, until the peer has ended its stream: closing with unread bytes would reset the connection.</summary>
    public void Discard()
    {
        while (Closed is null)
        {
            int bytes = Socket.Receive(_buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.WouldBlock)
                return;
            NoteEnd(bytes, error);
        }
    }

    public void Dispose()
    {
        Closed ??= $"connection to {At.Text} closed"; // whoever still has it sends nothing more
        Socket.Dispose();
    }

    private void NoteEnd(int bytes, SocketError error)
    {
        if (error != SocketError.Success)
            Closed = $"connection to {At.Text} lost: {error}";
        else if (bytes == 0)
            Closed = $"{At.Text} closed the connection";
    }

    private bool TryTake(out Span<byte> datagram)
    {
        datagram = default;
        int bytes = FindDatagram();
        if (bytes <= 0)
        {
            if (bytes < 0)
                Closed ??= $"{At.Text} sends no datagrams of a test"; // where the next begins, nobody knows
            return false;
        }

        datagram = _buffer.AsSpan(_start, bytes);
        _start += bytes;
        return true;
    }

    // Bytes of the next datagram; 0 while it is not whole, negative when it is none, or longer than it may be.
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
