using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace PerfTools.Live;

/// <summary>Kestrel without host and configuration: it listens on the loopback interface only, for a few small requests at a time.</summary>
internal sealed class LiveServer : IDisposable
{
    private const int MaxConnections = 32;
    private const int MaxHeadBytes = 16_384; // a browser sends the cookies of this host with every request
    private const int MaxLineBytes = 1_024;
    private static readonly TimeSpan MaxHeadTime = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan MaxIdleTime = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan MaxStopTime = TimeSpan.FromMilliseconds(300);

    private readonly KestrelServer _server;

    private LiveServer(KestrelServer server, int port) => (_server, Port) = (server, port);

    public int Port { get; }

    /// <summary>Starts a server.</summary>
    /// <param name="port">The port to listen on; 0 for a free port.</param>
    /// <param name="answer">Answers a request.</param>
    /// <param name="problem">Why it cannot listen; null when it listens.</param>
    public static LiveServer? TryStart(int port, RequestDelegate answer, out string? problem)
    {
        KestrelServer server = new(Options.Create(CreateOptions(port)),
            new SocketTransportFactory(Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance), NullLoggerFactory.Instance);
        try
        {
            server.StartAsync(new Application(answer), CancellationToken.None).GetAwaiter().GetResult();
            string address = server.Features.Get<IServerAddressesFeature>()!.Addresses.First();
            problem = null;
            return new(server, new Uri(address).Port);
        }
        catch (Exception cause) when (cause is IOException or SocketException)
        {
            server.Dispose();
            problem = cause.Message.TrimEnd('.');
            return null;
        }
    }

    /// <summary>Stops the server, whatever a client does.</summary>
    public void Dispose()
    {
        using CancellationTokenSource limit = new(MaxStopTime);
        Task stopping = _server.StopAsync(limit.Token);
        if (Task.WhenAny(stopping, Task.Delay(MaxStopTime * 2)).GetAwaiter().GetResult() == stopping)
            _server.Dispose();
    }

    private static KestrelServerOptions CreateOptions(int port)
    {
        KestrelServerOptions options = new() { AddServerHeader = false };
        options.Limits.MaxConcurrentConnections = MaxConnections;
        options.Limits.MaxConcurrentUpgradedConnections = 0;
        options.Limits.MaxRequestBodySize = 0;
        options.Limits.MaxRequestLineSize = MaxLineBytes;
        options.Limits.MaxRequestHeadersTotalSize = MaxHeadBytes;
        options.Limits.RequestHeadersTimeout = MaxHeadTime;
        options.Limits.KeepAliveTimeout = MaxIdleTime;
        options.Listen(IPAddress.Loopback, port, listen => listen.Protocols = HttpProtocols.Http1);
        return options;
    }

    private sealed class Application(RequestDelegate answer) : IHttpApplication<HttpContext>
    {
        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public Task ProcessRequestAsync(HttpContext context) => answer(context);

        public void DisposeContext(HttpContext context, Exception? exception)
        {
        }
    }
}
