using System.Net.Sockets;
using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Each connection that a hub closes is counted with its reason, and the reason is said.</summary>
public class HubCutsTests
{
    [Fact]
    public void Connection_ThatSaysNothing_IsClosedAfterItsPingTimeout()
    {
        using MemoryHub hub = new();
        TalkingPeer silent = hub.Talk(), other = hub.Talk();
        hub.Stop(silent);
        for (int second = 0; second < 100 && hub.Count(Counter.ConnectionsSilent) == 0; second++)
        {
            hub.Pass(Clock.NanosPerSecond);
            hub.Turns(3);
        }

        Assert.Equal((1L, 1L), (hub.Count(Counter.ConnectionsSilent), hub.Read(HubGauge.Consumers)));
        Assert.Null(other.Closed);
        Assert.Single(hub.TakeNotices(), notice => notice.StartsWith("Connection lost: ", StringComparison.Ordinal));
    }

    [Fact]
    public void Connection_WithTheGreatestShareOfMemory_IsClosedWithItsMegabytes()
    {
        using PublishedItem item = new(new HubPerfOptions { SourceThreads = 1 });
        TalkingPeer great = item.Watch();
        item.Host.FindGreatest(itemBytes: 0).Close!((3 << 20) + 5);
        item.Hub.Until(() => great.Closed is not null);
        Assert.Equal((1L, 0L), (item.Hub.Count(HubCounter.ConnectionsOverShare), item.Hub.Count(HubCounter.ConnectionsCut)));
        Assert.Contains(item.Hub.TakeNotices(), notice => notice.Contains(" 3 MB", StringComparison.Ordinal));
    }

    [Fact]
    public void Dictionary_OfNoServiceOfTheHub_IsTheHubsOwn()
    {
        using MemoryHub hub = new();
        TalkingPeer peer = hub.Talk();
        peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.Dictionary,
            StreamId = 9,
            Key = new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
                ServiceId = 999,
                Name = "RWFFld"u8,
                Filter = 7,
            },
        }));
        hub.Until(() => peer.Last(MsgClass.Refresh).DomainType == DomainType.Dictionary);
        Assert.Null(peer.Closed);
    }

    [Fact]
    public void Connection_ThatBreaksTheProtocol_IsCountedForWhatItSent()
    {
        using MemoryHub hub = new();
        TalkingPeer peer = hub.Talk();
        peer.LogIn(LoginRole.Provider); // on the port for consumers
        hub.Until(() => peer.Closed is not null);
        TalkingPeer noise = hub.Talk();
        noise.Say([0, 3, 200, 1, 2, 3]);
        hub.Until(() => noise.Closed is not null);
        TalkingPeer stranger = hub.Talk(asPublisher: true);
        stranger.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.Source, StreamId = -1 }));
        hub.Until(() => stranger.Closed is not null);
        Assert.Equal(3, hub.Count(Counter.ConnectionsBad));
        Assert.Equal(3, hub.TakeNotices().Count(notice => notice.StartsWith("Connection closed by this side: ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Connections_OneTooMany_AreCountedThoughTheyGetNoAnswer()
    {
        HubPerfOptions options = new();
        using MemoryHub hub = new(options with { Connection = options.Connection with { Server = options.Connection.Server with { MaxConnections = 1 } } });
        hub.Talk();
        for (int i = 0; i < 100; i++)
            hub.Connect(new TalkingPeer());
        hub.Until(() => hub.Count(Counter.ConnectionsRefused) >= 100);
        Assert.Contains(hub.TakeNotices(), notice => notice == "Connection refused: 1 are open.");
    }

    [Fact]
    public void Handshakes_MoreThanMayBeUndone_AreClosedAndCounted()
    {
        using LoopbackHub hub = new(WithHandshakes(most: 2, timeoutSeconds: 180)); // none ends for its time
        List<TcpClient> silent = ConnectSilently(hub, 4);
        LoopbackHub.Until(() => hub.Count(Counter.HandshakesCut) == 2, "no handshake made room for others");
        Assert.Equal(0, hub.Count(Counter.HandshakesTimedOut));
        silent.ForEach(client => client.Dispose());
    }

    [Fact]
    public void Handshakes_OfSilentClients_EndWhenTheirTimeIsOver()
    {
        using LoopbackHub hub = new(WithHandshakes(most: 2, timeoutSeconds: 3));
        List<TcpClient> silent = ConnectSilently(hub, 2);
        LoopbackHub.Until(() => hub.Count(Counter.HandshakesTimedOut) == 2, "no handshake had its time");
        Assert.Equal(0, hub.Count(Counter.HandshakesCut));
        silent.ForEach(client => client.Dispose());
    }

    [Theory]
    [InlineData(1_024, 256)]
    [InlineData(20_000, 5_000)]
    [InlineData(10, 256)]
    public void Handshakes_WithoutAnOption_AreAsManyAsConnectionsAreWorth(int connections, int handshakes)
    {
        Assert.Equal(handshakes, new ListenOptions { Port = 0, MaxConnections = connections }.EffectiveMaxHandshakes);
        Assert.Equal(7, new ListenOptions { Port = 0, MaxConnections = connections, MaxHandshakes = 7 }.EffectiveMaxHandshakes);
    }

    private static HubPerfOptions WithHandshakes(int most, int timeoutSeconds)
    {
        HubPerfOptions options = new();
        return options with
        {
            Connection = options.Connection with
            {
                Server = options.Connection.Server with { MaxHandshakes = most, HandshakeTimeoutSeconds = timeoutSeconds },
            },
        };
    }

    private static List<TcpClient> ConnectSilently(LoopbackHub hub, int count)
    {
        List<TcpClient> silent = [.. Enumerable.Range(0, count).Select(_ => new TcpClient())];
        silent.ForEach(client => client.Connect("localhost", hub.Port));
        return silent;
    }
}
