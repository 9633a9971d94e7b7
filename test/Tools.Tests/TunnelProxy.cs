using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Tools.Tests;

/// <summary>An HTTP proxy for one test: answers every CONNECT and passes bytes on.</summary>
internal sealed class TunnelProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private int _tunnels;

    public TunnelProxy()
    {
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _ = AcceptAll();
    }

    public int Port { get; }

    public int Tunnels => Volatile.Read(ref _tunnels);

    public void Dispose()
    {
        _end.Cancel();
        _listener.Dispose();
        _end.Dispose();
    }

    private async Task AcceptAll()
    {
        try
        {
            while (true)
                _ = Tunnel(await _listener.AcceptTcpClientAsync(_end.Token));
        }
        catch (Exception end) when (end is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // the test is over
        }
    }

    private async Task Tunnel(TcpClient client)
    {
        using TcpClient server = new();
        using (client)
        {
            NetworkStream near = client.GetStream();
            string request = await ReadHead(near);
            string[] target = request.Split(' ')[1].Split(':');
            await server.ConnectAsync(target[0], int.Parse(target[1], System.Globalization.CultureInfo.InvariantCulture), _end.Token);
            await near.WriteAsync("HTTP/1.1 200 Connection established\r\n\r\n"u8.ToArray(), _end.Token);
            Interlocked.Increment(ref _tunnels);
            await Task.WhenAll(Pass(near, server), Pass(server.GetStream(), client));
        }
    }

    private async Task Pass(NetworkStream from, TcpClient to)
    {
        try
        {
            await from.CopyToAsync(to.GetStream(), _end.Token);
            to.Client.Shutdown(SocketShutdown.Send);
        }
        catch (Exception end) when (end is IOException or OperationCanceledException or SocketException)
        {
            // one side is gone
        }
    }

    private async Task<string> ReadHead(NetworkStream stream)
    {
        StringBuilder head = new();
        byte[] one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal) && await stream.ReadAsync(one, _end.Token) == 1)
            head.Append((char)one[0]);
        return head.ToString();
    }
}
