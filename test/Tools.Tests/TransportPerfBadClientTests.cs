using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace Tools.Tests;

[Collection("processes")]
public sealed class TransportPerfBadClientTests
{
    private const string Server = "-p 0 -runTime 900 -msgRate 10000 -jsonFile server.json -summaryFile server.out -statsFile server ";
    private const string Client = "-appType client -msgRate 10000 -jsonFile client.json -summaryFile client.out -statsFile client ";
    private static readonly byte[] ShortMessage = [1, 2, 3, 4, 5];

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Run_BadClientsBesideAGoodOne_DoNotDisturb()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server);
        int port = await server.ListeningPort(Cancel);
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path, Client + Port("-runTime 4", port));
        await client.Connected(Cancel);
        SendGarbage(port);
        ConnectAndVanish(port);
        Assert.Equal(ChannelState.Active, Connect(port, RsslProtocol.TransportPerf, vanish: true));
        Assert.Equal(ChannelState.Closed, Connect(port, RsslProtocol.Rwf, vanish: true));
        SendShortMessage(port);
        Assert.Equal((0, ""), (await client.ExitCode(Cancel), client.Error));
        Assert.Equal((0, ""), (await server.ExitCode(Cancel), server.Error));
        Assert.Equal(Count(directory.ReadFinal("client.json"), "messagesSent"),
            Count(directory.ReadFinal("server.json"), "messagesReceived"));
        Assert.Contains("a message of 5 bytes is no message of this tool", server.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_BadClientAlone_DoesNotEndTheServer()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server);
        int port = await server.ListeningPort(Cancel);
        SendShortMessage(port);
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path, Client + Port("-runTime 3", port));
        Assert.Equal(0, await client.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
    }

    [Fact]
    public async Task Run_OneTooMany_IsRefused()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-maxConnections 1");
        int port = await server.ListeningPort(Cancel);
        using ToolProcess first = ToolProcess.Start("TransportPerf", directory.Path, Client + Port("-runTime 4", port));
        await first.Connected(Cancel);
        using ToolProcess second = ToolProcess.Start("TransportPerf", directory.Path,
            Port("-appType client -summaryFile s -statsFile t -runTime 60", port));
        Assert.Equal(4, await second.ExitCode(Cancel));
        Assert.Contains("cannot connect: ", second.Error, StringComparison.Ordinal);
        Assert.Equal(0, await first.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
    }

    private static string Port(string options, int port) => string.Create(CultureInfo.InvariantCulture, $"{options} -p {port}");

    private static void SendGarbage(int port)
    {
        using TcpClient client = new();
        client.Connect(IPAddress.Loopback, port);
        client.GetStream().Write(Encoding.ASCII.GetBytes("HELLO WORLD, this is no request\r\n\r\n"));
    }

    private static void ConnectAndVanish(int port)
    {
        using TcpClient client = new();
        client.Connect(IPAddress.Loopback, port);
        client.Client.Close(0);
    }

    private static ChannelState Connect(int port, byte protocol, bool vanish)
    {
        using ChannelPoller poller = new();
        RsslChannel channel = Open(poller, port, protocol);
        ChannelState state = channel.State;
        if (vanish)
            channel.Close();
        return state;
    }

    private static void SendShortMessage(int port)
    {
        using ChannelPoller poller = new();
        RsslChannel channel = Open(poller, port, RsslProtocol.TransportPerf);
        Assert.True(channel.TryBeginMessage(ShortMessage.Length, out Span<byte> room));
        ShortMessage.CopyTo(room);
        channel.EndMessage(ShortMessage.Length);
        channel.Flush();
        WaitWhile(poller, channel, () =>
        {
            while (channel.TryRead(out _))
            {
                // the server's own messages do not matter here
            }

            return channel.State == ChannelState.Active;
        });
        Assert.NotEqual(ChannelState.Active, channel.State);
    }

    private static RsslChannel Open(ChannelPoller poller, int port, byte protocol)
    {
        RsslChannel channel = poller.Connect(new ConnectOptions
        {
            Host = "localhost",
            Port = port,
            ProtocolType = protocol,
            MajorVersion = 0,
            MinorVersion = 0,
        });
        WaitWhile(poller, channel, () => channel.State == ChannelState.Connecting);
        return channel;
    }

    private static void WaitWhile(ChannelPoller poller, RsslChannel channel, Func<bool> condition)
    {
        long limit = Clock.NowNanos + (20 * Clock.NanosPerSecond);
        while (condition() && Clock.NowNanos < limit)
            poller.Wait(Clock.NowNanos + (Clock.NanosPerSecond / 100));
        Assert.True(Clock.NowNanos < limit, $"still {channel.State}");
    }

    private static long Count(JsonElement final, string name) =>
        final.GetProperty("overall").GetProperty("counts").GetProperty(name).GetInt64();
}
