using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items of domains of which a hub keeps no fields: they are forwarded unchanged, over real sockets.</summary>
public class HubPassingTests : HubPassingBench
{
    [Theory]
    [InlineData(DomainType.MarketByPrice)]
    [InlineData(DomainType.SymbolList)]
    [InlineData(DomainType.YieldCurve)]
    [InlineData(Own)]
    public void Item_OfAnyDomain_PassesWithRequestPartsUpdatesAndStatusAsTheyAre(DomainType domain)
    {
        PassingProvider source = new(DomainType.Dictionary, domain);
        using SocketHub hub = new(() => source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, domain, "ITEM", Asked);
        hub.Until(() => source.Count(MsgClass.Request) == 1);
        RwfMsg request = Wire.Decode(source.Of(MsgClass.Request).First());
        Assert.Equal((domain, "ITEM", Id, RequestFlags.Streaming), (request.DomainType, NameOf(request), request.Key.ServiceId, request.Flags));
        Assert.Equal(Asked, request.Payload.ToArray());

        int stream = request.StreamId;
        source.Say(Image(domain, stream, "first", RefreshFlags.Solicited | RefreshFlags.ClearCache));
        source.Say(Update(domain, stream, "between"));
        source.Say(Image(domain, stream, "last", RefreshFlags.Solicited | RefreshFlags.RefreshComplete));
        source.Say(Update(domain, stream, "one"));
        source.Say(Update(domain, stream, "two"));
        source.Say(Wire.Encode(Wire.Status(domain, stream, StreamState.Closed, DataState.Suspect)));
        hub.Until(() => peer.All!.Count == 6);
        Assert.Equal(["first", "between", "last", "one", "two", ""], peer.All!.Select(PayloadOf));
        Assert.All(peer.All!, message => Assert.Equal((domain, 9), (Wire.Decode(message).DomainType, Wire.Decode(message).StreamId)));
        Assert.Equal(
            [RefreshFlags.Solicited | RefreshFlags.ClearCache, RefreshFlags.Solicited | RefreshFlags.RefreshComplete],
            peer.Messages.Take(2).Select(message => Wire.Decode(message).Flags & ~RefreshFlags.HasMsgKey));
        hub.Until(() => hub.Hub.Read(HubGauge.Items) == 0 && hub.Hub.Read(HubGauge.Watchers) == 0);
    }

