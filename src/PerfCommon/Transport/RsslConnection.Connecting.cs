using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport.Proxy;

namespace PerfCommon.Transport;

public sealed partial class RsslConnection
{
    private sealed class SocketStreamPipe : IDuplexPipe, IAsyncDisposable
    {
        private readonly NetworkStream _stream;

        public SocketStreamPipe(Socket socket)
        {
            _stream = new NetworkStream(socket, ownsSocket: true);
            Input = PipeReader.Create(_stream, new StreamPipeReaderOptions(leaveOpen: true));
            Output = PipeWriter.Create(_stream, new StreamPipeWriterOptions(leaveOpen: true));
        }

        public Socket Socket => _stream.Socket;

        public PipeReader Input { get; }

        public PipeWriter Output { get; }

        public ValueTask DisposeAsync() => _stream.DisposeAsync();
    }

    /// <summary>Connects over TCP: all addresses, all versions from the highest of the options down.</summary>
    /// <exception cref="IOException">When no connection came about; the sentence says why.</exception>
    public static async Task<RsslConnection> ConnectAsync(ConnectOptions options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(options);
        ProxyLogin login = new();
        int version = ConnectionVersions.HighestFor(options);
        while (true)
        {
            (SocketStreamPipe pipe, string ownAddress) = await ConnectSocketAsync(options, cancellation).ConfigureAwait(false);
            RsslConnection connection = new(pipe, options, new ClientHandshake(options, version, ownAddress), login);
            try
            {
                return await OpenedAsync(connection, cancellation).ConfigureAwait(false);
            }
            catch (IOException) when (connection.Channel.NextVersion is { } next)
            {
                version = next;
            }
        }
    }

    /// <summary>Shakes hands as a server over a connection that a listener has taken, or refuses it.</summary>
    internal static Task<RsslConnection> OpenAcceptedAsync(AcceptedConnection accepted, CancellationToken cancellation)
    {
        NetworkAddresses.Configure(accepted.Socket, accepted.Options, blocks: true);
        SocketStreamPipe pipe = new(accepted.Socket);
        ServerHandshake handshake = new(accepted.Options, accepted.Refusal);
        return OpenedAsync(new RsslConnection(pipe, accepted.Options, handshake, accepted: accepted), cancellation);
    }

    private static async Task<(SocketStreamPipe Pipe, string OwnAddress)> ConnectSocketAsync(ConnectOptions options, CancellationToken cancellation)
    {
        (string host, int port) = options.NextHop;
        Socket socket = new(SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
        NetworkAddresses.Configure(socket, options, blocks: true);
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(TimeSpan.FromSeconds(options.ConnectTimeoutSeconds));
        try
        {
            if (options.InterfaceName is string name)
                socket.Bind(new IPEndPoint(NetworkAddresses.FindInterface(name, family: null).MapToIPv6(), 0));
            await socket.ConnectAsync(host, port, limit.Token).ConfigureAwait(false);
        }
        catch (Exception problem)
        {
            socket.Dispose();
            if (problem is SocketException || (problem is OperationCanceledException && !cancellation.IsCancellationRequested))
                throw new IOException($"cannot connect to {host} port {port}: {problem.Message}", problem);
            throw;
        }
        string ownAddress = (socket.LocalEndPoint as IPEndPoint)?.Address.ToString() ?? "";
        return (new SocketStreamPipe(socket), ownAddress);
    }
}
