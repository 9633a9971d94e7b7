using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

public class LoopbackTests
{
    [Theory]
    [InlineData(14)]
    [InlineData(13)]
    [InlineData(12)]
    [InlineData(11)]
    public void Connect_EveryVersion_CarriesFragmentsBothWays(int version)
    {
        using OwnPeers pair = new(TestChannels.Listen with { ProtocolType = RsslProtocol.Rwf, MaxFragmentSize = 300 });
        (RsslChannel client,
            RsslChannel server) = pair.Connect(pair.ClientOptions with { ProtocolType = RsslProtocol.Rwf, HighestVersion = version });
        Assert.Equal((version, version), (client.Info.ConnectionVersion, server.Info.ConnectionVersion));
        foreach ((RsslChannel from, RsslChannel to) in new[] { (client, server), (server, client) })
        {
            byte[][] messages = [Bytes(1), Bytes(300), Bytes(301), Bytes(5_000), Bytes(297)];
            foreach (byte[] message in messages)
                TestChannels.Write(from, message);
            from.Flush();
            Assert.Equal(messages, pair.Read(to, messages.Length));
            Assert.Equal((long)messages.Length, from.MessagesSent);
        }
    }

    [Theory]
    [InlineData(RsslProtocol.Rwf, new[] { 0x17, 0x16, 0x15, 0x14 })]
    [InlineData(RsslProtocol.TransportPerf, new[] { 0x17, 0x16, 0x15 })]
    public void Connect_ServerClosesWithoutAnswer_TriesEveryLowerVersion(byte protocol, int[] expected)
    {
        using TcpListener server = new(IPAddress.Loopback, 0);
        server.Start();
        using ChannelPoller poller = new();
        RsslChannel channel =
            poller.Connect(TestChannels.Connect with
            {
                Host = "127.0.0.1",
                Port = ((IPEndPoint)server.LocalEndpoint).Port,
                ProtocolType = protocol
            });
        List<int> versions = [];
        for (int turn = 0; turn < 2_000 && channel.Closed is null; turn++)
        {
            poller.Wait(Clock.NowNanos + 20 * Clock.NanosPerMilli);
            if (!server.Pending())
                continue;
            using Socket socket = server.AcceptSocket();
            poller.Wait(Clock.NowNanos + 20 * Clock.NanosPerMilli); // the request is sent
            byte[] request = new byte[600];
            Assert.True(socket.Receive(request) > 16);
            versions.Add(request[6]);
        }

        Assert.Equal(CloseKind.HandshakeFailed, channel.Closed?.Kind);
        Assert.Equal(expected, versions);
    }

    [Fact]
    public void Connect_OtherProtocolType_IsRefusedOnce()
    {
        using OwnPeers pair = new();
        RsslChannel client = pair.Poller.Connect(pair.ClientOptions with { ProtocolType = RsslProtocol.Rwf });
        pair.Drive(() =>
            client.Closed is not null && pair.Poller.Channels.All(channel => channel.Closed is not null)
            && pair.Poller.Channels.Count == 2);
        Assert.Equal(CloseKind.Refused, client.Closed?.Kind);
        Assert.Contains("Connection refused.", client.Closed!.Text, StringComparison.Ordinal);
        Assert.Equal(0, pair.Listener.OpenConnections);
    }

