using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Consumers;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items of which some of a hub's consumers receive a part: some of the fields, or all on private streams. Over real sockets.</summary>
public class HubFormsTests
{
    private const ushort Id = PassingProvider.ServiceId;
    private const int Streaming = RequestFlags.Streaming;
    private const int Private = RequestFlags.Streaming | RequestFlags.PrivateStream;

    [Fact]
    public void Login_SaysWhatTheHubTakes()
    {
        using SocketHub hub = new();
        TalkingPeer peer = hub.Talk();
        LoginAttributes.TryRead(peer.Last(MsgClass.Refresh).Key, out LoginAttributes offered);
        Assert.Equal((5UL, true), (offered.SupportBatchRequests, offered.SupportViewRequests));
    }

    [Fact]
    public void View_OfSomeFields_HasTheseAndTheStampsInImageAndUpdates()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        (TalkingPeer viewer, TalkingPeer other) = (hub.TalkOfItems(), hub.TalkOfItems());
        Ask(viewer, 9, "ITEM", Streaming, new FieldView(22, 30));
        Ask(other, 9, "ITEM", Streaming);
        hub.Until(() => viewer.All!.Count == 1 && other.All!.Count == 1 && source.IsUpdating);
        Assert.Equal([22, 30, StampFields.Update], Fields(viewer.All![0]));
        Assert.Equal([22, 25, 30, StampFields.Update], Fields(other.All![0]));

