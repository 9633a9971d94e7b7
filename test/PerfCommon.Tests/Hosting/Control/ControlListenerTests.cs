using System.Net;
using System.Net.Sockets;
using System.Text;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Control;

/// <summary>Requests as they arrive over the network.</summary>
public sealed class ControlListenerTests : IDisposable
{
    private static readonly ControlOptions Options = new() { MetricsPort = 0, TakesChanges = true };

    private readonly SampleSettings _sample = new();
    private readonly ControlListener _listener;
    private readonly HttpClient _client = new();

    public ControlListenerTests()
    {
        _listener = ControlListener.Start(Options,
            new RunControl("Sample", new ControlAccess(null), _sample.Settings, () => "metrics\n").Answer);
        _client.BaseAddress = new($"http://127.0.0.1:{_listener.Port}");
        _client.DefaultRequestHeaders.Add("X-PerfTools", "1");
    }

    [Fact]
    public async Task Get_Metrics_ComeAsOpenMetrics()
    {
        using HttpResponseMessage response = await _client.GetAsync("/metrics", Cancel);
        Assert.Equal("application/openmetrics-text; version=1.0.0; charset=utf-8", response.Content.Headers.ContentType?.ToString());
        Assert.Equal("metrics\n", await response.Content.ReadAsStringAsync(Cancel));
        Assert.Equal(HttpStatusCode.OK, (await _client.GetAsync($"http://localhost:{_listener.Port}/metrics", Cancel)).StatusCode);
    }

    [Theory]
    [InlineData(4_096, false, HttpStatusCode.BadRequest)]
    [InlineData(4_097, false, HttpStatusCode.RequestEntityTooLarge)]
    [InlineData(5_120, false, HttpStatusCode.RequestEntityTooLarge)]
    [InlineData(5_120, true, HttpStatusCode.RequestEntityTooLarge)]
    public async Task Post_LargeBody_IsRefusedAboveTheLimit(int bytes, bool isChunked, HttpStatusCode status)
    {
        using HttpRequestMessage request = new(HttpMethod.Post, "/control") { Content = new ByteArrayContent(new byte[bytes]) };
        request.Headers.TransferEncodingChunked = isChunked;
        Assert.Equal(status, (await _client.SendAsync(request, Cancel)).StatusCode);
    }

    [Fact]
    public async Task Post_WithoutTheHeader_IsRefused()
    {
        _client.DefaultRequestHeaders.Clear();
        using StringContent body = new("most=50");
        Assert.Equal(HttpStatusCode.Forbidden, (await _client.PostAsync("/control", body, Cancel)).StatusCode);
        Assert.Empty(_sample.Applied);
    }

