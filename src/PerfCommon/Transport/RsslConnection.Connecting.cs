using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport.Proxy;

namespace PerfCommon.Transport;

public sealed partial class RsslConnection
{
    private sealed class StreamPipe(Stream stream) : IDuplexPipe, IAsyncDisposable
    {
        public PipeReader Input { get; } = PipeReader.Create(stream, new StreamPipeReaderOptions(leaveOpen: true));

        public PipeWriter Output { get; } = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));

        public ValueTask DisposeAsync() => stream.DisposeAsync();
    }

    /// <summary>Connects over TCP: all addresses, all versions from the highest of the options down.</summary>
    /// <exception cref="IOException">When no connection came about; the sentence says why.</exception>
    public static async Task<RsslConnection> ConnectAsync(ConnectOptions options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(options);
        ProxyLogin login = new();
        int version = options.HighestVersion;
        while (true)
        {
            (StreamPipe pipe, string ownAddress) = await ConnectSocketAsync(options, cancellation).ConfigureAwait(false);
            RsslConnection connection = new(pipe, options, new ClientHandshake(options, version, ownAddress), below: pipe, login);
            try
            {
                return await OpenedAsync(connection, cancellation).ConfigureAwait(false);
            }
            catch (IOException) when (login.WantsReconnect)
            {
                // the proxy asks for a login on a new connection
            }
            catch (IOException) when (connection.Channel.WasLeftWithoutAnswer && version > ConnectionVersions.LowestFor(options))
            {
                version--; // the server may know lower versions only
            }
        }
    }

    private static async Task<(StreamPipe Pipe, string OwnAddress)> ConnectSocketAsync(ConnectOptions options, CancellationToken cancellation)
    {
        (string host, int port) = options.NextHop;
        Socket socket = new(SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp) { NoDelay = !options.TcpDelay };
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(TimeSpan.FromSeconds(options.ConnectTimeoutSeconds));
        try
        {
            if (options.InterfaceName is string name)
                socket.Bind(new IPEndPoint(NetworkAddresses.FindInterface(name, family: null).MapToIPv6(), 0));
            await socket.ConnectAsync(host, port, limit.Token).ConfigureAwait(false);
        }
        catch (Exception problem) when (problem is SocketException || (problem is OperationCanceledException && !cancellation.IsCancellationRequested))
        {
            socket.Dispose();
            throw new IOException($"cannot connect to {host} port {port}: {problem.Message}", problem);
        }
        string ownAddress = (socket.LocalEndPoint as IPEndPoint)?.Address.ToString() ?? "";
        return (new StreamPipe(new NetworkStream(socket, ownsSocket: true)), ownAddress);
    }
}
