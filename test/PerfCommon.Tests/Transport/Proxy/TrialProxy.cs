using System.Net;
using System.Net.Sockets;
using System.Text;

namespace PerfCommon.Tests.Transport.Proxy;

/// <summary>A small HTTP proxy on loopback: CONNECT, a login if required, then bytes in both directions.</summary>
internal sealed class TrialProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly string? _login;
    private readonly bool _hangsUp;

    /// <param name="login">user:password that it requires; null for none.</param>
    /// <param name="hangsUp">True closes the connection after each request for a login.</param>
    public TrialProxy(string? login = null, bool hangsUp = false)
    {
        (_login, _hangsUp) = (login, hangsUp);
        _listener.Start();
        _ = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public int Tunnels { get; private set; }

    public void Dispose()
    {
        _stop.Cancel();
        _listener.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _ = ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token));
        }
        catch (Exception end) when (end is OperationCanceledException or SocketException or ObjectDisposedException)
        {
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        try
        {
            using TcpClient inner = client;
            NetworkStream stream = client.GetStream();
            string request = await ReadHeadAsync(stream);
            while (_login is not null
                && !request.Contains(Convert.ToBase64String(Encoding.UTF8.GetBytes(_login)), StringComparison.Ordinal))
            {
                string close = _hangsUp ? "Connection: close\r\n" : "";
                await stream.WriteAsync(
                    Encoding.ASCII.GetBytes(
                        $"HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm=\"t\"\r\n{close}Content-Length: 4\r\n\r\nbody"),
                            _stop.Token);
                if (_hangsUp)
                    return;
                request = await ReadHeadAsync(stream);
            }

            string[] target = request.Split(' ')[1].Split(':');
            using TcpClient server = new();
            await server.ConnectAsync(IPAddress.Loopback, int.Parse(target[1], null), _stop.Token);
            Tunnels++;
            await stream.WriteAsync("HTTP/1.1 200 Connection established\r\n\r\n"u8.ToArray(), _stop.Token);
            await Task.WhenAny(
                stream.CopyToAsync(server.GetStream(), _stop.Token),
                server.GetStream().CopyToAsync(stream, _stop.Token));
        }
        catch (Exception end) when (end is OperationCanceledException or IOException or SocketException or ObjectDisposedException)
        {
        }
    }

    private async Task<string> ReadHeadAsync(NetworkStream stream)
    {
        StringBuilder head = new();
        byte[] one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            if (await stream.ReadAsync(one, _stop.Token) == 0)
                throw new IOException("gone");
            head.Append((char)one[0]);
        }

        return head.ToString();
    }
}