    [Fact]
    public async Task Post_ByManyAtOnce_TakesEveryOne()
    {
        await Parallel.ForAsync(0, 400, new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = Cancel }, async (i, cancel) =>
        {
            // all are different: values that already apply are not applied again
            using StringContent body = new(FormattableString.Invariant($"least={i % 10}\nmost={10 + (i / 10)}\n"));
            Assert.Equal(HttpStatusCode.OK, (await _client.PostAsync("/control", body, cancel)).StatusCode);
        });
        Assert.Equal(400, _sample.Applied.Count);
        Assert.Equal(400, _sample.Applied.Distinct().Count());
    }

    [Fact]
    public async Task Connection_ThatSendsHalfABody_DoesNotHoldUpOthers()
    {
        using TcpClient slow = new();
        await slow.ConnectAsync(IPAddress.Loopback, _listener.Port, Cancel);
        await slow.GetStream().WriteAsync(
            "POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nX-PerfTools: 1\r\nContent-Length: 100\r\n\r\nmost="u8.ToArray(), Cancel);
        Assert.Equal("metrics\n", await _client.GetStringAsync("/metrics", Cancel));
    }

    [Theory]
    [InlineData("GET /metr", 5)]
    [InlineData("POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nmost=", 3)]
    public async Task Connection_WithoutAWholeRequest_IsClosedAfterItsTime(string sent, int seconds)
    {
        ManualTime time = new();
        using ControlListener listener = Start(time);
        using Socket client = await ConnectAsync(listener);
        await client.SendAsync(Encoding.ASCII.GetBytes(sent), Cancel);
        await UntilAsync(() => listener.BytesReceived == sent.Length);
        time.Advance(TimeSpan.FromSeconds(seconds) - TimeSpan.FromTicks(1));
        Assert.Equal((1, 1), (time.Waiting, listener.Open));
        time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(0, await client.ReceiveAsync(new byte[1], Cancel));
        await UntilAsync(() => listener.Open == 0);
    }

    [Fact]
    public async Task Connections_BeyondTheLimit_WaitAndCostNothing()
    {
        ManualTime time = new();
        using ControlListener listener = Start(time);
        List<Socket> idle = [];
        try
        {
            for (int i = 0; i < listener.Connections + 40; i++)
                idle.Add(await ConnectAsync(listener));
            using Socket client = await ConnectAsync(listener);
            await client.SendAsync("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray(), Cancel);
            byte[] reply = new byte[12];
            ValueTask<int> received = client.ReceiveAsync(reply, Cancel);
            await UntilAsync(() => listener.Open == listener.Connections);
            Assert.False(received.IsCompleted);
            time.Advance(TimeSpan.FromSeconds(5)); // the first ones are closed, the next ones accepted
            Assert.Equal("HTTP/1.1 200", Encoding.ASCII.GetString(reply, 0, await received));
        }
        finally
        {
            idle.ForEach(socket => socket.Dispose());
        }
    }

    [Theory]
    [InlineData(null, 64)]
    [InlineData(0L, 1)]
    [InlineData(15L, 1)]
    [InlineData(16L, 2)]
    [InlineData(511L, 63)]
    [InlineData(512L, 64)]
    [InlineData(1_048_576L, 64)]
    public void ConnectionsOf_FilesOfTheSystem_IsAnEighthOfThem(long? maxFiles, int connections) =>
        Assert.Equal(connections, ControlListener.ConnectionsOf(maxFiles));

    [Fact]
    public async Task Socket_ThatFailsToAccept_IsToldOnceHoweverOftenItFails()
    {
        ManualTime time = new();
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        socket.Listen(8);
        socket.Shutdown(SocketShutdown.Both); // the system accepts no connection on it any more
        using ControlListener listener = ControlListener.Start(socket, "127.0.0.1", Answer, time: time);
        string? notice = null;
        await UntilAsync(() => (notice ??= listener.DequeueNotice()) is not null);
        Assert.StartsWith("connections to the port of metrics and control cannot be accepted: ", notice, StringComparison.Ordinal);
        for (int failure = 2; failure <= 5; failure++)
        {
            await UntilAsync(() => time.Waiting > 0); // it pauses before it tries again
            time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Null(listener.DequeueNotice());
    }

    [Fact]
    public async Task Socket_OnWhichNothingCanBeAccepted_IsToldOnce()
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0)); // and does not listen: the framework's defect, not the system's
        using ControlListener listener = ControlListener.Start(socket, "127.0.0.1", Answer);
        string? notice = null;
        await UntilAsync(() => (notice ??= listener.DequeueNotice()) is not null);
        Assert.StartsWith("no more connections to the port of metrics and control are accepted: ", notice, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Answer_ThatThrows_CostsItsConnectionAndNoOther()
    {
        int asked = 0;
        using ControlListener listener = ControlListener.Start(
            Options, _ => asked++ == 0 ? throw new InvalidOperationException("a defect") : ControlReply.Refuse(404, "next"));
        using Socket first = await ConnectAsync(listener);
        await first.SendAsync("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray(), Cancel);
        Assert.Equal(0, await first.ReceiveAsync(new byte[1], Cancel));
        Assert.Equal("next\n", await (await _client.GetAsync($"http://localhost:{listener.Port}/", Cancel)).Content.ReadAsStringAsync(Cancel));
        Assert.Equal("a connection to the port of metrics and control failed: a defect", listener.DequeueNotice());
        await UntilAsync(() => listener.Open == 0);
    }

    [Fact]
    public async Task Dispose_WhileAReplyIsUnderWay_SendsItFirst()
    {
        using ManualResetEventSlim isAsked = new(), mayAnswer = new();
        ControlListener listener = ControlListener.Start(Options, _ =>
        {
            isAsked.Set();
            mayAnswer.Wait(Cancel);
            return ControlReply.Refuse(404, "last");
        });
        using HttpClient client = new();
        Task<HttpResponseMessage> asked = client.GetAsync($"http://localhost:{listener.Port}/", Cancel);
        isAsked.Wait(Cancel);
        Task disposed = Task.Run(listener.Dispose, Cancel);
        mayAnswer.Set();
        using HttpResponseMessage reply = await asked;
        Assert.Equal("last\n", await reply.Content.ReadAsStringAsync(Cancel));
        await disposed;
    }

    [Fact]
    public async Task Request_ByAnotherName_IsNotAnswered()
    {
        using HttpRequestMessage request = new(HttpMethod.Get, "/metrics") { Headers = { Host = "elsewhere" } };
        using HttpResponseMessage response = await _client.SendAsync(request, Cancel);
        Assert.Equal((HttpStatusCode.NotFound, "this is 127.0.0.1 or localhost\n"),
            (response.StatusCode, await response.Content.ReadAsStringAsync(Cancel)));
    }

    [Fact]
    public async Task Head_HasTheLengthAndNoText()
    {
        using HttpRequestMessage request = new(HttpMethod.Head, "/metrics");
        using HttpResponseMessage response = await _client.SendAsync(request, Cancel);
        Assert.Equal((8, 0), (response.Content.Headers.ContentLength, (await response.Content.ReadAsByteArrayAsync(Cancel)).Length));
    }

    [Fact]
    public void Start_PortTaken_IsNotStarted()
    {
        ControlOptions same = Options with { MetricsPort = _listener.Port };
        SetupException thrown = Assert.Throws<SetupException>(() => ControlListener.Start(same, _ => ControlReply.Refuse(404, "")));
        Assert.Equal(SetupProblem.NotStarted, thrown.Problem);
        Assert.StartsWith($"cannot listen on 127.0.0.1:{_listener.Port}: ", thrown.Message, StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _client.Dispose();
        _listener.Dispose();
    }

    private static ControlListener Start(TimeProvider time) => ControlListener.Start(Options, Answer, time: time);

    private static ControlReply Answer(ControlRequest request) => new RunControl("Sample", null, null, () => "metrics\n").Answer(request);

    private static async Task<Socket> ConnectAsync(ControlListener listener)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, listener.Port, Cancel);
        return socket;
    }

    // The listener's own threads need time to get there; the test's limit ends a wait without result.
    private static async Task UntilAsync(Func<bool> holds)
    {
        while (!holds())
        {
            Cancel.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;
}
