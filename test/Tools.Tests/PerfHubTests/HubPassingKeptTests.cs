using System.Text;
using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>What a hub keeps and announces of the domains of which it keeps no fields, over real sockets.</summary>
public class HubPassingKeptTests : HubPassingBench
{
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
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 2);
    }

    [Fact]
    public void Published_ByWhoHasLeft_IsSuspectForWhoComesLater()
    {
        using SocketHub hub = new();
        TalkingPeer publisher = Publish(hub, DomainType.MarketByPrice);
        publisher.Say(Published(-6, "all", RefreshFlags.RefreshComplete));
        hub.Until(() => hub.Hub.Read(HubGauge.Items) == 1);
        publisher.Channel.Abort("the test ends it");
        hub.Until(() => hub.Hub.Read(HubGauge.Sources) == 0);
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
}
