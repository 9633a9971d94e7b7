using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Posts and generic messages of consumers: to whom they go, who acknowledges them, and what is counted.</summary>
[Trait("Category", "Fast")]
public sealed class PostRelayTests : IDisposable
{
    private const int Ack = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId;

    private readonly SourceBench _bench = new();

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData(PostRefusal.None, PostFlags.PostComplete, "", 0)]
    [InlineData(PostRefusal.None, Ack, "", 0)]
    [InlineData(PostRefusal.SourceDown, PostFlags.PostComplete, "", 1)]
    [InlineData(PostRefusal.SourceDown, Ack, "Ack 5 77 SourceDown", 1)]
    [InlineData(PostRefusal.TooLarge, Ack | PostFlags.HasSeqNum, "Ack 5 77 #88 NoResources", 1)]
    public void Post_ToAnInteractiveSource_IsAcknowledgedByItUnlessItIsRefused(PostRefusal refusal, int flags, string ack, int refused)
    {
        int slot = Watch(_bench.Feed, "A");
        _bench.Source.Refusal = refusal;
        SendPost(slot, flags);
        Assert.Equal(["Post A"], _bench.Source.Take());
        Assert.Equal(new Poster(0, SourceBench.AddressOf(5), slot), Assert.Single(_bench.Source.Posters));
        Assert.Equal(refused, _bench[Counter.PostsRefused]);
        AssertAck(ack, slot);
    }

    [Fact]
    public void Post_OnAPrivateStream_IsAcknowledgedAsOne()
    {
        int slot = Watch(_bench.Feed, "A", ItemRequestMarks.Private);
        _bench.Source.Refusal = PostRefusal.SourceDown;
        SendPost(slot, Ack);
        AssertAck("Ack 5 77 SourceDown private", slot);
        slot = Watch(_bench.Unsourced, "B", ItemRequestMarks.Private);
        SendPost(slot, Ack);
        Assert.Equal("Reflection Direct", _bench.Kinds(0));
    }

    [Theory]
    [InlineData(PostFlags.PostComplete, "Reflection")]
    [InlineData(Ack, "Reflection Direct")]
    public void Post_WithoutASource_IsReflectedAndAcknowledgedWhereAsked(int flags, string records)
    {
        int slot = Watch(_bench.Unsourced, "A");
        SendPost(slot, flags);
        Assert.Equal(records, _bench.Kinds(0));
        Assert.Equal("", _bench.Counts);
        Assert.Equal("22=9", string.Join(' ', HostileMessages.Read(_bench.Find(_bench.Unsourced, "A")!.Read(_bench.Host.Items.Merger))
            .Select(field => $"{field.Key}={field.Value[0]}")));
    }

    [Fact]
    public void Post_ThatCannotBeReflected_IsRefused()
    {
        int slot = Watch(_bench.Unsourced, "A");
        SendPost(slot, Ack, DataType.Msg, [1, 2, 3]);
        AssertAck("Ack 5 77 InvalidContent", slot);
        SendPost(slot, Ack, DataType.FieldList, [ListFlags.HasStandardData, 0, 9, 0]);
        AssertAck("Ack 5 77 InvalidContent", slot);
        SendPost(slot, PostFlags.PostComplete, DataType.Msg, [1, 2, 3]);
        Assert.Empty(_bench.Read(0));
        Assert.Equal("PostsRefused=3", _bench.Counts);
    }

    /// <summary>What is posted by name to an item that no consumer watches is kept, and counted.</summary>
    [Fact]
    public void PostByName_OfAnItemOrOfNone_IsForTheServiceItNames()
    {
        PostByName(_bench.Unsourced, "A");
        AssertAck("Ack 5 77 SymbolUnknown", 0);
        CachedItem published = _bench.Publish("P");
        PostByName(_bench.Published, "P");
        AssertAck("Ack 5 77", 0);
        Assert.Equal("PostsNotReflected=1 PostsRefused=1 PostsUnwatched=1", _bench.Counts);
        Assert.True(published.Image is { Exists: false });
        PostByName(_bench.Feed, "F");
        Assert.Equal(["Post -"], _bench.Source.Take());
        Watch(_bench.Feed, "F");
        _bench.Source.Take();
        PostByName(_bench.Feed, "F");
        Assert.Equal(["Post F"], _bench.Source.Take());
        Assert.Equal(new Poster(0, SourceBench.AddressOf(5), 0), _bench.Source.Posters[^1]);
        PostByName(new ServiceItems(_bench.Feed.Service with { Serial = 99 }, _bench.Source), "F");
        Assert.Equal((0, 0), (_bench.Source.Take().Count, _bench.Read(0).Count));
    }

    /// <summary>A posted image makes an item; posted updates do so only where the data of a new item are good.</summary>
    [Theory]
    [InlineData(MsgClass.Refresh, true)]
    [InlineData(MsgClass.Update, false)]
    public void Post_ToAPublishedItem_MakesItWhereItIsAnImage(MsgClass inner, bool isImage)
    {
        int slot = Watch(_bench.Published, "A");
        byte[] list = HostileMessages.List(22, 1);
        SendPost(slot, PostFlags.PostComplete, DataType.Msg, inner == MsgClass.Refresh ? SourceBench.Image(list) : SourceBench.Update(list));
        CachedItem item = _bench.Find(_bench.Published, "A")!;
        Assert.Equal((isImage, isImage), (item.Image.Exists, item.Image.IsOk));
        slot = Watch(_bench.Unsourced, "A");
        SendPost(slot, PostFlags.PostComplete, DataType.Msg, SourceBench.Update(list));
        item = _bench.Find(_bench.Unsourced, "A")!;
        Assert.Equal((true, true), (item.Image.Exists, item.Image.IsOk));
    }

    /// <summary>A status without a state changes none.</summary>
    [Fact]
    public void Post_OfAStatusWithoutAState_ChangesNothing()
    {
        int slot = Watch(_bench.Unsourced, "A");
        CachedItem item = _bench.Find(_bench.Unsourced, "A")!;
        item.Image.IsOk = true;
        SendPost(slot, PostFlags.PostComplete, DataType.Msg, Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Status,
            DomainType = DomainType.MarketPrice,
            StreamId = 5
        }));
        Assert.True(item.Image.IsOk);
        SendPost(slot, PostFlags.PostComplete, DataType.Msg, SourceBench.Status(StreamState.Open));
        Assert.False(item.Image.IsOk);
    }

    [Theory]
    [InlineData(true, "")]
    [InlineData(false, "GenericNotSent=1")]
    public void Generic_ToAnItem_IsForwardedOrCounted(bool isForwarded, string counts)
    {
        int slot = Watch(_bench.Feed, "A");
        _bench.Source.ForwardsGeneric = isForwarded;
        byte[] message = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.MarketPrice,
            StreamId = 5,
            ContainerType = DataType.NoData
        });
        _bench.SendMessage(0, SessionRecord.Generic, slot, 5, message);
        Assert.Equal(message, Assert.Single(_bench.Source.Generics));
        Assert.Equal((counts, ""), (_bench.Counts, _bench.Kinds(0)));
        _bench.SendMessage(0, SessionRecord.Generic, Watch(_bench.Unsourced, "B"), 5, message);
        Assert.Equal(isForwarded ? 1 : 2, _bench[Counter.GenericNotSent]);
    }

    [Theory]
    [InlineData(false, false, "Ack 5 77 #88")]
    [InlineData(true, false, "Ack 5 77 #88 private")]
    [InlineData(true, true, "Ack 5 77 #88 private")]
    public void Acknowledge_OfASource_IsPrivateWhereTheStreamIs(bool isPrivate, bool saysSo, string expected)
    {
        Poster poster = new(1, SourceBench.AddressOf(5), 44);
        byte[] ack = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Ack,
            DomainType = DomainType.MarketPrice,
            StreamId = 5,
            Flags = AckFlags.HasSeqNum | (saysSo ? AckFlags.PrivateStream : 0),
            AckId = 77,
            SeqNum = 88,
        });
        _bench.Host.Posts.Acknowledge(new PendingPost(101, DomainType.MarketPrice, 77, 88, poster, isPrivate), Wire.Decode(ack));
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.Direct, 44, SourceBench.AddressOf(5), expected), (kind, slot, address, SourceBench.Describe(message)));
    }

    [Theory]
    [InlineData(null, false, "Ack 0 77 SourceDown")]
    [InlineData(88u, false, "Ack 0 77 #88 SourceDown")]
    [InlineData(0u, true, "Ack 0 77 #0 SourceDown private")]
    public void Refuse_OfAWaitingPost_RepeatsItsNumbers(uint? number, bool isPrivate, string expected)
    {
        Poster poster = new(2, SourceBench.AddressOf(6), 45);
        _bench.Host.Posts.Refuse(new PendingPost(101, DomainType.MarketByPrice, 77, number, poster, isPrivate), PostRefusal.SourceDown);
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(2);
        Assert.Equal((SourceRecord.Direct, 45, SourceBench.AddressOf(6), expected), (kind, slot, address, SourceBench.Describe(message)));
        Assert.Equal(DomainType.MarketByPrice, Wire.Decode(message).DomainType);
    }

    [Fact]
    public void PosterLeft_OfAConnection_IsSaidToEachSource()
    {
        byte[] address = new byte[StreamAddress.Bytes];
        SourceBench.AddressOf(5).Write(address);
        _bench.Send(2, SessionRecord.PosterLeft, 0, address);
        Assert.Equal(["DiscardPosts 2 1005"], _bench.Source.Take());
    }

    private int Watch(ServiceItems service, string name, ItemRequestMarks marks = 0)
    {
        _bench.Request(0, service, 5, name, ItemRequestMarks.Streaming | marks);
        _bench.Source.Take();
        return _bench.Read(0)[^1].Slot;
    }

    private void AssertAck(string expected, int slot)
    {
        if (expected.Length == 0)
        {
            Assert.Empty(_bench.Read(0));
            return;
        }

        (SourceRecord kind, int at, StreamAddress address, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Direct, slot, SourceBench.AddressOf(5), expected), (kind, at, address, SourceBench.Describe(message)));
    }

    private void SendPost(int slot, int flags, DataType type = DataType.FieldList, byte[]? payload = null) =>
        _bench.SendMessage(0, SessionRecord.Post, slot, 5, Post(flags, type, payload ?? HostileMessages.List(22, 1, value: 9), ""));

    private void PostByName(ServiceItems service, string name) => _bench.SendMessage(0, SessionRecord.PostByName, service.Service.Key.Number, 5,
        Post(Ack | PostFlags.HasMsgKey, DataType.FieldList, HostileMessages.List(22, 1, value: 9), name));

    private static byte[] Post(int flags, DataType type, byte[] payload, string name) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Post,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = flags,
        PostId = 77,
        SeqNum = 88,
        Key = new MsgKey { Flags = name.Length > 0 ? MsgKeyFlags.HasName : 0, Name = Encoding.ASCII.GetBytes(name) },
        ContainerType = type,
        Payload = payload,
    });
}
