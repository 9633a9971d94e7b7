using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Consumers and publishers that send many cheap messages: the hub's memory for them is bounded, and freed with them.</summary>
public class HubFloodTests
{
    private const int ProviderPort = 201;
    private const ushort ServiceId = 1;
    private static readonly HubPerfOptions Posted = new() { Services = [new OwnService("POSTED", ServiceId)] };

    [Fact]
    public void ConflatedUpdates_OfManyItems_TakeSoMuchAndThenAreGotByImage()
    {
        ConflatedUpdates waiting = new(new(), maxBytes: 100_000);
        int kept = 0;
        for (int stream = 1; stream <= 2_000; stream++)
        {
            Conflation outcome = waiting.Add(stream, HostileMessages.Update(stream, HostileMessages.List(1, 20, 8)), out bool hadWaited);
            Assert.False(hadWaited);
            kept += outcome == Conflation.Merged ? 1 : 0;
            Assert.Equal(outcome == Conflation.Merged, waiting.Has(stream));
        }

        Assert.Equal(kept, waiting.Count);
        Assert.InRange(kept, 150, 400);
        Assert.InRange(waiting.HeldBytes, 90_000, 100_000);
        Assert.Equal(Conflation.NoRoom, waiting.Add(1, HostileMessages.Update(1, HostileMessages.List(100, 200, 8)), out bool waited));
        Assert.True(waited && !waiting.Has(1));
        while (waiting.TryPeek(out int next))
            waiting.Dequeue(next, new byte[waiting.MaxBytesOf(next)]);
        Assert.Equal((0, 0), (waiting.Count, waiting.HeldBytes));
    }

    [Fact]
    public void ImagesPutOff_OverAndOver_AreAskedForOnce()
    {
        DeferredImages images = new();
        for (int i = 0; i < 1_000; i++)
            images.Add(7, isAnswer: i == 3);
        Assert.True(images.TryDequeueNext(out int stream, out bool isAnswer));
        Assert.Equal((7, true), (stream, isAnswer));
        Assert.False(images.HasToRequest);
        images.Add(7, isAnswer: false); // it came, and found no room again
        Assert.True(images.TryDequeueNext(out _, out isAnswer) && isAnswer);
        images.Add(8, isAnswer: false);
        images.Remove(7);
        images.Remove(8);
        Assert.Equal((0, false), (images.Count, images.HasToRequest));
    }

    [Fact]
    public void Reissues_WithoutEnd_AreReadNoFasterThanTheyAreAnswered()
    {
        using MemoryHub hub = new(Posted with { MaxQueueBytes = 1 << 20, SourceThreads = 1 });
        TalkingPeer peer = hub.Talk();
        Ask(peer, 6, "N1");
        hub.Until(() => peer.Answers.Count == 1);
        peer.Say(HostileMessages.Post(6, HostileMessages.List(1, 1_000, 60)));
        hub.Until(() => peer.Updates == 1);
        hub.Stop(hub.Sources); // nothing is answered
        for (int i = 0; i < 20_000; i++)
        {
            Ask(peer, 6, "N1");
            if (i % 1_000 == 0)
                hub.Turn();
        }

        hub.Turns(50);
        Assert.InRange(hub.Count(Counter.RequestsReceived), 400, 600); // the capacity of its queue
        hub.Resume(hub.Sources);
        hub.Until(() => hub.Count(Counter.RequestsReceived) == 20_001);
        hub.Until(() => peer.Answers.Count > 2);
        Assert.InRange(hub.Sessions.Recording[Gauge.QueuedBytesMax], 0, 3 << 20);
        Assert.Equal(0, hub.Count(HubCounter.ConnectionsCut));
    }

    [Fact]
    public void Batch_OfManyItems_IsOpenedSomeInEachTurn()
    {
        const int Items = 9_000; // as many names as one list holds
        using MemoryHub hub = new(Posted with { MaxQueueBytes = 64 << 20 });
        TalkingPeer peer = hub.Talk();
        RwfMsg batch = TalkingPeer.Batch(30, ServiceId, [.. Enumerable.Range(1, Items).Select(i => $"N{i}")], out _);
        byte[] room = new byte[1 << 20];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(batch);
        writer.WriteRaw(batch.Payload);
        peer.Say(room[..writer.Written]);
        Ask(peer, 9, "BEHIND"); // is read once all are open
        hub.Until(() => hub.Read(HubGauge.Watchers) > 0);
        for (long before = 0, now; (now = hub.Read(HubGauge.Watchers)) < Items; before = now)
        {
            Assert.InRange(now - before, 0, 2_000);
            hub.Turn();
        }

        hub.Until(() => peer.Answers.Count == Items + 2);
        Assert.Equal("Status 30 Closed/NoChange/None \"Stream closed for batch\"",
            peer.Answers.First(answer => answer.StartsWith("Status", StringComparison.Ordinal)));
        Assert.Equal($"Refresh {30 + Items} Open N{Items}", peer.Answers.Last(answer => answer.EndsWith($"N{Items}", StringComparison.Ordinal)));
        Assert.Equal("Refresh 9 Open BEHIND", peer.Answers[^1]);
    }

