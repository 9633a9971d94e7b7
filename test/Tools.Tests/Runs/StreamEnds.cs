using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Tools.Tests.Runs;

/// <summary>
/// Relays between two programs, forwards their bytes, and records how each of them ended its stream: in an orderly way, or by a reset.
/// </summary>
/// <remarks>
/// It is the peer of either program. A reset by one of them is seen here whether the relay reads or writes; it is what the other program's
/// peer would log.
/// </remarks>
internal sealed class StreamEnds : IDisposable
{
    public const string Orderly = "end of stream";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly IPEndPoint _target;
    private readonly ConcurrentQueue<(string Who, string End)> _ends = new();
    private readonly CancellationTokenSource _over = new();
    private readonly List<Task> _relays = [];
    private readonly Task _accepting;
    private long _bytesOfServers;

    /// <param name="targetPort">Where the program listens that is connected to.</param>
    /// <param name="address">Where the relay listens; null for the loopback address.</param>
    /// <param name="port">The port there; 0 for a free one.</param>
    public StreamEnds(int targetPort, IPAddress? address = null, int port = 0)
    {
        _target = new IPEndPoint(IPAddress.Loopback, targetPort);
        _listener.Bind(new IPEndPoint(address ?? IPAddress.Loopback, port));
        _listener.Listen();
        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        _accepting = AcceptAll();
    }

    public int Port { get; }

    /// <summary>True keeps the ends of streams from the other side, which waits for them until this relay is disposed.</summary>
    public bool HoldsEnds { get; init; }

    /// <summary>Bytes that the servers have sent.</summary>
    public long BytesOfServers => Volatile.Read(ref _bytesOfServers);

    /// <summary>Waits for the ends of all streams so far.</summary>
    /// <returns>How the client and the server of each connection ended, and of how many connections.</returns>
    public IReadOnlyList<(string Who, string End)> Wait()
    {
        Task[] relays;
        lock (_relays)
            relays = [.. _relays];
        if (!Task.WaitAll(relays, Limit))
            throw new TimeoutException($"a stream did not end; those that did: {string.Join(", ", _ends)}");
        return [.. _ends];
    }

    public void Dispose()
    {
        _over.Cancel();
        _listener.Dispose();
        _accepting.Wait(Limit);
        _over.Dispose();
    }

    private async Task AcceptAll()
    {
        try
        {
            while (true)
            {
                Socket client = await _listener.AcceptAsync(_over.Token).ConfigureAwait(false);
                lock (_relays)
                    _relays.Add(Relay(client));
            }
        }
        catch (Exception end) when (end is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // the test is over
        }
    }

    private async Task Relay(Socket client)
    {
        using (client)
        {
            using Socket server = await ConnectAsync().ConfigureAwait(false);
            await Task.WhenAll(Pass("client", client, server), Pass("server", server, client)).ConfigureAwait(false);
        }
    }

    // The client may be there before its server listens: its connection waits for that, as it would at a server that is slow to accept.
    private async Task<Socket> ConnectAsync()
    {
        for (Stopwatch waited = Stopwatch.StartNew(); ; await Task.Delay(Pause, _over.Token).ConfigureAwait(false))
        {
            Socket server = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                await server.ConnectAsync(_target, _over.Token).ConfigureAwait(false);
                return server;
            }
            catch (SocketException refused) when (refused.SocketErrorCode == SocketError.ConnectionRefused && waited.Elapsed < Limit)
            {
                server.Dispose();
            }
        }
    }

    private async Task Pass(string who, Socket from, Socket to)
    {
        byte[] bytes = new byte[64 * 1024];
        try
        {
            int count;
            while ((count = await from.ReceiveAsync(bytes, _over.Token).ConfigureAwait(false)) > 0)
            {
                if (who == "server")
                    Interlocked.Add(ref _bytesOfServers, count);
                for (int sent = 0; sent < count;)
                    sent += await SendAsync(to, bytes.AsMemory(sent, count - sent)).ConfigureAwait(false);
            }

            _ends.Enqueue((who, Orderly));
            if (HoldsEnds)
                await Task.Delay(Timeout.Infinite, _over.Token).ConfigureAwait(false);
            to.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException broken)
        {
            // of the one that was read, or of the one that was written to
            _ends.Enqueue((who, $"{broken.SocketErrorCode}"));
            from.Close(0);
            to.Close(0);
        }
        catch (ObjectDisposedException)
        {
            _ends.Enqueue((who, "the other side was reset"));
        }
        catch (OperationCanceledException)
        {
            // the test is over
        }
    }

    private async Task<int> SendAsync(Socket to, ReadOnlyMemory<byte> bytes) =>
        await to.SendAsync(bytes, SocketFlags.None, _over.Token).ConfigureAwait(false);
}
