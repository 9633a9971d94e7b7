using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>Posts and generic messages as a consumer's connection receives them: which are refused there, and which are forwarded.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerPostsTests : IDisposable
{
    private const int Complete = PostFlags.PostComplete, Ack = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId;

    private readonly ConsumerBench _bench = new();
    private readonly TalkingPeer _peer;

    public ConsumerPostsTests()
    {
        _peer = _bench.Talk();
        _bench.Ask(_peer, 20, "A");
        _bench.DeliverImage("A");
        ConsumerBench.Take(_peer);
        _bench.Source.Take();
    }

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData(20, Complete, "", null, "Post A", 0)]
    [InlineData(20, Ack, "", null, "Post A", 0)]
    [InlineData(21, Complete, "", null, "", 1)]
    [InlineData(21, Ack, "", "Ack 21 77 NotOpen", "", 1)]
    [InlineData(21, Ack | PostFlags.HasSeqNum, "", "Ack 21 77 #88 NotOpen", "", 1)]
    [InlineData(1, Ack, "", "Ack 1 77 InvalidContent", "", 1)] // on the login's stream, without a name
    [InlineData(1, Complete, "", null, "", 1)]
    [InlineData(1, Ack, "A@11", null, "Post A", 0)]
    [InlineData(1, Complete, "B@11", null, "Post -", 0)]
    [InlineData(1, Ack, "A@99", "Ack 1 77 SourceUnknown", "", 1)]
    public void Post_OnEachKindOfStream_IsForwardedOrRefused(int streamId, int flags, string item, string? ack, string call, int refused)
    {
        _peer.Say(Post(streamId, flags, item));
        _bench.Settle();
        Assert.Equal(call.Length == 0 ? [] : [call], _bench.Source.Take());
        Assert.Equal(ack is null ? [] : [ack], ConsumerBench.Take(_peer));
        Assert.Equal((1L, refused), (_bench[Counter.PostsReceived], _bench[Counter.PostsRefused]));
    }

    /// <summary>A post on a stream whose image has not come is refused: it is open once the source thread watches it.</summary>
    [Fact]
    public void Post_BeforeTheStreamIsOpen_IsRefused()
    {
        _bench.Hub.Stop(_bench.Hub.Sources);
        _bench.Ask(_peer, 21, "B");
        _peer.Say(Post(21, Ack, ""));
        _peer.Say(Generic(21));
        _bench.Settle();
        Assert.Equal(["Ack 21 77 NotOpen"], ConsumerBench.Take(_peer));
        _bench.Hub.Resume(_bench.Hub.Sources);
        _bench.Settle();
        Assert.Equal(["Open B"], _bench.Source.Take());
        Assert.Equal((1L, 1L), (_bench[Counter.PostsRefused], _bench[Counter.GenericNotSent]));
        _peer.Say(Post(21, Ack, ""));
        _bench.Settle();
        Assert.Equal(["Post B"], _bench.Source.Take());
    }

    [Fact]
    public void Generic_OnAnOpenStream_IsForwardedAsItIs()
    {
        byte[] message = Generic(20);
        _peer.Say(message);
        _peer.Say(Generic(21));
        _bench.Settle();
        Assert.Equal(["Generic A"], _bench.Source.Take());
        Assert.Equal(message, Assert.Single(_bench.Source.Generics));
        Assert.Equal((2L, 1L), (_bench[Counter.GenericReceived], _bench[Counter.GenericNotSent]));
    }

    /// <summary>Sources are notified of a connection that ends where it has posts that may wait, and of no other.</summary>
    [Theory]
    [InlineData(Complete, false)]
    [InlineData(Ack, true)]
    public void Connection_ThatEnds_DiscardsItsPostsWhereSomeMayWait(int flags, bool isTold)
    {
        _peer.Say(Post(20, flags, ""));
        _bench.Settle();
        _bench.Source.Take();
        _peer.Worker.Dispose();
        _bench.Hub.Until(() => _bench.Hub.Read(HubGauge.Consumers) == 0 && _bench.Upstream.Items.Table.Count == 0);
        List<string> calls = _bench.Source.Take();
        Assert.Equal(isTold, calls.Exists(call => call.StartsWith("DiscardPosts 0 ", StringComparison.Ordinal)));
        Assert.Equal(isTold ? 2 : 1, calls.Count);
        if (isTold)
            Assert.Equal($"DiscardPosts 0 {_bench.Source.Posters[0].Address.Serial}", calls[0]);
    }

    /// <summary>The login that is closed ends the streams, and posts on its stream are refused.</summary>
    [Fact]
    public void Login_Closed_EndsStreamsAndPosts()
    {
        _peer.Say(Post(20, Ack, ""));
        _peer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.Login, StreamId = StreamIds.Login }));
        _bench.Settle();
        Assert.Equal(["Post A", $"DiscardPosts 0 {_bench.Source.Posters[0].Address.Serial}", "Close A"], _bench.Source.Take());
        _bench.Settle();
        Assert.Equal((0L, 0), (_bench.Hub.Read(HubGauge.Watchers), _bench.Upstream.Items.Table.Count));
    }

    private static byte[] Post(int streamId, int flags, string item)
    {
        string[] parts = item.Split('@');
        return Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = streamId,
            Flags = flags | (item.Length > 0 ? PostFlags.HasMsgKey : 0),
            PostId = 77,
            SeqNum = 88,
            Key = item.Length == 0 ? default : new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
                ServiceId = ushort.Parse(parts[1], System.Globalization.CultureInfo.InvariantCulture),
                Name = Encoding.ASCII.GetBytes(parts[0]),
            },
            ContainerType = DataType.FieldList,
            Payload = HostileMessages.List(22, 1),
        });
    }

    private static byte[] Generic(int streamId) =>
        Wire.Encode(new RwfMsg { MsgClass = MsgClass.Generic, DomainType = DomainType.MarketPrice, StreamId = streamId, ContainerType = DataType.NoData });
}
