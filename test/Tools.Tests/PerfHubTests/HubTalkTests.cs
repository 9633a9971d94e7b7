using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// The hub's answers to consumers' messages other than plain requests: batches, reissues, posts of every kind, private streams, round
/// trips.
/// </summary>
public class HubTalkTests
{
    private const int ProviderPort = 201;
    private const ushort ServiceId = 1;
    private static readonly HubPerfOptions Posted = new() { Services = [new OwnService("POSTED", 5)] };

    [Fact]
    public void Batch_OfItems_OpensEachOnceAtTheSourceAndClosesItself()
    {
        using MemoryHub hub = StartHub(out NumberProvider provider);
        (TalkingPeer first, TalkingPeer second) = (hub.Talk(), hub.Talk());
        foreach (TalkingPeer peer in (TalkingPeer[])[first, second])
        {
            peer.Say(Wire.Encode(TalkingPeer.Batch(30, ServiceId, ["N1", "N2", "N3"], out _)));
            hub.Until(() => peer.Answers.Count == 4);
            Assert.Equal(
                ["Refresh 31 Open N1", "Refresh 32 Open N2", "Refresh 33 Open N3",
                    "Status 30 Closed/NoChange/None \"Stream closed for batch\""], peer.Answers.Order());
        }

        Assert.Equal((3, 6L), (provider.Requests, hub.Sessions.Recording[HubGauge.Watchers]));
    }

