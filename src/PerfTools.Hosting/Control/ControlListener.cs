using System.Net;
using System.Net.Sockets;
using System.Text;
using PerfCommon;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Control;

/// <summary>
/// Listens for requests over HTTP and has them answered, on threads of the framework's pool. Bounded: so many at once, each within seconds.
/// </summary>
internal sealed class ControlListener : IDisposable
{
    private const int MaxAtOnce = 32;
    private const int MaxTries = 10;
    private const string Localhost = "localhost";
    private static readonly TimeSpan BodyLimit = TimeSpan.FromSeconds(3);

    private readonly Func<ControlRequest, ControlReply> _answer;
    private readonly HttpListener _http;
    private int _atOnce;

    private ControlListener(HttpListener http, int port, Func<ControlRequest, ControlReply> answer)
    {
        (_http, Port, _answer) = (http, port, answer);
        _ = AcceptAsync();
    }

    public int Port { get; }

    /// <summary>Begins to listen.</summary>
    /// <param name="options">Where.</param>
    /// <param name="answer">Answers a request; any thread, several at once.</param>
    /// <exception cref="SetupException">The port cannot be had.</exception>
    public static ControlListener Start(ControlOptions options, Func<ControlRequest, ControlReply> answer)
    {
        for (int i = 1; ; i++)
        {
            int port = options.Port == 0 ? FindFreePort() : options.Port;
            try
            {
                return new(Listen(options.Host, port), port, answer);
            }
            catch (HttpListenerException) when (options.Port == 0 && i < MaxTries)
            {
                // somebody was quicker: another free one
            }
            catch (Exception cause) when (cause is HttpListenerException or SocketException)
            {
                string where = FormattableString.Invariant($"{options.Host}:{port}");
                throw new SetupException(SetupProblem.NotStarted, $"cannot listen on {where}: {cause.Message}", cause);
            }
        }
    }

    public void Dispose() => _http.Close();

    // The listener of the framework answers only to the names that it was given.
    private static HttpListener Listen(string host, int port)
    {
        HttpListener http = new();
        foreach (string name in NamesOf(host))
            http.Prefixes.Add(FormattableString.Invariant($"http://{name}:{port}/"));
        try
        {
            http.Start();
            return http;
        }
        catch
        {
            http.Close();
            throw;
        }
    }

    private static string[] NamesOf(string host)
    {
        if (!IPAddress.TryParse(host, out IPAddress? address))
            return [host];
        return address.Equals(IPAddress.Any) ? ["*"] : address.Equals(IPAddress.Loopback) ? [host, Localhost] : [host];
    }

    // The framework's listener takes no port 0.
    private static int FindFreePort()
    {
        using TcpListener listener = new(IPAddress.Any, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private async Task AcceptAsync()
    {
        while (_http.IsListening)
        {
            try
            {
                _ = ServeAsync(await _http.GetContextAsync());
            }
            catch (Exception cause) when (IsOfConnection(cause))
            {
                // that connection is gone, or the listener is closed
            }
        }
    }

    private async Task ServeAsync(HttpListenerContext context)
    {
        bool isOneTooMany = Interlocked.Increment(ref _atOnce) > MaxAtOnce;
        try
        {
            ControlReply reply = isOneTooMany
                ? ControlReply.Refuse(ControlReply.TooBusy, FormattableString.Invariant($"more than {MaxAtOnce} requests at once"))
                : _answer(await ReadAsync(context.Request).WaitAsync(BodyLimit));
            Send(context, reply);
        }
        catch (Exception cause) when (IsOfConnection(cause))
        {
            context.Response.Abort();
        }
        finally
        {
            Interlocked.Decrement(ref _atOnce);
        }
    }

    private static async Task<ControlRequest> ReadAsync(HttpListenerRequest request) =>
        new(request.HttpMethod, request.Url?.AbsolutePath ?? "")
        {
            Authorization = request.Headers["Authorization"],
            Own = request.Headers[ControlRequest.OwnHeader],
            Body = await ReadBodyAsync(request),
        };

    private static async Task<string?> ReadBodyAsync(HttpListenerRequest request)
    {
        if (!request.HasEntityBody)
            return "";
        if (request.ContentLength64 > ControlRequest.MaxBodyBytes)
            return null;
        byte[] room = new byte[ControlRequest.MaxBodyBytes + 1];
        int bytes = await request.InputStream.ReadAtLeastAsync(room, room.Length, throwOnEndOfStream: false);
        return bytes > ControlRequest.MaxBodyBytes ? null : Encoding.UTF8.GetString(room, 0, bytes);
    }

    private static void Send(HttpListenerContext context, ControlReply reply)
    {
        HttpListenerResponse response = context.Response;
        byte[] text = Encoding.UTF8.GetBytes(reply.Text);
        (response.StatusCode, response.ContentType, response.ContentLength64) = (reply.Status, reply.ContentType, text.Length);
        response.AddHeader("Cache-Control", "no-store");
        if (reply.Status == ControlReply.Unauthorized)
            response.AddHeader("WWW-Authenticate", "Bearer");
        if (context.Request.HttpMethod != "HEAD")
            response.OutputStream.Write(text);
        response.Close();
    }

    private static bool IsOfConnection(Exception cause) =>
        cause is HttpListenerException or IOException or ObjectDisposedException or InvalidOperationException or TimeoutException;
}
