using System.Text;
using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items of domains of which a hub keeps no fields: they are forwarded unchanged, over real sockets.</summary>
public class HubPassingTests
{
    private const ushort Id = PassingProvider.ServiceId;
    private const DomainType Own = (DomainType)200; // of users
    private static readonly byte[] Asked = Wire.Elements((ref RwfWriter writer) => writer.WriteUIntElement("Depth"u8, 3));

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
        hub.Until(() => hub.Hub.Read(Gauge.Items) == 0 && hub.Hub.Read(Gauge.Watchers) == 0);
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
        hub.Until(() => hub.Hub.Read(Gauge.Watchers) == 1);
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
        hub.Until(() => peer.All!.Count == 2 && hub.Hub.Read(Gauge.Items) == 0 && hub.Hub.Read(Gauge.Watchers) == 0);
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

    [Fact]
    public void Published_InParts_IsKeptWholeForWhoComesLater()
    {
        using SocketHub hub = new();
        TalkingPeer publisher = Publish(hub, DomainType.MarketByPrice);
        TalkingPeer early = hub.TalkOfItems();
        Ask(early, 9, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => early.Answers.Count == 1);
        Assert.StartsWith("Status 9 Open/Suspect", early.Answers[0], StringComparison.Ordinal);
        publisher.Say(Published(-6, "first", 0));
        publisher.Say(Published(-6, "last", RefreshFlags.RefreshComplete));
        publisher.Say(Update(DomainType.MarketByPrice, -6, "change"));
        hub.Until(() => early.All!.Count == 4);
        Assert.Equal(["first", "last", "change"], early.All!.Skip(1).Select(PayloadOf));

        TalkingPeer late = hub.TalkOfItems();
        Ask(late, 11, DomainType.MarketByPrice, "ITEM", flags: RequestFlags.Streaming | RequestFlags.PrivateStream);
        hub.Until(() => late.All!.Count == 2);
        Assert.Equal(["first", "last"], late.All!.Select(PayloadOf));
        Assert.Equal(
            [RefreshFlags.Solicited | RefreshFlags.PrivateStream | RefreshFlags.ClearCache,
                RefreshFlags.Solicited | RefreshFlags.PrivateStream | RefreshFlags.RefreshComplete],
            late.All!.Select(message => Wire.Decode(message).Flags & ~RefreshFlags.HasMsgKey));
        publisher.Say(Update(DomainType.MarketByPrice, -6, "more"));
        hub.Until(() => late.Updates == 1 && early.Updates == 2);
        Assert.Equal("more", PayloadOf(late.All![2]));

        TalkingPeer once = hub.TalkOfItems();
        Ask(once, 12, DomainType.MarketByPrice, "ITEM", flags: 0);
        hub.Until(() => once.All!.Count == 2);
        Assert.Equal(["Refresh 12 NonStreaming ITEM", "Refresh 12 NonStreaming ITEM"], once.Answers);
        hub.Until(() => hub.Hub.Read(Gauge.Watchers) == 2);
    }

    [Fact]
    public void Published_ByWhoHasLeft_IsSuspectForWhoComesLater()
    {
        using SocketHub hub = new();
        TalkingPeer publisher = Publish(hub, DomainType.MarketByPrice);
        publisher.Say(Published(-6, "all", RefreshFlags.RefreshComplete));
        hub.Until(() => hub.Hub.Read(Gauge.Items) == 1);
        publisher.Channel.Abort("the test ends it");
        hub.Until(() => hub.Hub.Read(Gauge.Sources) == 0);
        TalkingPeer late = hub.TalkOfItems();
        Ask(late, 9, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => late.All!.Count == 1);
        RwfMsg image = Wire.Decode(late.All![0]);
        Assert.Equal((DataState.Suspect, "all"), (image.State.DataState, PayloadOf(late.All![0])));
    }

    [Fact]
    public void Request_LargerThanIsPassed_IsRejected()
    {
        PassingProvider source = new(DomainType.Dictionary, Own);
        using SocketHub hub = new(() => source);
        TalkingPeer peer = hub.TalkOfItems();
        RwfMsg request = TalkingPeer.Request(9, Id, "ITEM", RequestFlags.Streaming);
        request.DomainType = Own;
        request.ContainerType = DataType.Opaque;
        peer.Say([.. Wire.Encode(request), .. new byte[PassThroughStream.MaxRequestBytes]]); // the payload is what is left of a message
        hub.Until(() => peer.Answers.Count == 1);
        Assert.StartsWith("Status 9 ClosedRecover/Suspect/TooManyItems", peer.Answers[0], StringComparison.Ordinal);
        Assert.Equal(0, source.Count(MsgClass.Request));
    }

