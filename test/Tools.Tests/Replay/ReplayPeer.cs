using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace Tools.Tests.Replay;

/// <summary>The recorded program's end of a connection: frames as they are, every wait bounded.</summary>
internal sealed class ReplayPeer : IDisposable
{
    private const int PatienceMillis = 120_000;

    private readonly Socket _socket;

    private ReplayPeer(Socket socket)
    {
        _socket = socket;
        _socket.NoDelay = true;
        _socket.ReceiveTimeout = PatienceMillis;
        _socket.SendTimeout = PatienceMillis;
    }

    /// <summary>How long any wait of a replay lasts at most.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromMilliseconds(PatienceMillis);

    public static ReplayPeer Connect(int port)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(IPAddress.Loopback, port);
        return new ReplayPeer(socket);
    }

    public static ReplayPeer Accept(Socket listener) =>
        listener.Poll(Patience, SelectMode.SelectRead) ? new ReplayPeer(listener.Accept()) : throw new TimeoutException("nobody connected");

    public void Send(ReadOnlySpan<byte> frames)
    {
        while (!frames.IsEmpty)
            frames = frames[_socket.Send(frames)..];
    }

    /// <summary>The next frame, its header included; null at the end of the stream.</summary>
    public byte[]? ReadFrame()
    {
        byte[] length = new byte[sizeof(ushort)];
        if (!TryFill(length))
            return null;
        byte[] frame = new byte[BinaryPrimitives.ReadUInt16BigEndian(length)];
        length.CopyTo(frame, 0);
        return TryFill(frame.AsSpan(length.Length)) ? frame : throw new EndOfStreamException("the stream ended inside a frame");
    }

    public void FinishSending() => _socket.Shutdown(SocketShutdown.Send);

    public void Dispose() => _socket.Dispose();

    private bool TryFill(Span<byte> room)
    {
        while (!room.IsEmpty)
        {
            int count = _socket.Receive(room);
            if (count == 0)
                return false;
            room = room[count..];
        }

        return true;
    }
}