    [Fact]
    public void Snapshots_OfAnItemThatNeverComes_GoWithThoseWhoAsked()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new SilentProvider());
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        for (int round = 0; round < 5; round++)
        {
            TalkingPeer[] peers = [hub.Talk(), hub.Talk()];
            for (int i = 0; i < 200; i++)
                Array.ForEach(peers, peer => Ask(peer, 10 + i, $"N{i}", flags: 0));
            hub.Until(() => hub.Read(HubGauge.Items) == 400); // one for each who asked
            Array.ForEach(peers, peer => Close(peer, 10));
            hub.Until(() => hub.Read(HubGauge.Items) == 398);
            peers[0].Worker.RequestEnd();
            peers[1].Worker.Dispose();
            hub.Until(() => hub.Read(HubGauge.Items) == 0);
        }

        Assert.Equal(0, hub.Read(HubGauge.ItemBytes));
    }

    [Fact]
    public void Posts_ThatASourceNeverAcknowledges_WaitSoManyAndGoWithTheirPoster()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider { IsReflecting = false, IsUpdating = false });
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        TalkingPeer watcher = hub.Talk();
        Ask(watcher, 6, "N1");
        hub.Until(() => watcher.Answers.Count == 1);
        for (int round = 0; round < 3; round++)
        {
            TalkingPeer poster = hub.Talk();
            Ask(poster, 6, "N1");
            hub.Until(() => poster.Answers.Count == 1);
            for (uint id = 0; id < PendingPosts.MaxOfConnection + 7; id++)
            {
                poster.Say(HostileMessages.Post(6, HostileMessages.List(1, 1), id));
                if (id % 500 == 0)
                    hub.Turn();
            }

            hub.Until(() => poster.Answers.Count == 1 + 7, () => $"{poster.Answers.Count}");
            poster.Worker.RequestEnd();
            hub.Until(() => hub.Read(HubGauge.Consumers) == 1);
        }
    }

    [Fact]
    public void WaitingPosts_AnyOrderOfAnswers_GiveEachToWhoPosted()
    {
        PendingPosts posts = new();
        Poster one = new(0, new StreamAddress(1, 5, 77), 3), two = new(1, new StreamAddress(1, 6, 77), 3);
        for (uint id = 0; id < 5_000; id++)
        {
            posts.Add(new PendingPost(40, DomainType.MarketPrice, id, SeqNum: null, one));
            posts.Add(new PendingPost(40, DomainType.MarketPrice, id, SeqNum: null, two));
        }

        for (uint id = 4_999; id > 0; id--) // the last first
        {
            Assert.True(posts.TryRemove(40, id, out PendingPost first) && first.Poster == one);
            Assert.True(posts.TryRemove(40, id, out PendingPost second) && second.Poster == two);
            Assert.False(posts.TryRemove(40, id, out _));
        }

        posts.Discard(consumerIndex: 0, connection: 77);
        Assert.Equal(1, posts.Count);
        Assert.Equal([two], posts.RemoveOfStream(40).Select(post => post.Poster));
        Assert.Empty(posts.RemoveOfStream(40));
        posts.Add(new PendingPost(41, DomainType.MarketPrice, 1, SeqNum: null, one));
        Assert.Single(posts.RemoveAll());
        Assert.Equal(0, posts.Count);
        Assert.False(posts.IsFullFor(one));
    }

    [Fact]
    public void LargeRecords_BesideARing_WaitSoMuchAndNoMore()
    {
        ByteRing ring = new(1 << 20);
        byte[] large = new byte[5 << 20];
        int added = 0;
        for (; ring.HasRoom() && added < 100; added++)
            ring.Add(1, added, large);
        Assert.Equal(4, added);
        Assert.True(ring.IsHalfFull());
        ring.Publish();
        for (int i = 0; i < 2; i++)
            Assert.True(ring.TryRead(out RingRecord record) && record.Length == large.Length && record.Number == i);
        ring.Release();
        Assert.True(ring.HasRoom());
        Assert.False(ring.IsHalfFull());
    }

    private static void Ask(TalkingPeer peer, int streamId, string name, int flags = RequestFlags.Streaming) =>
        peer.Say(Wire.Encode(TalkingPeer.Request(streamId, ServiceId, name, flags)));

    private static void Close(TalkingPeer peer, int streamId) =>
        peer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId }));
}
