using System.Text;
using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>The hub's connection to an interactive source, message by message: what it requests, what it forwards, and what it counts.</summary>
[Trait("Category", "Fast")]
public sealed class UpstreamSessionTests : IDisposable
{
    private const int Port = 201;
    private const ushort FeedId = 7;

    private readonly MemoryHub _hub = new();
    private readonly List<ScriptedProvider> _providers = [];

    private ScriptedProvider Provider => _providers[^1];

    public void Dispose() => _hub.Dispose();

    [Fact]
    public void Requests_OfConsumers_AreOnStreamsOfTheHubsOwn()
    {
        Begin();
        TalkingPeer peer = _hub.Talk();
        Ask(peer, 20, "A", RequestFlags.Streaming);
        Ask(peer, 21, "A", RequestFlags.Streaming | RequestFlags.PrivateStream);
        Ask(peer, 22, "B", 0);
        Assert.Equal(["Request 6 A@7", "Request 7 A@7 private", "Request 8 B@7 snapshot"], Take(3));
        Provider.SayImage(6, 1);
        Provider.SayImage(7, 2);
        Provider.SayImage(8, 3);
        _hub.Until(() => peer.Answers.Count == 3);
        Assert.Equal(["Refresh 20 Open A", "Refresh 21 Open A", "Refresh 22 NonStreaming B"], peer.Answers.Order());
        Close(peer, 21);
        Close(peer, 20);
        Assert.Equal(["Close 7", "Close 6"], Take(2));
        _hub.Turns(5);
        Assert.Empty(Provider.Received); // a snapshot is not closed
        Ask(peer, 23, "C", RequestFlags.Streaming);
        Assert.Equal(["Request 9 C@7"], Take(1)); // a stream is not used again
        Assert.Equal(4, _hub.Count(Counter.RequestsSent));
    }

    /// <summary>Messages for a stream that was closed are counted for what they are; those for others are dropped.</summary>
    [Fact]
    public void Messages_WithoutAnItem_AreCounted()
    {
        TalkingPeer peer = BeginWithItem();
        Close(peer, 20);
        Take(1);
        Provider.SayUpdate(6, 2);
        Provider.SayImage(6, 3);
        _hub.Until(() => _hub.Count(Counter.RefreshesReceived) == 2);
        Assert.Equal((1L, 1L, 0L), (_hub.Count(HubCounter.UpdatesReceived), _hub.Count(HubCounter.UpdatesUnwatched), _hub.Count(Counter.MessagesDropped)));
        Provider.SayUpdate(7, 4); // never opened
        Provider.SayUpdate(5, 5);
        Provider.SayImage(-6, 6);
        _hub.Until(() => _hub.Count(Counter.MessagesDropped) == 3);
        Assert.Equal((1L, 2L), (_hub.Count(HubCounter.UpdatesReceived), _hub.Count(Counter.RefreshesReceived)));
        Assert.Single(_hub.TakeNotices(), "Ignored a message for a stream that is not open of a source; further messages are only counted.");
    }

    /// <summary>A status is that of its stream, whatever its domain.</summary>
    [Theory]
    [InlineData(DomainType.MarketPrice)]
    [InlineData(DomainType.Source)]
    [InlineData(DomainType.Login)]
    public void Status_OfAnItem_IsFoundByItsStream(DomainType domain)
    {
        TalkingPeer peer = BeginWithItem(hasImage: false);
        Provider.Say(ScriptedProvider.OnStream(6, SourceBench.Status(StreamState.Closed, domain: domain)));
        _hub.Until(() => peer.Answers.Count == 1);
        Assert.StartsWith("Status 20 Closed", peer.Answers[0], StringComparison.Ordinal);
        Assert.Equal(1, _hub.Count(Counter.StatusesReceived));
    }

