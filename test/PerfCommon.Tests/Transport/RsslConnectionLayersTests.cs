using PerfCommon.Measurement;
using PerfCommon.Tests.Transport.Proxy;
using PerfCommon.Tests.Transport.Tls;
using PerfCommon.Tests.Transport.WebSockets;
using PerfCommon.Transport;
using PerfCommon.Transport.Proxy;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>The asynchronous connection over every layer.</summary>
public sealed class RsslConnectionLayersTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    [Theory(Timeout = 180_000)]
    [InlineData(false, null, false)]
    [InlineData(true, null, false)]
    [InlineData(false, "rssl.rwf", false)]
    [InlineData(true, "tr_json2", false)]
    [InlineData(true, "rssl.rwf", true)]
    public async Task ConnectAsync_ToAnEcho_GetsEveryMessageBack(bool encrypted, string? webSocket, bool throughProxy)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using TrialProxy proxy = new("joe:secret", hangsUp: true);
        using EchoServer server = new(new ListenOptions
        {
            Port = 0,
            InterfaceName = "127.0.0.1",
            CompressionType = CompressionType.Zlib,
            Tls = encrypted ? files.Good : null,
            WebSocketProtocols = "rssl.rwf, tr_json2",
        });
        await using RsslConnection client = await RsslConnection.ConnectAsync(
            new ConnectOptions
            {
                Host = "localhost",
                Port = server.Port,
                CompressionType = CompressionType.Zlib,
                Tls = encrypted ? files.Trusting : null,
                WebSocketProtocols = webSocket,
                Proxy = throughProxy
                    ? new ProxyOptions { Host = "127.0.0.1", Port = proxy.Port, UserName = "joe", Password = "secret" } : null,
            },
            token);
        bool isJson = webSocket == "tr_json2";
        foreach (int length in (int[])[50, 400, 30_000])
        {
            byte[] message = new byte[length];
            NumberedMessages.Fill(message, length);
            TestChannels.Write(client.Channel, message);
            await client.FlushAsync(token);
            byte[] expected = isJson ? [(byte)'[', (byte)'[', .. message, (byte)']', (byte)']'] : message;
            Assert.Equal(expected, (await client.ReadAsync(token))?.ToArray());
        }
    }

    [Fact(Timeout = 180_000)]
    public async Task ConnectAsync_UnknownAuthority_SaysWhy()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using EchoServer server = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1", Tls = files.Good });
        IOException problem = await Assert.ThrowsAsync<IOException>(() => RsslConnection.ConnectAsync(
            new ConnectOptions { Host = "localhost", Port = server.Port, Tls = PerfCommon.Transport.Tls.TlsClientSettings.Load() }, token));
        Assert.Contains("not trusted", problem.Message, StringComparison.Ordinal);
    }

    // By this kind it is known that no further attempt helps.
    [Theory(Timeout = 180_000)]
    [InlineData(null)]
    [InlineData("rssl.rwf")]
    public Task Connect_UnknownAuthority_IsNotTrusted(string? webSocket) => Task.Run(() =>
    {
        using EchoServer server = new(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1", Tls = files.Good, WebSocketProtocols = "rssl.rwf" });
        using ChannelPoller poller = new();
        RsslChannel client = poller.Connect(new ConnectOptions
        {
            Host = "localhost",
            Port = server.Port,
            Tls = PerfCommon.Transport.Tls.TlsClientSettings.Load(),
            WebSocketProtocols = webSocket,
        });
        while (client.Closed is null)
            poller.Wait(Clock.NowNanos + (Clock.NanosPerSecond / 10));
        Assert.Equal(CloseKind.NotTrusted, client.Closed.Kind);
    }, TestContext.Current.CancellationToken);
}
