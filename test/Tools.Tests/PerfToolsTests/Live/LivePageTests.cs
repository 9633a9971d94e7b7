using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using PerfTools.Hosting.Running;
using PerfTools.Live;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Live;

/// <summary>The page of a run in progress: the clients that may read it, and that it never delays a run.</summary>
public sealed class LivePageTests : IDisposable
{
    private const string Evil = "<script>alert('x')</script>\" onload=\"y";
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    // What is promised is a second; a busy machine takes its own time.
    private static readonly TimeSpan MaxEnd = TimeSpan.FromSeconds(3);

    private readonly StringWriter _output = new();
    private readonly HttpClient _client = new() { Timeout = Limit };
    private readonly LivePage _page;
    private readonly Uri _address;

    public LivePageTests()
    {
        _page = LivePage.TryStart(0, new RunConsole(_output))!;
        _address = new(_output.ToString()["Live page: ".Length..].Trim());
    }

    [Fact]
    public async Task Get_WithTheToken_GivesPageAndContent()
    {
        Begin("/runs/a");
        using HttpResponseMessage page = await Get(_address);
        string text = await page.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, page.StatusCode);
        Assert.Contains("<h1>Provider to consumer, direct</h1>", text, StringComparison.Ordinal);
        Assert.Contains("<noscript><meta http-equiv=refresh", text, StringComparison.Ordinal);
        string policy = page.Headers.GetValues("Content-Security-Policy").Single();
        string nonce = policy.Split("script-src 'nonce-")[1].Split('\'')[0];
        Assert.StartsWith("default-src 'none'; ", policy, StringComparison.Ordinal);
        Assert.Contains($"<script nonce=\"{nonce}\">", text, StringComparison.Ordinal);
        Assert.DoesNotContain("://", text, StringComparison.Ordinal);
        Assert.Equal("no-referrer", page.Headers.GetValues("Referrer-Policy").Single());
        Assert.StartsWith("<div>\n<h1>", await _client.GetStringAsync(new Uri(_address, "now"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/")]
    [InlineData("/favicon.ico")]
    [InlineData("/now")]
    [InlineData("/000000000000000000000000000000000000000000000000/")]
    [InlineData("/TOKEN")]
    [InlineData("/TOKEN/else")]
    [InlineData("/TOKEN/now/")]
    [InlineData("/TOKENx/now")]
    public async Task Get_WithoutTheToken_IsNotFound(string path)
    {
        using HttpResponseMessage answer = await Get(new Uri(_address, path.Replace("TOKEN", _address.AbsolutePath.Trim('/'), StringComparison.Ordinal)));
        Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
        Assert.Empty(await answer.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Post_Anywhere_IsNotFound()
    {
        using HttpResponseMessage answer = await _client.PostAsync(_address, null, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
    }

    [Theory]
    [InlineData("elsewhere.example:PORT", HttpStatusCode.MisdirectedRequest)]
    [InlineData("127.0.0.1", HttpStatusCode.MisdirectedRequest)]
    [InlineData("127.0.0.1:1", HttpStatusCode.MisdirectedRequest)]
    [InlineData("127.0.0.1.elsewhere.example:PORT", HttpStatusCode.MisdirectedRequest)]
    [InlineData("127.0.0.1:PORT", HttpStatusCode.OK)]
    [InlineData("localhost:PORT", HttpStatusCode.OK)]
    public async Task Get_HostOfARequest_MustBeThisOne(string host, HttpStatusCode expected)
    {
        using HttpRequestMessage request = new(HttpMethod.Get, _address);
        request.Headers.Host = host.Replace("PORT", $"{_address.Port}", StringComparison.Ordinal);
        using HttpResponseMessage answer = await _client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(expected, answer.StatusCode);
    }

    [Fact]
    public async Task Content_TextsFromOutside_AreEscaped()
    {
        Begin($"/runs/{Evil}");
        _page.AddNote(Evil);
        _page.Receive(Evil, [LiveLines.OfProvider(DateTime.UtcNow, 1)]);
        _page.Receive("provider", [LiveLines.OfProvider(DateTime.UtcNow, 1), LiveLines.OfChange(DateTime.UtcNow, 1, Evil)]);
        foreach (string place in (string[])["", "now"])
        {
            string text = await _client.GetStringAsync(new Uri(_address, place), TestContext.Current.CancellationToken);
            Assert.DoesNotContain("<script>alert", text, StringComparison.Ordinal);
            Assert.DoesNotContain("\" onload", text, StringComparison.Ordinal);
            Assert.Contains("&lt;script&gt;alert(&#39;x&#39;)", text, StringComparison.Ordinal);
            Assert.Contains("mark &lt;script&gt;", text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Content_OfCollections_HasTheirValues()
    {
        Begin("/runs/a");
        _page.Receive("provider", [LiveLines.OfProvider(DateTime.UtcNow, 1, sent: 98_765)]);
        _page.Receive("consumer", [LiveLines.OfConsumer(DateTime.UtcNow, 1, received: 98_764)]);
        string text = await _client.GetStringAsync(new Uri(_address, "now"), TestContext.Current.CancellationToken);
        foreach ((string figure, string value, string shown) in (ReadOnlySpan<(string, string, string)>)
            [("sent", "98765", "98,765"), ("received", "98764", "98,764"), ("consumer.latency.p99", "74.25", "74.3"), ("provider.cpu", "12.5", "12.5")])
        {
            Assert.Contains($"<td class=r data-figure=\"live.{figure}\" data-value=\"{value}\">{shown}\n",
                text.Replace("<td", "\n<td", StringComparison.Ordinal)
                .Replace("\n\n", "\n", StringComparison.Ordinal) + "\n", StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Next_AtTheEnd_HasTheVerdictAndSaysThatItIsTheLast()
    {
        Begin("/runs/a");
        Task<string> next = _client.GetStringAsync(new Uri(_address, "next"), TestContext.Current.CancellationToken);
        string first = await next;
        Assert.DoesNotContain("data-last", first, StringComparison.Ordinal);
        next = _client.GetStringAsync(new Uri(_address, "next"), TestContext.Current.CancellationToken);
        using RunDirectory folder = new();
        _page.End(SampleFigures.Run, RunFolder.Open(folder.Path, "direct", DateTime.UtcNow, []));
        while (!_page.IsWatched)
            await Task.Delay(1, TestContext.Current.CancellationToken);
        _page.Dispose();
        string last = await next;
        Assert.StartsWith("<div data-last>", last, StringComparison.Ordinal);
        Assert.Contains("<b id=verdict>OK</b>", last, StringComparison.Ordinal);
        await Assert.ThrowsAsync<HttpRequestException>(() => Get(_address));
    }

    [Fact]
    public async Task Dispose_ClientsThatHang_DoNotKeepTheRunUp()
    {
        Begin("/runs/a");
        using TcpClient silent = await Connect(""), half = await Connect("GET / HTT"), deaf = await Connect(
            string.Concat(Enumerable.Repeat($"GET {_address.AbsolutePath}next HTTP/1.1\r\nHost: {_address.Authority}\r\n\r\n", 20)));
        while (!_page.IsWatched)
            await Task.Delay(1, TestContext.Current.CancellationToken);
        long begin = Stopwatch.GetTimestamp();
        _page.Dispose();
        Assert.InRange(Stopwatch.GetElapsedTime(begin), TimeSpan.Zero, MaxEnd);
    }

    [Fact]
    public async Task Get_MoreConnectionsThanThereAreTo_OthersGoOnBeingAnswered()
    {
        Begin("/runs/a");
        using HttpResponseMessage first = await Get(_address);
        List<TcpClient> many = [];
        for (int i = 0; i < 100; i++)
            many.Add(await Connect("GET / HTT"));
        using HttpResponseMessage again = await Get(_address); // by the connection that it has
        many.ForEach(client => client.Dispose());
        Assert.Equal(HttpStatusCode.OK, again.StatusCode);
    }

    [Fact]
    public void TryStart_PortThatIsTaken_SaysSoInOneLineAndRunsGoOn()
    {
        using StringWriter output = new();
        Assert.Null(LivePage.TryStart(_address.Port, new RunConsole(output)));
        Assert.StartsWith("Live page: not available, the run goes on without it: ", output.ToString(), StringComparison.Ordinal);
        Assert.Single(output.ToString().TrimEnd().Split('\n'));
        Assert.Null(LivePage.TryStart(null, new RunConsole(output)));
    }

    public void Dispose()
    {
        _page.Dispose();
        _client.Dispose();
        _output.Dispose();
    }

    private void Begin(string folder) => _page.Begin(LivePlan.Of(DirectScenario.Direct, new(), folder));

    private Task<HttpResponseMessage> Get(Uri place) => _client.GetAsync(place, TestContext.Current.CancellationToken);

    private async Task<TcpClient> Connect(string text)
    {
        TcpClient client = new();
        await client.ConnectAsync(IPAddress.Loopback, _address.Port, TestContext.Current.CancellationToken);
        await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(text), TestContext.Current.CancellationToken);
        return client;
    }
}
