using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items that some of a hub's consumers receive on private streams. Over real sockets.</summary>
public class HubPrivateStreamTests : HubFormsBench
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Streams_PrivateAndCommonOfOneItem_AreBesideEachOther(bool isPrivateFirst)
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", isPrivateFirst ? Private : Streaming);
        Ask(peer, 10, "ITEM", isPrivateFirst ? Streaming : Private);
        hub.Until(() => peer.All!.Count == 2);
        Assert.Equal(["Refresh 10 Open ITEM", "Refresh 9 Open ITEM"], peer.Answers.Order());
        Assert.All(peer.Messages, message =>
            Assert.Equal(Wire.Decode(message).StreamId == 9 == isPrivateFirst, Wire.Decode(message).Has(RefreshFlags.PrivateStream)));
        hub.Until(() => hub.Hub.Count(Counter.RequestsSent) == 2);
    }

    [Fact]
    public void TwoConsumers_PrivateAndCommonIn100RandomOrders_GetAllImages()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer[] peers = [hub.TalkOfItems(), hub.TalkOfItems()];
        Random random = new(35);
        int asked = 0;
        for (int round = 0; round < 100; round++)
        {
            (int Peer, int Kind)[] order = [(0, 0), (0, 1), (1, 0), (1, 1)];
            random.Shuffle(order);
            foreach ((int who, int kind) in order)
            {
                Ask(peers[who], 100 + kind, $"ITEM{round % 3}", kind == 0 ? Streaming : Private);
                asked++;
                if (random.Next(3) == 0) // some wait for their image, others do not
                    hub.Until(() => peers.Sum(peer => peer.Answers.Count) == asked);
            }

            hub.Until(() => peers.Sum(peer => peer.Answers.Count) == asked);
            random.Shuffle(order);
            foreach ((int who, int kind) in order)
                peers[who].Say(Wire.Encode(Wire.Empty(MsgClass.Close, DomainType.MarketPrice, 100 + kind)));
        }

        Assert.All(peers.SelectMany(peer => peer.Messages), message => Assert.Equal(
            (MsgClass.Refresh, DataState.Ok, Wire.Decode(message).StreamId == 101),
            (Wire.Decode(message).MsgClass, Wire.Decode(message).State.DataState, Wire.Decode(message).Has(RefreshFlags.PrivateStream))));
        Assert.Equal((400, 0L), (asked, hub.Hub.Count(Counter.RequestsRejected)));
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 0 && hub.Hub.Read(HubGauge.Items) == 0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void PrivateStream_OfAPublishedItem_HasItsImageStatusAndAcks(bool isPrivateFirst)
    {
        using SocketHub hub = new(options: new HubPerfOptions { Services = [new OwnService("POSTED", Id)] });
        (TalkingPeer own, TalkingPeer common) = (hub.TalkOfItems(), hub.TalkOfItems());
        if (!isPrivateFirst)
            Ask(common, 9, "ITEM", Streaming);
        hub.Until(() => isPrivateFirst || common.All!.Count == 1);
        Ask(own, 9, "ITEM", Private, new FieldView(22));
        hub.Until(() => own.All!.Count == 1);
        if (isPrivateFirst)
            Ask(common, 9, "ITEM", Streaming);
        hub.Until(() => common.All!.Count == 1);
        hub.Until(() => hub.Hub.Read(HubGauge.Items) == 1 && hub.Hub.Read(HubGauge.Watchers) == 2);
        Post(own, 9, 5, MsgClass.Update);
        Post(own, 9, 6, MsgClass.Status);
        Post(own, 9, 7, MsgClass.Refresh);
        hub.Until(() => own.All!.Count == 7 && common.All!.Count == 4);
        Assert.Equal(["Refresh 9 Open ITEM private", "Ack 9 5 private", "Status 9 Open/Ok/None private", "Ack 9 6 private",
            "Refresh 9 Open  private", "Ack 9 7 private"],
            own.Answers.Zip(own.Messages, (answer, message) => $"{answer} {(IsPrivate(message) ? "private" : "common")}"));
        Assert.All(common.Messages, message => Assert.False(IsPrivate(message)));
        Assert.Equal("22", string.Join(',', Fields(own.All!.First(message => Wire.Decode(message).MsgClass == MsgClass.Update))));
    }

    [Fact]
    public void Refusals_OfPrivateStreams_SayThatTheyAre()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source, new HubPerfOptions { OpenLimit = 1 });
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", Private);
        hub.Until(() => peer.All!.Count == 1);
        Ask(peer, 9, "OTHER", Private); // the stream is in use
        Ask(peer, 10, "ITEM", Private); // the limit
        Ask(peer, 11, "ITEM", Private, serviceId: 99);
        hub.Until(() => peer.All!.Count == 4);
        Assert.All(peer.Messages.Skip(1), message => Assert.True(IsPrivate(message)));
        Assert.All(peer.Answers.Skip(1), answer => Assert.StartsWith("Status", answer, StringComparison.Ordinal));
    }

    [Fact]
    public void Reissue_ThatMakesAStreamPrivate_IsAnsweredAsOne()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", Streaming);
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        Ask(peer, 9, "ITEM", Private);
        Ask(peer, 9, "ITEM", Streaming); // never taken back
        hub.Until(() => peer.All!.Count == 3);
        Assert.Equal([false, true, true], peer.Messages.Select(IsPrivate));
        source.Send(22);
        hub.Until(() => peer.Updates == 1);
    }

    [Fact]
    public void Source_Gone_SaysSoToEachStreamAsItIs()
    {
        List<ProviderSession> sessions = [];
        using SocketHub hub = new(() =>
        {
            sessions.Add(new ProviderSession(FieldProvider.Options, new FieldProvider()));
            return sessions[^1];
        });
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", Streaming, new FieldView(22));
        Ask(peer, 10, "ITEM", Private);
        hub.Until(() => peer.All!.Count == 2);
        sessions[0].Channel.Abort("the test ends it");
        hub.Until(() => peer.All!.Count == 6);
        Assert.Equal(["Refresh 9 Open ITEM", "Status 9 Open/Suspect/None \"the source is gone\"", "Refresh 9 Open ITEM"],
            peer.Answers.Where(answer => answer.Contains(" 9 ", StringComparison.Ordinal)));
        Assert.All(peer.Messages, message => Assert.Equal(Wire.Decode(message).StreamId == 10, IsPrivate(message)));
    }

    [Fact]
    public void Close_OfSeveralStreams_EndsEach()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        for (int i = 0; i < 5; i++)
            Ask(peer, 10 + i, $"ITEM{i}", i % 2 == 0 ? Streaming : Private, i == 2 ? new FieldView(22) : null);
        hub.Until(() => peer.All!.Count == 5);
        peer.Say(Wire.Encode(room => BatchClose.Encode(room, DomainType.MarketPrice, 10, 11, 12, 14, 77)));
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 1 && source.Closes == 4);
        hub.Until(() => hub.Hub.Count(Counter.ClosesReceived) == 5);
        Ask(peer, 10, "ITEM0", Streaming);
        hub.Until(() => peer.All!.Count == 6);
        Assert.Equal("Refresh 10 Open ITEM0", peer.Answers[^1]);
    }
}