    [Fact]
    public void Published_LargerThanIsKept_PassesAndIsNotKept()
    {
        using SocketHub hub = new();
        TalkingPeer publisher = Publish(hub, DomainType.MarketByPrice);
        TalkingPeer early = hub.TalkOfItems();
        Ask(early, 9, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => early.Answers.Count == 1);
        const int Parts = (PassThroughStream.MaxImageBytes / 4_000) + 2;
        string large = new('x', 4_000);
        for (int i = 0; i < Parts; i++)
        {
            publisher.Say(Published(-6, large, i == Parts - 1 ? RefreshFlags.RefreshComplete : 0));
            hub.Until(() => early.All!.Count >= i - 100);
        }

        hub.Until(() => early.All!.Count == Parts + 1);
        TalkingPeer late = hub.TalkOfItems();
        Ask(late, 9, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => late.Answers.Count == 1);
        Assert.StartsWith("Status 9 Open/Suspect", late.Answers[0], StringComparison.Ordinal);
        publisher.Say(Published(-6, "small", RefreshFlags.RefreshComplete));
        hub.Until(() => late.All!.Count == 2);
        Assert.Equal("small", PayloadOf(late.All![1]));
    }

    [Fact]
    public void Directory_OfTheHub_AnnouncesWhatIsServed()
    {
        DomainType[] all = [DomainType.Dictionary, DomainType.MarketPrice, DomainType.MarketByOrder, DomainType.MarketByPrice, DomainType.SymbolList, Own];
        PassingProvider source = new(all);
        using SocketHub hub = new(() => source);
        TalkingPeer peer = hub.TalkOfItems();
        Assert.Equal(all, Capabilities(hub, peer));
        foreach (DomainType domain in all.Skip(1))
            Ask(peer, 10 + (int)domain, domain, "ITEM");
        hub.Until(() => source.Count(MsgClass.Request) == all.Length - 1);
        Assert.Equal(all.Skip(1), source.Of(MsgClass.Request).Select(message => Wire.Decode(message).DomainType));
        Assert.Empty(peer.Answers);
    }

    [Fact]
    public void Domains_Limited_AreAnnouncedAndServedAndNoOthers()
    {
        PassingProvider source = new(DomainType.Dictionary, DomainType.MarketPrice, DomainType.MarketByOrder, DomainType.MarketByPrice, Own);
        using SocketHub hub = new(() => source, new HubPerfOptions { ServedDomains = [6, 8] });
        TalkingPeer peer = hub.TalkOfItems();
        Assert.Equal([DomainType.Dictionary, DomainType.MarketPrice, DomainType.MarketByPrice], Capabilities(hub, peer));
        Ask(peer, 10, DomainType.MarketByOrder, "ITEM");
        Ask(peer, 11, Own, "ITEM", flags: RequestFlags.Streaming | RequestFlags.PrivateStream);
        Ask(peer, 12, DomainType.MarketPrice, "ITEM");
        Ask(peer, 13, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => source.Count(MsgClass.Request) == 2 && peer.Answers.Count == 2);
        Assert.Equal(
            ["Status 10 Closed/Suspect/UsageError \"Item request rejected for stream id 10 - this provider does not support domain 7\"",
                "Status 11 Closed/Suspect/UsageError \"Item request rejected for stream id 11 - this provider does not support domain 200\""],
            peer.Answers);
        Assert.Equal([false, true], peer.Messages.Select(message => Wire.Decode(message).Has(StatusFlags.PrivateStream)));
    }

    [Fact]
    public void OwnService_OfTheHub_HasNoItemsOfOtherDomains()
    {
        using SocketHub hub = new(options: new HubPerfOptions { Services = [new OwnService("POSTED", Id)] });
        TalkingPeer peer = hub.TalkOfItems();
        Assert.Equal([DomainType.Dictionary, DomainType.MarketPrice, DomainType.MarketByOrder], Capabilities(hub, peer));
        Ask(peer, 10, DomainType.MarketByPrice, "ITEM");
        hub.Until(() => peer.Answers.Count == 1);
        Assert.StartsWith("Status 10 Closed/Suspect/UsageError", peer.Answers[0], StringComparison.Ordinal);
    }

    [Fact]
    public void SymbolList_OfAProviderOfOurs_ComesThroughTheHub()
    {
        ListingProvider lister = new();
        using SocketHub hub = new(() => new ProviderSession(
            new ProviderSessionOptions { Service = ListingProvider.Offer, Dictionary = FieldDictionary.Default }, lister));
        TalkingPeer peer = hub.TalkOfItems();
        Assert.Contains(DomainType.SymbolList, Capabilities(hub, peer));
        Ask(peer, 9, DomainType.SymbolList, ListingProvider.Offer.SymbolList!);
        hub.Until(() => peer.Messages.Count > 0 && Wire.Decode(peer.Messages[^1]).Has(RefreshFlags.RefreshComplete));
        List<string> names = [];
        foreach (byte[] part in peer.Messages)
        {
            Assert.Equal(DecodeResult.Success, MapReader.TryOpen(Wire.Decode(part).Payload, out MapReader map));
            while (map.TryReadNext(out MapEntry entry) == DecodeResult.Success)
                names.Add(Encoding.ASCII.GetString(entry.Key));
        }

        Assert.True(peer.Messages.Count > 1);
        Assert.Equal(Enumerable.Range(0, ListingProvider.Symbols).Select(i => $"S{i}"), names);
    }

