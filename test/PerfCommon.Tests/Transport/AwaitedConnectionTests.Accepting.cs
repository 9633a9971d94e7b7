using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <content>What a listener that is awaited makes of those who come.</content>
public partial class AwaitedConnectionTests
{
    [Fact(Timeout = 60_000)]
    public async Task AcceptAsync_SilentPeerFirst_HoldsNobodyUp()
    {
        using RsslListener listener = RsslListener.Bind(Listen);
        using TcpClient silent = new();
        await silent.ConnectAsync(IPAddress.Loopback, listener.Port, Token);

        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener);

        Assert.Equal(2, listener.OpenConnections);
        Assert.Equal(((IPEndPoint)client.Channel.Info.LocalAddress!).Port, ((IPEndPoint)server.Channel.Info.RemoteAddress!).Port);
        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    [Fact(Timeout = 60_000)]
    public async Task AcceptAsync_BadPeersFirst_GoesOn()
    {
        using RsslListener listener = RsslListener.Bind(Listen);
        Task<RsslConnection> accepting = listener.AcceptAsync(Token);
        for (int i = 0; i < 3; i++)
        {
            using TcpClient bad = new();
            await bad.ConnectAsync(IPAddress.Loopback, listener.Port, Token);
            await bad.GetStream().WriteAsync(new byte[100], Token);
        }

        RsslConnection client = await RsslConnection.ConnectAsync(ClientOptions(listener), Token);
        RsslConnection server = await accepting;

        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    [Fact(Timeout = 60_000)]
    public async Task AcceptAsync_OverTheLimit_RefusesAndGoesOn()
    {
        using RsslListener listener = RsslListener.Bind(Listen with { MaxConnections = 1 });
        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener);
        Task<RsslConnection> next = listener.AcceptAsync(Token);

        IOException refused = await Assert.ThrowsAsync<IOException>(() => RsslConnection.ConnectAsync(ClientOptions(listener), Token));
        Assert.Contains("Too many connections.", refused.Message, StringComparison.Ordinal);
        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
        await using RsslConnection another = await ConnectOnceThereIsRoomAsync(listener);
        RsslConnection accepted = await next;

        await Task.WhenAll(another.DisposeAsync().AsTask(), accepted.DisposeAsync().AsTask());
    }

    // The refused one counts until the listener has seen it go.
    private static async Task<RsslConnection> ConnectOnceThereIsRoomAsync(RsslListener listener)
    {
        while (true)
        {
            try
            {
                return await RsslConnection.ConnectAsync(ClientOptions(listener), Token);
            }
            catch (IOException refused) when (refused.Message.Contains("Too many connections.", StringComparison.Ordinal))
            {
                await Task.Delay(10, Token);
            }
        }
    }

    [Fact(Timeout = 60_000)]
    public async Task AcceptAsync_Cancelled_KeepsWhatComesForTheNextCall()
    {
        using RsslListener listener = RsslListener.Bind(Listen);
        using CancellationTokenSource stop = new();
        Task<RsslConnection> waiting = listener.AcceptAsync(stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        (RsslConnection client, RsslConnection server) = await ConnectAsync(listener);

        await Task.WhenAll(client.DisposeAsync().AsTask(), server.DisposeAsync().AsTask());
    }

    [Fact(Timeout = 60_000)]
    public async Task AcceptAsync_ListenerDisposed_Throws()
    {
        RsslListener listener = RsslListener.Bind(Listen);
        Task<RsslConnection> waiting = listener.AcceptAsync(Token);
        listener.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
    }
}