        source.Send(22, 25);
        source.Send(25); // none of the view: the viewer is not sent it
        source.Send(25, StampFields.Update);
        source.Send(30, 22);
        hub.Until(() => viewer.All!.Count == 4 && other.All!.Count == 5);
        Assert.Equal(["22", "3902", "30,22"], viewer.All!.Skip(1).Select(message => string.Join(',', Fields(message))));
        Assert.Equal(["22,25", "25", "25,3902", "30,22"], other.All!.Skip(1).Select(message => string.Join(',', Fields(message))));
        hub.Until(() => hub.Hub.Count(Counter.UpdatesSent) == 7);
    }

    // From the source thread to the session thread there is a record for each distinct view, for any number of watchers.
    [Fact]
    public void Updates_OfManyWatchers_AreMadeOncePerDistinctView()
    {
        const int Updates = 10;
        FieldProvider source = new();
        using SocketHub hub = Start(source, new HubPerfOptions { SessionThreads = 1, SourceThreads = 1 });
        TalkingPeer[] peers = [.. Enumerable.Range(0, 9).Select(_ => hub.TalkOfItems())];
        FieldView[] views = [new(22, 30), new(30, 22), new(25)];
        for (int i = 0; i < peers.Length; i++)
            Ask(peers[i], 9, "ITEM", Streaming, views[i % views.Length]);
        hub.Until(() => peers.All(peer => peer.All!.Count == 1) && source.IsUpdating);
        for (int i = 0; i < Updates; i++)
            source.Send(22, 25, 30);
        hub.Until(() => peers.All(peer => peer.Updates == Updates));
        hub.Until(() => hub.Hub.Count(Counter.UpdatesSent) == Updates * peers.Length);
        Assert.Equal(Updates, hub.Hub.Sources[0].Recording.Counters[Counter.UpdatesCopied]); // one more than came, for each
        Assert.Equal((9 - 2) * Updates, hub.Hub.Sessions[0].Recording.Counters[Counter.UpdatesCopied]);
    }

    [Fact]
    public void Reissue_AnotherViewTheSameAndNone_ChangesKeepsAndRemovesIt()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", Streaming, new FieldView(22));
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        Ask(peer, 9, "ITEM", Streaming, new FieldView(25));
        hub.Until(() => peer.All!.Count == 2);
        source.Send(22);
        source.Send(25);
        hub.Until(() => peer.All!.Count == 3);

        RwfMsg same = TalkingPeer.Request(9, Id, "ITEM", Streaming | RequestFlags.HasView);
        same.ContainerType = DataType.ElementList;
        same.Payload = Wire.Elements((ref RwfWriter writer) => writer.WriteUIntElement(":ViewType"u8, 1));
        peer.Say(Wire.Encode(same));
        hub.Until(() => peer.All!.Count == 4);
        Ask(peer, 9, "ITEM", Streaming | RequestFlags.NoRefresh, new FieldView(30));
        Ask(peer, 9, "ITEM", Streaming);
        hub.Until(() => peer.All!.Count == 5);
        source.Send(22, 25, 30);
        hub.Until(() => peer.All!.Count == 6);
        Assert.Equal(["22,3902", "25,3902", "25", "25,3902", "22,25,30,3902", "22,25,30"],
            peer.All!.Select(message => string.Join(',', Fields(message))));
        hub.Until(() => hub.Hub.Read(Gauge.Watchers) == 1 && hub.Hub.Read(Gauge.Items) == 1);
        hub.Until(() => hub.Hub.Count(Counter.RequestsSent) == 1);
    }

    [Fact]
    public void Reissues_WithoutWaiting_EndWithTheLast()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", Streaming);
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        FieldView?[] views = [new(22), new(25), new(22), null, new(30), null];
        foreach (FieldView? view in views)
            Ask(peer, 9, "ITEM", Streaming, view);
        hub.Until(() => peer.All!.Count == 1 + views.Length);
        source.Send(22, 25, 30);
        hub.Until(() => peer.Updates == 1);
        Assert.Equal(["22,3902", "25,3902", "22,3902", "22,25,30,3902", "30,3902", "22,25,30,3902", "22,25,30"],
            peer.All!.Skip(1).Select(message => string.Join(',', Fields(message))));
        hub.Until(() => hub.Hub.Read(Gauge.Watchers) == 1);
        peer.Say(Wire.Encode(Wire.Empty(MsgClass.Close, DomainType.MarketPrice, 9)));
        hub.Until(() => source.Closes == 1 && hub.Hub.Read(Gauge.Items) == 0 && hub.Hub.Read(Gauge.Watchers) == 0);
    }

    [Fact]
    public void View_OfABatch_IsThatOfEachItem()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        byte[] room = new byte[512];
        RwfWriter writer = new(room);
        BatchRequest.Begin(ref writer, 30, new ServiceInfo { Id = Id }, isStreaming: true, view: new FieldView(25));
        writer.WriteItem("A"u8);
        writer.WriteItem("B"u8);
        peer.Say(room[..BatchRequest.End(ref writer)]);
        hub.Until(() => peer.All!.Count == 3);
        Assert.All(peer.Messages.Where(message => Wire.Decode(message).MsgClass == MsgClass.Refresh),
            message => Assert.Equal([25, StampFields.Update], Fields(message)));
    }

    [Fact]
    public void View_OfASnapshot_IsOfItsImage()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", 0, new FieldView(30));
        hub.Until(() => peer.All!.Count == 1);
        Assert.Equal([30, StampFields.Update], Fields(peer.All![0]));
        Assert.Equal("Refresh 9 NonStreaming ITEM", peer.Answers[0]);
    }

    [Fact]
    public void Updates_WithAThrottle_AreMergedAndThenViewed()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source, new HubPerfOptions { ThrottleSeconds = 0.05 });
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", Streaming, new FieldView(22, 30));
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        source.Send(22);
        source.Send(25);
        source.Send(30);
        hub.Until(() => hub.Hub.Count(Counter.UpdatesThrottled) > 0 && peer.All!.Count == 3);
        Assert.Equal(["22", "30"], peer.All!.Skip(1).Select(message => string.Join(',', Fields(message))));
    }

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
        hub.Until(() => hub.Hub.Read(Gauge.Watchers) == 0 && hub.Hub.Read(Gauge.Items) == 0);
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
        hub.Until(() => hub.Hub.Read(Gauge.Items) == 1 && hub.Hub.Read(Gauge.Watchers) == 2);
        Post(own, 9, 5, MsgClass.Update);
        Post(own, 9, 6, MsgClass.Status);
        Post(own, 9, 7, MsgClass.Refresh);
        hub.Until(() => own.All!.Count == 7 && common.All!.Count == 4);
        Assert.Equal(["Refresh 9 Open ITEM private", "Ack 9 5 private", "Status 9 Open/Ok/None private", "Ack 9 6 private", "Refresh 9 Open  private", "Ack 9 7 private"],
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
        hub.Until(() => hub.Hub.Read(Gauge.Watchers) == 1 && source.Closes == 4);
        hub.Until(() => hub.Hub.Count(Counter.ClosesReceived) == 5);
        Ask(peer, 10, "ITEM0", Streaming);
        hub.Until(() => peer.All!.Count == 6);
        Assert.Equal("Refresh 10 Open ITEM0", peer.Answers[^1]);
    }

    [Fact]
    public void Views_BeyondTheLimit_GetAllFields()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        for (int i = 0; i < byte.MaxValue + 1; i++)
        {
            Ask(peer, 10 + i, "ITEM", Streaming, new FieldView(22, (short)(100 + i)));
            hub.Until(() => peer.All!.Count == i + 1);
        }

        Assert.All(peer.All!.Take(byte.MaxValue), message => Assert.Equal([22, StampFields.Update], Fields(message)));
        Assert.Equal([22, 25, 30, StampFields.Update], Fields(peer.All![^1]));
    }

    [Fact]
    public void Table_OfViewsOfAllConnections_HasEachOnceWhileSomebodyHasIt()
    {
        ViewTable table = new();
        (ConnectionViews one, ConnectionViews other) = (new(table), new(table));
        byte first = one.Enter(new FieldView(1, 2));
        Assert.Equal(first, one.Enter(new FieldView(2, 1)));
        byte his = other.Enter(new FieldView(1, 2));
        byte further = other.Enter(new FieldView(3));
        Assert.Equal((one.IdOf(first), 2), (other.IdOf(his), table.Count));
        int id = one.IdOf(first);
        one.Leave(first);
        one.Leave(first);
        Assert.Equal([1, 2], table.Find(id)!.FieldIds.ToArray());
        other.Leave(his);
        other.Leave(further);
        Assert.Equal((null, 0, 0), (table.Find(id), table.Count, other.KeptBytes));
        Assert.Equal(ConnectionViews.None, one.Enter(null));
    }

    private static SocketHub Start(FieldProvider source, HubPerfOptions? options = null) =>
        new(() => new ProviderSession(FieldProvider.Options, source), options);

    private static void Ask(TalkingPeer peer, int streamId, string name, int flags, FieldView? view = null, ushort serviceId = Id) =>
        peer.Ask(streamId, serviceId, name, flags, view);

    // A message of a class in a post that asks for an acknowledgement.
    private static void Post(TalkingPeer peer, int streamId, uint id, MsgClass inner)
    {
        RwfMsg nested = Wire.Empty(inner, DomainType.MarketPrice, 0);
        nested.Flags = inner == MsgClass.Status ? StatusFlags.HasState : inner == MsgClass.Refresh ? RefreshFlags.RefreshComplete : 0;
        if (inner != MsgClass.Status)
        {
            nested.ContainerType = DataType.FieldList;
            nested.Payload = FieldProvider.List(22, 25);
        }

        peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = streamId,
            Flags = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId,
            PostId = id,
            ContainerType = DataType.Msg,
            Payload = Wire.Encode(nested),
        }));
    }

    private static bool IsPrivate(byte[] message)
    {
        RwfMsg msg = Wire.Decode(message);
        return msg.Has(ItemForms.PrivateFlagOf(msg.MsgClass));
    }

    private static List<short> Fields(byte[] message)
    {
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(Wire.Decode(message).Payload, out FieldListReader reader));
        List<short> ids = [];
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
            ids.Add(entry.FieldId);
        Assert.Equal(DecodeResult.EndOfContainer, result);
        return ids;
    }
}
