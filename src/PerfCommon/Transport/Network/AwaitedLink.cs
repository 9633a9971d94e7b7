using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>A connection for asynchronous callers: the caller's duplex pipe, or a system socket with a pipe over its stream.</summary>
internal sealed class AwaitedLink : NetworkLink
{
    private readonly Socket? _socket;
    private readonly Task _connecting = Task.CompletedTask;
    private IDuplexPipe? _pipe;
    private NetworkStream? _stream;

    /// <param name="pipe">An open pipe, which the caller keeps.</param>
    public AwaitedLink(IDuplexPipe pipe) => _pipe = pipe;

    /// <param name="accepted">A connected socket.</param>
    public AwaitedLink(Socket accepted) => _socket = accepted;

    private AwaitedLink(Socket socket, Task connecting) => (_socket, _connecting) = (socket, connecting);

    /// <summary>True when it uses a socket.</summary>
    public bool HasSocket => _socket is not null;

    /// <summary>The byte pipe, once it was opened.</summary>
    public DuplexBytePipe? Bytes { get; private set; }

    public override string? Failure => _connecting.Exception?.InnerException?.Message;

    public override string OwnAddress => _socket is null ? "" : NetworkAddresses.OwnAddress(_socket);

    /// <summary>Starts to connect.</summary>
    /// <param name="address">The address.</param>
    /// <param name="options">Options of the connection.</param>
    /// <param name="wakeOwner">Called when it has succeeded or failed.</param>
    /// <exception cref="IOException">There is no such interface.</exception>
    /// <exception cref="SocketException">It failed immediately.</exception>
    public static AwaitedLink Connect(IPAddress address, ConnectOptions options, Action wakeOwner)
    {
        Socket socket = NetworkAddresses.CreateClientSocket(address, options, blocks: true);
        Task connecting = socket.ConnectAsync(new IPEndPoint(address, options.NextHop.Port));
        connecting.ContinueWith(
            ended =>
            {
                _ = ended.Exception; // observed: an abandoned attempt may fail later
                wakeOwner();
            },
            TaskScheduler.Default);
        return new AwaitedLink(socket, connecting);
    }

    public override PipeStatus Look(bool isWritable) =>
        !_connecting.IsCompleted ? PipeStatus.Wait : _connecting.IsCompletedSuccessfully ? PipeStatus.Ready : PipeStatus.Failed;

    public override void Configure(ChannelOptions options) => NetworkAddresses.Configure(_socket!, options, blocks: true);

    public override BytePipe Open(Action wakeOwner)
    {
        if (_socket is not null)
            _stream = new NetworkStream(_socket, ownsSocket: true);
        _pipe ??= new StreamPipe(_stream!);
        return Bytes = new DuplexBytePipe(_pipe, _socket, wakeOwner);
    }

    /// <summary>Closes a socket; a caller's pipe stays open.</summary>
    public override void Dispose()
    {
        _stream?.Dispose();
        _socket?.Dispose();
    }

    public override string ToString() => _socket is null ? "" : $"{NetworkAddresses.Of(_socket).Remote}";

    private sealed class StreamPipe(NetworkStream stream) : IDuplexPipe
    {
        public PipeReader Input { get; } = PipeReader.Create(stream, new StreamPipeReaderOptions(leaveOpen: true));

        public PipeWriter Output { get; } = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
    }
}
