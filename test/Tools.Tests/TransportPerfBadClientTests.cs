using System.Net;
using System.Net.Sockets;
using System.Text;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests;

public sealed class TransportPerfBadClientTests
{
    private const string Server = "-p 0 -runTime 900 -msgRate 10000 -jsonFile server.json -summaryFile server.out -statsFile server ";
    private const string Client = "-appType client -msgRate 10000 -jsonFile client.json -summaryFile client.out -statsFile client ";
    private static readonly byte[] ShortMessage = [1, 2, 3, 4, 5];

    [Fact]
    public void Run_BadClientsBesideAGoodOne_DoNotDisturb()
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start("TransportPerf", Server);
        int port = server.Port;
        RunningTool client = folder.Start("TransportPerf", $"{Client}-runTime 10 -p {port}");
        client.WaitForLine("Channel ");
        SendGarbage(port);
        ConnectAndVanish(port);
        Assert.Equal(ChannelState.Active, Connect(port, RsslProtocol.TransportPerf, vanish: true));
        Assert.Equal(ChannelState.Closed, Connect(port, RsslProtocol.Rwf, vanish: true));
        SendShortMessage(port);
        client.ExpectExit(0);
        server.ExpectExit(0);
        Assert.Equal(folder.Final("client.json").Count("messagesSent"),
            folder.Final("server.json").Count("messagesReceived"));
        Assert.Contains("a message of 5 bytes is no message of this tool", server.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_BadClientAlone_DoesNotEndTheServer()
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start("TransportPerf", Server);
        int port = server.Port;
        SendShortMessage(port);
        RunningTool client = folder.Start("TransportPerf", $"{Client}-runTime 10 -p {port}");
        Assert.Equal(0, client.WaitForExit());
        Assert.Equal(0, server.WaitForExit());
    }

    [Fact]
    public void Run_OneTooMany_IsRefused()
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start("TransportPerf", Server + "-maxConnections 1");
        int port = server.Port;
        RunningTool first = folder.Start("TransportPerf", $"{Client}-runTime 10 -p {port}");
        first.WaitForLine("Channel ");
        RunningTool second = folder.Start("TransportPerf", $"-appType client -summaryFile s -statsFile t -runTime 600 -p {port}");
        Assert.Equal(4, second.WaitForExit());
        Assert.Contains("cannot connect: ", second.Error, StringComparison.Ordinal);
        Assert.Equal(0, first.WaitForExit());
        Assert.Equal(0, server.WaitForExit());
    }

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
}
