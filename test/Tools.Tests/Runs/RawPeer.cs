using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport;

namespace Tools.Tests.Runs;

/// <summary>A peer that completes the handshake, and then sends any bytes of a test. Every wait is bounded.</summary>
internal sealed class RawPeer : IDuplexPipe, IAsyncDisposable
{
    private const int LimitMillis = 60_000;
    private const byte Plain = 2; // flags of a frame with one message
    private const byte Extended = 3; // of one with further flags
    private const byte FirstFragment = 8; // those: the length of the whole and the number of the message follow

    private readonly NetworkStream _stream;
    private RsslConnection? _connection;

    private RawPeer(Socket socket)
    {
        _stream = new NetworkStream(socket, ownsSocket: true) { ReadTimeout = LimitMillis, WriteTimeout = LimitMillis };
        Input = PipeReader.Create(_stream, new StreamPipeReaderOptions(leaveOpen: true));
        Output = PipeWriter.Create(_stream, new StreamPipeWriterOptions(leaveOpen: true));
    }

    public PipeReader Input { get; }

    public PipeWriter Output { get; }

    /// <summary>Connects to a server on loopback.</summary>
    public static async Task<RawPeer> ConnectAsync(ConnectOptions options, CancellationToken cancel)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, options.Port, cancel);
        RawPeer peer = new(socket);
        peer._connection = await RsslConnection.OpenClientAsync(peer, options, cancel);
        return peer;
    }

    /// <summary>Waits for a client.</summary>
    public static async Task<RawPeer> AcceptAsync(Socket listener, ListenOptions options, CancellationToken cancel)
    {
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(LimitMillis);
        RawPeer peer = new(await listener.AcceptAsync(limit.Token));
        peer._connection = await RsslConnection.OpenServerAsync(peer, options, cancel);
        return peer;
    }

    /// <summary>A frame that declares a number of bytes and has a hundred of them.</summary>
    public static byte[] LongFrame(int bytes) => [(byte)(bytes >> 8), (byte)bytes, Plain, .. new byte[100]];

    /// <summary>The first bytes of a message in fragments, which declares a number of bytes.</summary>
    public static byte[] BeginMessage(int bytes, ushort number)
    {
        byte[] frame = [0, 40, Extended, FirstFragment, 0, 0, 0, 0, 0, 0, .. new byte[30]];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(4), bytes);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(8), number);
        return frame;
    }

    /// <summary>Writes these bytes.</summary>
    /// <returns>False when the other side has closed the connection meanwhile.</returns>
    public bool TrySay(byte[] bytes)
    {
        try
        {
            _stream.Write(bytes);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>Reads what comes until the other side has closed the connection.</summary>
    /// <exception cref="TimeoutException">It has said nothing for a minute, and not closed it.</exception>
    public void WaitForEnd()
    {
        byte[] room = new byte[4096];
        try
        {
            while (_stream.Read(room) > 0)
            {
                // a ping, or the answer to a message
            }
        }
        catch (IOException end) when (end.InnerException is SocketException { SocketErrorCode: SocketError.ConnectionReset or SocketError.Shutdown })
        {
            // with bytes of ours unread
        }
        catch (IOException silence)
        {
            throw new TimeoutException("the connection is still open", silence);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_connection is not null)
            await _connection.DisposeAsync();
        await _stream.DisposeAsync();
    }
}