    [Fact]
    public void Posts_OfConsumers_KeepTheirNumbersAndAreAcknowledgedByTheSource()
    {
        TalkingPeer peer = BeginWithItem();
        byte[] post = HostileMessages.Post(20, HostileMessages.List(22, 1), id: 77);
        peer.Say(post);
        peer.Say(HostileMessages.Post(20, HostileMessages.List(22, 2)));
        Assert.Equal(["Post 6", "Post 6"], Take(2));
        Assert.Equal(ScriptedProvider.OnStream(6, post), Provider.Messages[^2]);
        Assert.Equal((2L, 2L), (_hub.Count(Counter.PostsReceived), _hub.Count(Counter.PostsSent)));

        Provider.Say(Ack(6, 78)); // none that waits
        Provider.Say(Ack(6, 77));
        _hub.Until(() => peer.Answers.Count == 2);
        Provider.Say(Ack(6, 77));
        _hub.Turns(5);
        Assert.Equal(["Ack 20 77"], peer.Answers.Skip(1));
        byte[] generic = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.MarketPrice,
            StreamId = 20,
            ContainerType = DataType.NoData
        });
        peer.Say(generic);
        Assert.Equal(["Generic 6"], Take(1));
        Assert.Equal((1L, 0L), (_hub.Count(Counter.SourceGenericSent), _hub.Count(Counter.GenericNotSent)));
    }

    /// <summary>A post may request an acknowledgement without an id: it is that of 0.</summary>
    [Fact]
    public void Post_WithoutAnId_IsAcknowledgedByTheSourceToo()
    {
        TalkingPeer peer = BeginWithItem();
        peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = 20,
            Flags = PostFlags.PostComplete | PostFlags.Ack,
            ContainerType = DataType.FieldList,
            Payload = HostileMessages.List(22, 1),
        }));
        Take(1);
        Provider.Say(Ack(6, 0));
        _hub.Until(() => peer.Answers.Count == 2);
        Assert.Equal("Ack 20 0", peer.Answers[1]);
    }

    [Fact]
    public void Posts_ThatWait_AreRefusedWhenTheConnectionIsLost()
    {
        TalkingPeer peer = BeginWithItem();
        peer.Say(HostileMessages.Post(20, HostileMessages.List(22, 1), id: 77));
        peer.Say(HostileMessages.Post(20, HostileMessages.List(22, 1), id: 77)); // each waits by itself
        Take(2);
        _hub.KillProvider(Port);
        _hub.Until(() => peer.Answers.Count == 4);
        Assert.Equal(["Ack 20 77 SourceDown", "Ack 20 77 SourceDown"], peer.Answers.Where(answer => answer.StartsWith("Ack", StringComparison.Ordinal)));
        peer.Say(HostileMessages.Post(20, HostileMessages.List(22, 1), id: 78));
        _hub.Until(() => peer.Answers.Count == 5);
        Assert.Equal(("Ack 20 78 SourceDown", 1L), (peer.Answers[4], _hub.Count(Counter.PostsRefused)));
    }

    /// <summary>The dictionary is requested once, of the service with the lowest id, and again after a reconnect only where there was none.</summary>
    [Fact]
    public void Dictionary_OfASource_IsRequestedOfItsFirstService()
    {
        Begin(("SECOND", 9), ("FEED", FeedId), ("THIRD", 12));
        Assert.Equal([(3, FeedId, "RWFFld"), (4, FeedId, "RWFEnum")], Provider.Messages.Select(Requested));
        Assert.Contains(_hub.TakeNotices(), notice => notice.StartsWith("Warning: dictionary request refused", StringComparison.Ordinal)
            && notice.EndsWith("; consumers get the program's own dictionary.", StringComparison.Ordinal));
        _hub.KillProvider(Port);
        _hub.Until(() => _hub.Read(HubGauge.Sources) == 0);
        _hub.StartProvider(Port, Create(("FEED", FeedId)));
        _hub.Until(() => _hub.Read(HubGauge.Sources) == 1);
        Assert.Empty(Provider.Messages);

        static (int, ushort, string) Requested(byte[] message)
        {
            RwfMsg request = Wire.Decode(message);
            return (request.StreamId, request.Key.ServiceId, Encoding.ASCII.GetString(request.Key.Name));
        }
    }

    /// <summary>A source that sends no dictionary within 5 s is used with the hub's own.</summary>
    [Fact]
    public void Dictionary_ThatDoesNotCome_IsWaitedForFiveSeconds()
    {
        _hub.AddProvider(Port, () => Add(new ScriptedProvider(("FEED", FeedId)) { RefusesDictionary = false }));
        _hub.Until(() => _providers.Count == 1 && Provider.Messages.Count == 2);
        long requested = _hub.NowNanos;
        _hub.Until(() => _hub.Read(HubGauge.Sources) == 1);
        Assert.InRange(_hub.NowNanos - requested, 4_990 * Clock.NanosPerMilli, 5_010 * Clock.NanosPerMilli);
        Assert.Contains("Warning: the source sent no dictionary within 5 s; consumers get the program's own dictionary.", _hub.TakeNotices());
        Assert.Equal(2, Provider.Messages.Count);
    }

    /// <summary>A source that answers no request gets a ping each 50 ms, so that it reads on.</summary>
    [Fact]
    public void Request_WithoutAnAnswer_IsFollowedByAPingNowAndThen()
    {
        Begin();
        TalkingPeer peer = _hub.Talk();
        _hub.Turns(200);
        long idle = Provider.BytesRead;
        _hub.Turns(200);
        Assert.Equal(idle, Provider.BytesRead);
        Ask(peer, 20, "A", RequestFlags.Streaming);
        Take(1);
        long asked = Provider.BytesRead;
        _hub.Turns(40);
        Assert.Equal(asked, Provider.BytesRead);
        _hub.Turns(165); // four more times
        Assert.Equal(4, (Provider.BytesRead - asked) / 3); // a ping has three bytes
        Provider.SayImage(6, 1);
        _hub.Until(() => peer.Answers.Count == 1);
        long answered = Provider.BytesRead;
        _hub.Turns(200);
        Assert.Equal(answered, Provider.BytesRead);
    }

    /// <summary>A connected source whose items are all requested keeps its thread from sleeping no more.</summary>
    [Fact]
    public void Thread_OfASourceWithNothingToDo_MaySleep()
    {
        BeginWithItem();
        _hub.Turns(5);
        Assert.True(_hub.Sources.Task!.TrySleep());
        _hub.KillProvider(Port);
        _hub.Turns(50);
        Assert.Equal((0L, true), (_hub.Read(HubGauge.Sources), _hub.Sources.Task!.TrySleep()));
    }

    [Fact]
    public void Message_ThatCannotBeDecoded_EndsTheConnectionAndItIsMadeAgain()
    {
        TalkingPeer peer = BeginWithItem();
        Provider.Say([0, 9, 2]);
        long ended = _hub.NowNanos;
        _hub.Until(() => peer.Answers.Count == 2);
        Assert.Equal("Status 20 Open/Suspect/None \"the source is gone\"", peer.Answers[1]);
        Assert.Contains($"Source {PerfCommon.Transport.MemoryNetwork.Host}:{Port}: it sent a message that cannot be decoded", _hub.TakeNotices());
        _hub.Until(() => _providers.Count == 2 && Provider.Received.Count == 1);
        Assert.InRange(_hub.NowNanos - ended, 500 * Clock.NanosPerMilli, 4_000 * Clock.NanosPerMilli);
        Assert.Equal(["Request 6 A@7"], Take(1));
    }

    private void Begin(params (string Name, ushort Id)[] services)
    {
        _hub.AddProvider(Port, Create(services.Length == 0 ? [("FEED", FeedId)] : services));
        _hub.Until(() => _hub.Read(HubGauge.Sources) == 1);
    }

    // A consumer has requested an item on its stream 20, which is 6 at the source.
    private TalkingPeer BeginWithItem(bool hasImage = true)
    {
        Begin();
        TalkingPeer peer = _hub.Talk();
        Ask(peer, 20, "A", RequestFlags.Streaming);
        Take(1);
        if (!hasImage)
            return peer;
        Provider.SayImage(6, 1);
        _hub.Until(() => peer.Answers.Count == 1);
        return peer;
    }

    private Func<Connection> Create(params (string Name, ushort Id)[] services) => () => Add(new ScriptedProvider(services));

    private ScriptedProvider Add(ScriptedProvider provider)
    {
        _providers.Add(provider);
        return provider;
    }

    private List<string> Take(int count)
    {
        _hub.Until(() => Provider.Received.Count >= count);
        List<string> received = [.. Provider.Received];
        Provider.Received.Clear();
        return received;
    }

    private static void Ask(TalkingPeer peer, int streamId, string name, int flags) => peer.Say(Wire.Encode(TalkingPeer.Request(streamId, FeedId, name,
        flags)));

    private static void Close(TalkingPeer peer, int streamId) =>
        peer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId }));

    private static byte[] Ack(int streamId, uint id) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Ack,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        AckId = id,
    });
}
