using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Consumers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items of which some of a hub's consumers receive some of the fields. Over real sockets.</summary>
public class HubViewTests : HubFormsBench
{
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
        Assert.Equal(Updates, hub.Hub.Sources[0].Recording.Counters[HubCounter.UpdatesCopied]); // one more than came, for each
        Assert.Equal((9 - 2) * Updates, hub.Hub.Sessions[0].Recording.Counters[HubCounter.UpdatesCopied]);
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
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 1 && hub.Hub.Read(HubGauge.Items) == 1);
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
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 1);
        peer.Say(Wire.Encode(Wire.Empty(MsgClass.Close, DomainType.MarketPrice, 9)));
        hub.Until(() => source.Closes == 1 && hub.Hub.Read(HubGauge.Items) == 0 && hub.Hub.Read(HubGauge.Watchers) == 0);
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
        using SocketHub hub = Start(source, new HubPerfOptions { ThrottleSeconds = 2 });
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, "ITEM", Streaming, new FieldView(22, 30));
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        source.Send(22);
        source.Send(25);
        source.Send(30);
        hub.Until(() => hub.Hub.Count(HubCounter.UpdatesThrottled) > 0 && peer.All!.Count == 3);
        Assert.Equal(["22", "30"], peer.All!.Skip(1).Select(message => string.Join(',', Fields(message))));
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
}