    private static TalkingPeer Open(SocketHub hub, PassingProvider source, DomainType domain)
    {
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, domain, "ITEM");
        hub.Until(() => source.Count(MsgClass.Request) == 1);
        source.Say(Image(domain, source.StreamOf(0), "image", RefreshFlags.Solicited | RefreshFlags.RefreshComplete));
        hub.Until(() => peer.All!.Count == 1);
        SocketHub.Forget(peer);
        return peer;
    }

    private static TalkingPeer Publish(SocketHub hub, DomainType domain)
    {
        TalkingPeer publisher = hub.TalkOfItems(LoginRole.Provider);
        publisher.Say(Wire.Encode(room => DirectoryProvider.EncodeAnnouncement(room, PassingProvider.Offer(domain))));
        TalkingPeer watcher = hub.TalkOfItems();
        hub.Until(() => hub.Hub.Read(Gauge.Sources) == 1);
        hub.Until(() => Capabilities(hub, watcher).Contains(domain));
        return publisher;
    }

    private static List<DomainType> Capabilities(SocketHub hub, TalkingPeer peer)
    {
        RwfMsg request = Wire.Request(DomainType.Source, StreamIds.Directory, 0);
        request.Key = new MsgKey { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers };
        SocketHub.Forget(peer);
        peer.Say(Wire.Encode(request));
        hub.Until(() => peer.Answers.Count == 1);
        RwfMsg refresh = Wire.Decode(peer.Messages[0]);
        SocketHub.Forget(peer);
        List<DomainType> found = [];
        Assert.True(DirectoryMap.TryRead(refresh, ref found, Take));
        return found;

        static bool Take(scoped in MapEntry entry, ushort id, DataType type, ref List<DomainType> found)
        {
            return id != Id || ElementLists.TryRead(ServiceEntry.FindInfo(entry.Content), default, ref found, TakeElement);
        }

        static bool TakeElement(scoped in ElementEntry element, ref List<DomainType> found)
        {
            if (!element.Name.SequenceEqual("Capabilities"u8))
                return true;
            Assert.Equal(DecodeResult.Success, ArrayReader.TryOpen(element.Content, out ArrayReader numbers));
            while (numbers.TryReadNext(out ReadOnlySpan<byte> number) == DecodeResult.Success)
                found.Add((DomainType)number[0]);
            return true;
        }
    }

    private static void Ask(TalkingPeer peer, int streamId, DomainType domain, string name, byte[]? payload = null, int flags = RequestFlags.Streaming)
    {
        RwfMsg request = TalkingPeer.Request(streamId, Id, name, flags);
        request.DomainType = domain;
        request.ContainerType = payload is null ? DataType.NoData : DataType.ElementList;
        request.Payload = payload;
        peer.Say(Wire.Encode(request));
    }

    private static byte[] Image(DomainType domain, int streamId, string payload, int flags, StreamState stream = StreamState.Open) =>
        Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = domain,
            StreamId = streamId,
            Flags = flags,
            State = new RwfState(stream, DataState.Ok),
            GroupId = [0, 0],
            ContainerType = DataType.Opaque,
            Payload = Encoding.ASCII.GetBytes(payload),
        });

    private static byte[] Published(int streamId, string payload, int flags)
    {
        RwfMsg image = Wire.Decode(Image(DomainType.MarketByPrice, streamId, payload, flags));
        image.Flags |= RefreshFlags.HasMsgKey;
        image.Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = Id, Name = "ITEM"u8 };
        return Wire.Encode(image);
    }

    private static byte[] Update(DomainType domain, int streamId, string payload) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Update,
        DomainType = domain,
        StreamId = streamId,
        ContainerType = DataType.Opaque,
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    private static RwfMsg Generic(string payload) => new()
    {
        MsgClass = MsgClass.Generic,
        DomainType = DomainType.YieldCurve,
        StreamId = 9,
        Flags = GenericFlags.MessageComplete,
        ContainerType = DataType.Opaque,
        Payload = Encoding.ASCII.GetBytes(payload),
    };

    private static string NameOf(scoped in RwfMsg msg) => Encoding.ASCII.GetString(msg.Key.Name);

    private static string PayloadOf(byte[] message) => Encoding.ASCII.GetString(Wire.Decode(message).Payload);

    /// <summary>A provider whose service lists its items.</summary>
    private sealed class ListingProvider : ProviderHandler
    {
        public const int Symbols = 1_000;

        public static ServiceOffer Offer => new() { Name = PassingProvider.Service, Id = Id, SymbolList = "_LIST" };

        protected internal override int MaxRefreshBytes => 64;

        protected internal override int SymbolCount => Symbols;

        protected internal override ReadOnlySpan<byte> SymbolAt(int index) => Encoding.ASCII.GetBytes($"S{index}");

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => throw new InvalidOperationException("a list alone is asked for");
    }
}
