using System.Collections.Concurrent;
using System.Net;
using Google.Protobuf;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Tools.Tests.Telemetry.Wire;

namespace Tools.Tests.Telemetry;

/// <summary>An OpenTelemetry collector that keeps what it receives, by gRPC and by HTTP.</summary>
internal sealed class CollectorStandIn : IDisposable
{
    private readonly WebApplication _server;

    public CollectorStandIn()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddGrpc();
        builder.Services.AddSingleton(this);
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
        });
        _server = builder.Build();
        _server.MapGrpcService<MetricsFace>();
        _server.MapGrpcService<TraceFace>();
        _server.MapPost("/v1/metrics", request => TakeAsync(request, body => Metrics.Enqueue(MetricsRequest.Parser.ParseFrom(body))));
        _server.MapPost("/v1/traces", request => TakeAsync(request, body => Traces.Enqueue(TraceRequest.Parser.ParseFrom(body))));
        _server.StartAsync().GetAwaiter().GetResult();
        string[] addresses = [.. _server.Urls];
        (Grpc, Http) = (addresses[0], addresses[1]);
    }

    /// <summary>What came, in its order.</summary>
    public ConcurrentQueue<MetricsRequest> Metrics { get; } = [];

    public ConcurrentQueue<TraceRequest> Traces { get; } = [];

    public string Grpc { get; }

    public string Http { get; }

    public static Dictionary<string, string> Read(IEnumerable<KeyValue> attributes) =>
        attributes.ToDictionary(attribute => attribute.Key, attribute => attribute.Value.StringValue);

    public void Dispose()
    {
        using CancellationTokenSource limit = new(TimeSpan.FromSeconds(5));
        _server.StopAsync(limit.Token).GetAwaiter().GetResult();
        ((IDisposable)_server).Dispose();
    }

    private static async Task TakeAsync(HttpContext context, Action<byte[]> take)
    {
        using MemoryStream body = new();
        await context.Request.Body.CopyToAsync(body);
        take(body.ToArray());
        context.Response.ContentType = "application/x-protobuf";
        await context.Response.Body.WriteAsync(new Reply().ToByteArray());
    }

    private sealed class MetricsFace(CollectorStandIn owner) : MetricsService.MetricsServiceBase
    {
        public override Task<Reply> Export(MetricsRequest request, ServerCallContext context)
        {
            owner.Metrics.Enqueue(request);
            return Task.FromResult(new Reply());
        }
    }

    private sealed class TraceFace(CollectorStandIn owner) : TraceService.TraceServiceBase
    {
        public override Task<Reply> Export(TraceRequest request, ServerCallContext context)
        {
            owner.Traces.Enqueue(request);
            return Task.FromResult(new Reply());
        }
    }
}