    [Fact]
    public void Connect_NobodyListens_FailsWithASentence()
    {
        using OwnPeers pair = new();
        ConnectOptions options = pair.ClientOptions;
        pair.Listener.Dispose();
        using ChannelPoller poller = new();
        RsslChannel client = poller.Connect(options with { Host = "localhost" });
        for (int turn = 0; turn < 1_000 && client.Closed is null; turn++)
            poller.Wait(Clock.NowNanos + 20 * Clock.NanosPerMilli);
        Assert.Equal(CloseKind.ConnectFailed, client.Closed?.Kind);
        Assert.Contains("cannot connect to localhost", client.Closed!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Accept_BelowTheGreatestLimit_IsOpen()
    {
        using OwnPeers pair = new(TestChannels.Listen with { MaxConnections = int.MaxValue });
        pair.Connect();
        Assert.Equal(1, pair.Listener.OpenConnections);
    }

    [Fact]
    public void Accept_OverTheLimit_IsRefusedUntilOneEnds()
    {
        using OwnPeers pair = new(TestChannels.Listen with { MaxConnections = 1 });
        (RsslChannel first, RsslChannel server) = pair.Connect();
        RsslChannel second = pair.Poller.Connect(pair.ClientOptions);
        pair.Drive(() => second.Closed is not null);
        Assert.Equal(CloseKind.Refused, second.Closed?.Kind);
        Assert.Contains("Too many connections", second.Closed!.Text, StringComparison.Ordinal);
        Assert.Equal(3, pair.Poller.Channels.Count); // the refused one is on no server's list

        first.Close();
        pair.Drive(() => !server.TryRead(out _) && server.Closed is not null);
        pair.Drive(() => pair.Listener.OpenConnections == 0);
        pair.Connect();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void FinishSending_EitherSideFirst_LosesNoMessage(bool senderFirst)
    {
        const int Count = 100_000;
        using OwnPeers pair = new();
        (RsslChannel sender, RsslChannel receiver) = pair.Connect(pair.ClientOptions with { OutputBuffers = 2 * Count });
        byte[] message = Bytes(76);
        for (int i = 0; i < Count; i++)
            TestChannels.Write(sender, message);
        (senderFirst ? sender : receiver).FinishSending();
        long received = 0;
        pair.Drive(() =>
        {
            while (receiver.TryRead(out _))
                received++;
            while (sender.TryRead(out _))
            {
            }

            if (!senderFirst && received > 1_000)
                sender.FinishSending();
            return sender.Closed is not null && receiver.Closed is not null;
        });
        Assert.Equal((CloseKind.PeerClosed, CloseKind.PeerClosed), (sender.Closed!.Kind, receiver.Closed!.Kind));
        Assert.Equal(Count, sender.MessagesWritten);
        Assert.Equal(sender.MessagesSent, received);
        Assert.Equal(Count, received);
    }

    [Fact]
    public void Flush_SlowReader_DoesNotHoldTheOthers()
    {
        using OwnPeers pair = new(TestChannels.Listen with { OutputBuffers = 5_000 });
        (RsslChannel slow, RsslChannel toSlow) = pair.Connect();
        (RsslChannel quick, RsslChannel toQuick) = pair.Connect();
        byte[] message = Bytes(6_000);
        int refused = 0;
        for (int i = 0; i < 7_000; i++)
        {
            if (toSlow.TryBeginMessage(message.Length, out Span<byte> room))
                toSlow.EndMessage(room.Length);
            else
                refused++;
        }

        Assert.True(refused > 0);
        Assert.Equal(toSlow.OutputBufferLimit, toSlow.OutputBuffersInUse);
        Assert.False(toSlow.Flush());

        TestChannels.Write(toQuick, message);
        toQuick.Flush();
        Assert.Single(pair.Read(quick, 1));

        long written = toSlow.MessagesWritten;
        pair.Read(slow, (int)written);
        Assert.Equal((written, 0), (toSlow.MessagesSent, toSlow.OutputBuffersInUse));
    }

    [Fact]
    public void Wait_MoreThan64Connections_ServesAll()
    {
        using OwnPeers pair = new();
        List<(RsslChannel Client, RsslChannel Server)> connections = [.. Enumerable.Range(0, 80).Select(_ => pair.Connect())];
        foreach ((RsslChannel client, _) in connections)
        {
            TestChannels.Write(client, Bytes(76));
            client.Flush();
        }

        foreach ((_, RsslChannel server) in connections)
            Assert.Single(pair.Read(server, 1));
        foreach ((RsslChannel client, RsslChannel server) in connections)
        {
            client.Close();
            pair.Drive(() => !server.TryRead(out _) && server.Closed is not null);
            pair.Poller.Remove(client);
            pair.Poller.Remove(server);
        }

        Assert.Empty(pair.Poller.Channels);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_AfterWarmUp_AllocatesNothing(bool busy)
    {
        using OwnPeers pair = new(busy: busy);
        (RsslChannel client, RsslChannel server) = pair.Connect();
        Exchange(pair.Poller, client, server, 300);
        Allocation.None(() => Exchange(pair.Poller, client, server, 300));
    }

    [Fact]
    public void Wait_BySelect_ServesAndWakes()
    {
        using OwnPeers pair = new(network: new SystemNetwork(isPortable: true));
        (RsslChannel client, RsslChannel server) = pair.Connect();
        TestChannels.Write(client, Bytes(76));
        client.Flush();
        Assert.Equal([Bytes(76)], pair.Read(server, 1));
        pair.Poller.Wake();
        pair.Poller.Wait(Clock.NowNanos + 30 * Clock.NanosPerSecond); // ends early
        client.Close();
        pair.Drive(() => !server.TryRead(out _) && server.Closed is not null);
    }

    [Fact]
    public void Abort_OtherThread_EndsTheChannelAtTheNextWait()
    {
        using OwnPeers pair = new();
        (RsslChannel client, _) = pair.Connect();
        TestThread other = new(() => client.Abort("enough"));
        other.Start();
        pair.Poller.Wait(Clock.NowNanos + 30 * Clock.NanosPerSecond); // ends early
        other.Join();
        pair.Drive(() => client.Closed is not null);
        Assert.Equal(new CloseReason(CloseKind.Aborted, "enough"), client.Closed);
    }

    [Fact]
    public void Bind_UnknownInterface_SaysSo()
    {
        IOException problem = Assert.Throws<IOException>(() =>
            RsslListener.Bind(TestChannels.Listen with { InterfaceName = "no-such.invalid" }));
        Assert.Contains("no-such.invalid", problem.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("lo")]
    [InlineData("127.0.0.1")]
    [InlineData("localhost")]
    public void Bind_Interface_IsReachedThere(string name)
    {
        if (!OperatingSystem.IsLinux() && name == "lo")
            Assert.Skip("an interface name of Linux");
        using OwnPeers pair = new(TestChannels.Listen with { InterfaceName = name });
        pair.Connect(pair.ClientOptions with { Host = "localhost", InterfaceName = name == "lo" ? "lo" : null });
    }

    /// <summary>Exchanges plain, packed and fragmented messages in one direction, and one in return.</summary>
    private static void Exchange(ChannelPoller poller, RsslChannel client, RsslChannel server, int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            long expected = server.MessagesRead + 13;
            for (int i = 0; i < 10; i++)
                WriteEmpty(client, 76);
            WriteEmpty(client, 20_000);
            client.TryBeginPack(300);
            for (int i = 0; i < 2 && client.TryBeginPackedMessage(76, out _); i++)
                client.EndPackedMessage(76);
            client.EndPack();
            client.Flush();
            for (int turn = 0; turn < 100_000 && server.MessagesRead < expected; turn++)
                Receive(poller, server);
            WriteEmpty(server, 40);
            server.Flush();
            for (int turn = 0; turn < 100_000 && client.MessagesRead <= round; turn++)
                Receive(poller, client);
        }
    }

    private static void WriteEmpty(RsslChannel channel, int bytes)
    {
        if (channel.TryBeginMessage(bytes, out Span<byte> room))
            channel.EndMessage(room.Length);
    }

    private static void Receive(ChannelPoller poller, RsslChannel channel)
    {
        poller.Wait(Clock.NowNanos + Clock.NanosPerMilli);
        while (channel.TryRead(out _))
        {
        }
    }

    private static byte[] Bytes(int count) => [.. Enumerable.Range(0, count).Select(i => (byte)(i * 7 + count))];
}