    [Fact]
    public void Item_OfTwoWatchers_HasAStreamForEachAtTheSource()
    {
        PassingProvider source = new(DomainType.MarketByPrice);
        using SocketHub hub = new(() => source);
        (TalkingPeer one, TalkingPeer other) = (hub.TalkOfItems(), hub.TalkOfItems());
        Ask(one, 9, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => source.Count(MsgClass.Request) == 1);
        Ask(other, 9, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => source.Count(MsgClass.Request) == 2);
        source.Say(Image(DomainType.MarketByPrice, source.StreamOf(1), "his", RefreshFlags.RefreshComplete));
        source.Say(Image(DomainType.MarketByPrice, source.StreamOf(0), "hers", RefreshFlags.RefreshComplete));
        hub.Until(() => one.All!.Count == 1 && other.All!.Count == 1);
        Assert.Equal(("hers", "his"), (PayloadOf(one.All![0]), PayloadOf(other.All![0])));

        one.Say(Wire.Encode(Wire.Empty(MsgClass.Close, DomainType.MarketByPrice, 9)));
        hub.Until(() => source.Count(MsgClass.Close) == 1);
        Assert.Equal(source.StreamOf(0), Wire.Decode(source.Of(MsgClass.Close).First()).StreamId);
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 1);
    }

    [Fact]
    public void Snapshot_InParts_EndsWithTheLast()
    {
        PassingProvider source = new(DomainType.YieldCurve);
        using SocketHub hub = new(() => source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, DomainType.YieldCurve, "ITEM", flags: 0);
        hub.Until(() => source.Count(MsgClass.Request) == 1);
        Assert.Equal(0, Wire.Decode(source.Of(MsgClass.Request).First()).Flags);
        source.Say(Image(DomainType.YieldCurve, source.StreamOf(0), "first", RefreshFlags.Solicited, StreamState.NonStreaming));
        source.Say(Image(DomainType.YieldCurve, source.StreamOf(0), "last", RefreshFlags.Solicited | RefreshFlags.RefreshComplete, StreamState.NonStreaming));
        hub.Until(() => peer.All!.Count == 2 && hub.Hub.Read(HubGauge.Items) == 0 && hub.Hub.Read(HubGauge.Watchers) == 0);
        Assert.Equal(["first", "last"], peer.All!.Select(PayloadOf));
    }

    [Fact]
    public void Reissue_OfAPassedItem_GoesToTheSource()
    {
        PassingProvider source = new(DomainType.MarketByPrice);
        using SocketHub hub = new(() => source);
        TalkingPeer peer = Open(hub, source, DomainType.MarketByPrice);
        Ask(peer, 9, DomainType.MarketByPrice, "ITEM", Asked, RequestFlags.Streaming | RequestFlags.Pause);
        hub.Until(() => source.Count(MsgClass.Request) == 2);
        RwfMsg again = Wire.Decode(source.Of(MsgClass.Request).Last());
        Assert.Equal((source.StreamOf(0), RequestFlags.Streaming | RequestFlags.Pause), (again.StreamId, again.Flags));
        Assert.Equal(Asked, again.Payload.ToArray());
        source.Say(Image(DomainType.MarketByPrice, again.StreamId, "anew", RefreshFlags.Solicited | RefreshFlags.RefreshComplete));
        hub.Until(() => peer.All!.Count == 1);
        Assert.True(Wire.Decode(peer.All![0]).Has(RefreshFlags.Solicited));

        Ask(peer, 9, DomainType.MarketByPrice, "OTHER");
        hub.Until(() => peer.All!.Count == 2);
        Assert.StartsWith("Status 9 ClosedRecover/Suspect/UsageError", peer.Answers[^1], StringComparison.Ordinal);
        Assert.Equal(2, source.Count(MsgClass.Request));
    }

    [Fact]
    public void Source_GoneAndBack_IsAskedAgainAndNobodyWaited()
    {
        List<PassingProvider> sources = [];
        using SocketHub hub = new(() =>
        {
            sources.Add(new PassingProvider(DomainType.MarketByPrice));
            return sources[^1];
        });
        TalkingPeer peer = Open(hub, sources[0], DomainType.MarketByPrice);
        sources[0].Channel.Abort("the test ends it");
        hub.Until(() => peer.Answers.Count == 1 && sources.Count == 2 && sources[1].Count(MsgClass.Request) == 1);
        Assert.StartsWith("Status 9 Open/Suspect", peer.Answers[0], StringComparison.Ordinal);
        RwfMsg request = Wire.Decode(sources[1].Of(MsgClass.Request).First());
        Assert.Equal("ITEM", NameOf(request));
        sources[1].Say(Image(DomainType.MarketByPrice, request.StreamId, "anew", RefreshFlags.Solicited | RefreshFlags.RefreshComplete));
        hub.Until(() => peer.All!.Count == 2);
        Assert.Equal(("anew", false), (PayloadOf(peer.All![1]), Wire.Decode(peer.All![1]).Has(RefreshFlags.Solicited)));
    }

    [Fact]
    public void PostsAndGenericMessages_OfAPassedItem_GoBothWays()
    {
        PassingProvider source = new(DomainType.YieldCurve);
        using SocketHub hub = new(() => source);
        TalkingPeer peer = Open(hub, source, DomainType.YieldCurve);
        peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.YieldCurve,
            StreamId = 9,
            Flags = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId,
            PostId = 77,
            ContainerType = DataType.Opaque,
            Payload = "posted"u8,
        }));
        peer.Say(Wire.Encode(Generic("there")));
        hub.Until(() => source.Received.Count == 3);
        Assert.Equal(["posted", "there"], source.Received.Skip(1).Select(PayloadOf));
        source.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Ack, DomainType = DomainType.YieldCurve, StreamId = source.StreamOf(0), AckId = 77 }));
        RwfMsg back = Generic("back");
        back.StreamId = source.StreamOf(0);
        source.Say(Wire.Encode(back));
        hub.Until(() => peer.All!.Count == 2);
        Assert.Equal("Ack 9 77", peer.Answers[0]);
        Assert.Equal("back", PayloadOf(peer.All![1]));
    }

    [Fact]
    public void Batch_OfPassedItems_AsksForEach()
    {
        PassingProvider source = new(DomainType.MarketByPrice);
        using SocketHub hub = new(() => source);
        TalkingPeer peer = hub.TalkOfItems();
        RwfMsg batch = TalkingPeer.Batch(30, Id, ["A", "B", "C"], out _);
        batch.DomainType = DomainType.MarketByPrice;
        peer.Say(Wire.Encode(batch));
        hub.Until(() => source.Count(MsgClass.Request) == 3 && peer.Answers.Count == 1);
        Assert.Equal(["A", "B", "C"], source.Of(MsgClass.Request).Select(message => NameOf(Wire.Decode(message))));
        Assert.Equal("Status 30 Closed/NoChange/None \"Stream closed for batch\"", peer.Answers[0]);
    }
}