    [Fact]
    public void ItemsOfTwoSourceThreads_AskedForAndPostedTo_AnswerOnTheThreadOfEach()
    {
        const ushort PublishedId = 9;
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = 2 }, sourceThreads: 2);
        hub.Publish(new NumberPublisher { IsUpdating = false }, "PUBLISHED", "N1");
        hub.Publish(new NumberPublisher { IsUpdating = false }, "PUBLISHED", "N2");
        hub.Until(() => hub.SourceWorkers.All(worker => worker.Recording[HubGauge.Items] == 1));
        TalkingPeer peer = hub.Talk();
        peer.Say(Wire.Encode(TalkingPeer.Batch(30, PublishedId, ["N1", "N2"], out _)));
        hub.Until(() => peer.Answers.Count == 3);
        peer.Answers.Clear();
        Post(peer, 31, id: 11);
        Post(peer, 32, id: 12);
        Post(peer, StreamIds.Login, id: 13, "N1", PublishedId);
        Post(peer, StreamIds.Login, id: 14, "N2", PublishedId);
        Ask(peer, 31, "N1", serviceId: PublishedId);
        hub.Until(() => peer.Answers.Count == 5);
        Assert.Equal(["Ack 1 13", "Ack 1 14", "Ack 31 11", "Ack 32 12", "Refresh 31 Open N1"], peer.Answers.Order());
        Assert.Equal(4, hub.Count(Counter.PostsReflected));

        Close(peer, 31);
        Ask(peer, 31, "N2", serviceId: PublishedId); // a stream of an item of the other thread
        hub.Until(() => peer.Answers.Contains("Refresh 31 Open N2"));
        Assert.Equal(2, hub.Read(HubGauge.Watchers));
    }

    [Fact]
    public void Reissue_OfAnOpenStream_IsAnsweredFromTheCache()
    {
        using MemoryHub hub = StartHub(out NumberProvider provider);
        TalkingPeer peer = hub.Talk();
        Ask(peer, 6, "N1");
        hub.Until(() => peer.Answers.Count == 1);
        Ask(peer, 6, "N1");
        hub.Until(() => peer.Answers.Count == 2);
        Assert.True(peer.Last(MsgClass.Refresh).Has(RefreshFlags.Solicited));
        Ask(peer, 6, "N1", RequestFlags.Streaming | RequestFlags.NoRefresh);
        Ask(peer, 6, "N2");
        hub.Until(() => peer.Answers.Count == 3);
        Assert.StartsWith("Status 6 ClosedRecover/Suspect/UsageError", peer.Answers[2], StringComparison.Ordinal);
        Assert.Equal((1, 1L), (provider.Requests, hub.Sessions.Recording[HubGauge.Watchers]));
    }

    [Fact]
    public void PrivateStream_OfAnItem_IsItsOwnAtTheSource()
    {
        using MemoryHub hub = StartHub(out NumberProvider provider);
        (TalkingPeer own, TalkingPeer other) = (hub.Talk(), hub.Talk());
        Ask(own, 6, "N1", RequestFlags.Streaming | RequestFlags.PrivateStream);
        hub.Until(() => own.Answers.Count == 1);
        Assert.True(own.Last(MsgClass.Refresh).Has(RefreshFlags.PrivateStream));
        Ask(other, 6, "N1");
        hub.Until(() => other.Answers.Count == 1);
        Assert.Equal(2L, hub.Count(Counter.RequestsSent));

        Close(own, 6);
        hub.Until(() => provider.Closes == 1);
    }

    [Fact]
    public void Posts_WithAcks_AreAnsweredByWhoProvidesTheItem()
    {
        using MemoryHub hub = StartHub(out NumberProvider provider);
        TalkingPeer peer = hub.Talk();
        Ask(peer, 6, "N1");
        hub.Until(() => peer.Answers.Count == 1);
        peer.Answers.Clear();
        Post(peer, 6, id: 11);
        Post(peer, 7, id: 12);
        Post(peer, StreamIds.Login, id: 13, "N1");
        Post(peer, StreamIds.Login, id: 14, "N1", serviceId: 99);
        Post(peer, StreamIds.Login, id: 15, "N9");
        Post(peer, StreamIds.Login, id: 16);
        hub.Until(() => peer.Answers.Count == 6 && provider.Received.Count == 2, () => string.Join('\n', peer.Answers));

        Assert.Equal(
            ["Ack 1 13", "Ack 1 14 SourceUnknown", "Ack 1 15 SymbolUnknown", "Ack 1 16 InvalidContent", "Ack 6 11", "Ack 7 12 NotOpen"],
            peer.Answers.Order());
        Assert.Equal((6L, 2L, 4L), (hub.Count(Counter.PostsReceived), hub.Count(Counter.PostsSent), hub.Count(Counter.PostsRefused)));
    }

    [Fact]
    public void Posts_ToAServiceWithoutASource_AreMergedAndAcknowledgedByTheHub()
    {
        using MemoryHub hub = new(Posted);
        TalkingPeer peer = hub.Talk();
        Ask(peer, 6, "A", serviceId: 5);
        hub.Until(() => peer.Answers.Count == 1);
        peer.Answers.Clear();
        Post(peer, 6, id: 11);
        Post(peer, StreamIds.Login, id: 12, "A", serviceId: 5);
        Post(peer, StreamIds.Login, id: 13, "B", serviceId: 5);
        hub.Until(() => peer.Answers.Count == 3);
        Assert.Equal(["Ack 1 12", "Ack 1 13 SymbolUnknown", "Ack 6 11"], peer.Answers.Order());

        Close(peer, 6);
        Post(peer, StreamIds.Login, id: 14, "A", serviceId: 5);
        hub.Until(() => hub.Count(Counter.PostsNotReflected) == 1); // the item has no watcher
        Assert.Equal((4, 2, 1), (hub.Count(Counter.PostsReceived), hub.Count(Counter.PostsReflected), hub.Count(Counter.PostsUnwatched)));
    }

    [Fact]
    public void Posts_SourceLostBeforeItsAck_AreRefusedToThePoster()
    {
        using MemoryHub hub = new();
        NumberProvider provider = new() { IsReflecting = false };
        hub.AddProvider(ProviderPort, () => provider);
        TalkingPeer peer = hub.Talk();
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        Ask(peer, 6, "N1");
        hub.Until(() => peer.Answers.Count == 1);
        Post(peer, 6, id: 21, sequence: 5);
        Post(peer, 6, id: 22);
        hub.Until(() => provider.Received.Count == 2);
        hub.KillProvider(ProviderPort);
        hub.Until(() => peer.Answers.Count == 4);

        Assert.Equal(["Ack 6 21 SourceDown", "Ack 6 22 SourceDown"],
            peer.Answers.Where(answer => answer.StartsWith("Ack", StringComparison.Ordinal)).Order());
        RwfMsg first = Wire.Decode(peer.Messages.Find(message => Wire.Decode(message) is { MsgClass: MsgClass.Ack, AckId: 21 })!);
        Assert.Equal(5u, first.SeqNum);
    }

    [Fact]
    public void Posts_ItemClosedBeforeItsAck_AreRefusedOnTheLoginStream()
    {
        using MemoryHub hub = new();
        NumberProvider provider = new() { IsReflecting = false };
        hub.AddProvider(ProviderPort, () => provider);
        (TalkingPeer posting, TalkingPeer watching) = (hub.Talk(), hub.Talk());
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        Ask(watching, 6, "N1");
        hub.Until(() => watching.Answers.Count == 1);
        Post(posting, StreamIds.Login, id: 31, "N1");
        hub.Until(() => provider.Received.Count == 1);
        Close(watching, 6);
        hub.Until(() => posting.Answers.Count == 1);
        Assert.Equal("Ack 1 31 NotOpen", posting.Answers[0]);
    }

    [Fact]
    public void Generics_OfASourceForAnItemJustClosed_AreCountedAsNotSent()
    {
        using MemoryHub hub = StartHub(out NumberProvider provider);
        TalkingPeer peer = hub.Talk();
        Ask(peer, 6, "N1");
        hub.Until(() => peer.Answers.Count == 1);
        Assert.True(provider.Session.TrySendGeneric(provider.Session.UpdatingItemAt(0), Fields.None));
        hub.Until(() => peer.Answers.Contains("Generic 6"));
        Assert.Equal((1L, 1L, 0L),
            (hub.Count(HubCounter.SourceGenericReceived), hub.Count(Counter.GenericSent), hub.Count(Counter.GenericNotSent)));

        Close(peer, 6);
        Assert.True(provider.Session.TrySendGeneric(provider.Session.UpdatingItemAt(0), Fields.None)); // on its way when the item is closed
        hub.Until(() => hub.Count(HubCounter.SourceGenericReceived) == 2);
        hub.Turns(3);
        Assert.Equal(1, hub.Count(Counter.GenericNotSent));
    }

    [Fact]
    public void RoundTrips_OfConsumersThatAsk_AreMeasuredEveryFiveSeconds()
    {
        HubPerfOptions options = new();
        using MemoryHub hub = new(options with { Session = options.Session with { RoundTrips = true } });
        TalkingPeer silent = hub.Talk();
        ConsumerSession asking = new(
            new()
            {
                ServiceName = "S",
                Items = ItemList.Create(["A"]),
                Dictionary = FieldDictionary.Default,
                Identity = LoginIdentity.OfThisProcess() with { RoundTripLatency = true }
            },
            new NumberConsumer());
        hub.Connect(asking);
        hub.Until(() => hub.Sessions.Recording[Series.RoundTrips].CollectRest().Count > 0);
        Assert.Empty(silent.Answers);
    }

    [Fact]
    public void OpenLimit_OfAConnection_HoldsForEachByItself()
    {
        using MemoryHub hub = StartHub(out _, new HubPerfOptions { OpenLimit = 2 });
        (TalkingPeer first, TalkingPeer second) = (hub.Talk(), hub.Talk());
        for (int i = 1; i <= 3; i++)
            Ask(first, 5 + i, $"N{i}");
        Ask(second, 6, "N3");
        hub.Until(() => first.Answers.Count == 3 && second.Answers.Count == 1);
        Assert.Contains("Status 8 ClosedRecover/Suspect/TooManyItems", first.Answers.Order().Last(), StringComparison.Ordinal);
        Close(first, 6);
        Ask(first, 9, "N3");
        hub.Until(() => first.Answers.Contains("Refresh 9 Open N3"));
        Assert.Equal(1, hub.Count(Counter.RequestsRejected));
    }

    private static MemoryHub StartHub(out NumberProvider provider, HubPerfOptions? options = null)
    {
        MemoryHub hub = new(options);
        NumberProvider quiet = new() { IsUpdating = false };
        provider = quiet;
        hub.AddProvider(ProviderPort, () => quiet);
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        return hub;
    }

    private static void Ask(TalkingPeer peer, int streamId, string name, int flags = RequestFlags.Streaming,
        ushort serviceId = ServiceId) =>
        peer.Say(Wire.Encode(TalkingPeer.Request(streamId, serviceId, name, flags)));

    private static void Close(TalkingPeer peer, int streamId) =>
        peer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId }));

    // An empty field list that asks for an acknowledgement; off-stream with the item's name.
    private static void Post(TalkingPeer peer, int streamId, uint id, string? name = null, ushort serviceId = ServiceId,
        uint? sequence = null) => peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = streamId,
            Flags = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId | (name is null
            ? 0 : PostFlags.HasMsgKey) | (sequence is null ? 0 : PostFlags.HasSeqNum),
            PostId = id,
            SeqNum = sequence ?? 0,
            Key = name is null
            ? default : new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
                ServiceId = serviceId,
                Name = System.Text.Encoding.ASCII.GetBytes(name)
            },
            ContainerType = DataType.FieldList,
            Payload = [0x08, 0, 0],
        }));
}
