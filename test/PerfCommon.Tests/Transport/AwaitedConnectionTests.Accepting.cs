using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <content>Connections that an awaited listener accepts or refuses.</content>
public partial class AwaitedConnectionTests
{
    [Fact(Timeout = 180_000)]
    public async Task AcceptAsync_SilentPeerFirst_HoldsNobodyUp()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        using TcpClient silent = new();
        await silent.ConnectAsync(IPAddress.Loopback, listener.Port, token);

        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, token);

        Assert.Equal(2, listener.OpenConnections);
        Assert.Equal(((IPEndPoint)client.Channel.Info.LocalAddress!).Port, ((IPEndPoint)server.Channel.Info.RemoteAddress!).Port);
        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    [Fact(Timeout = 180_000)]
    public async Task AcceptAsync_BadPeersFirst_GoesOn()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        Task<RsslConnection> accepting = listener.AcceptAsync(token);
        for (int i = 0; i < 3; i++)
        {
            using TcpClient bad = new();
            await bad.ConnectAsync(IPAddress.Loopback, listener.Port, token);
            await bad.GetStream().WriteAsync(new byte[100], token);
        }

        RsslConnection client = await RsslConnection.ConnectAsync(ClientOptions(listener), token);
        RsslConnection server = await accepting;

        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    [Fact(Timeout = 180_000)]
    public async Task AcceptAsync_OverTheLimit_RefusesAndGoesOn()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen with { MaxConnections = 1 });
        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, token);
        Task<RsslConnection> next = listener.AcceptAsync(token);

        IOException refused = await Assert.ThrowsAsync<IOException>(() => RsslConnection.ConnectAsync(ClientOptions(listener), token));
        Assert.Contains("Too many connections.", refused.Message, StringComparison.Ordinal);
        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
        await using RsslConnection another = await ConnectOnceThereIsRoomAsync(listener, token);
        RsslConnection accepted = await next;

        await Task.WhenAll(another.DisposeAsync().AsTask(), accepted.DisposeAsync().AsTask());
    }

    // The refused one counts until the listener has detected its end.
    private static async Task<RsslConnection> ConnectOnceThereIsRoomAsync(RsslListener listener, CancellationToken token)
    {
        while (true)
        {
            try
            {
                return await RsslConnection.ConnectAsync(ClientOptions(listener), token);
            }
            catch (IOException refused) when (refused.Message.Contains("Too many connections.", StringComparison.Ordinal))
            {
                await Task.Delay(10, token);
            }
        }
    }

    [Fact(Timeout = 180_000)]
    public async Task AcceptAsync_Cancelled_KeepsWhatComesForTheNextCall()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using RsslListener listener = RsslListener.Bind(Listen);
        using CancellationTokenSource stop = new();
        Task<RsslConnection> waiting = listener.AcceptAsync(stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener, token);

        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    [Fact(Timeout = 180_000)]
    public async Task AcceptAsync_ListenerDisposed_Throws()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        RsslListener listener = RsslListener.Bind(Listen);
        Task<RsslConnection> waiting = listener.AcceptAsync(token);
        listener.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
    }
}
