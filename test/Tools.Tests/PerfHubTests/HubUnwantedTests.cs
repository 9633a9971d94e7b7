using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Memory;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Items without a watcher are removed: names without an image at once, images of publishers that left after a while.</summary>
public class HubUnwantedTests
{
    private const ushort ServiceId = 1;
    private static readonly byte[] Fields = HostileMessages.List(1, 3);

    [Theory]
    [InlineData("-uncached image")]
    [InlineData("-uncached status")]
    public void Names_ThatNobodyPublished_GoWithTheirLastWatcher(string options)
    {
        using MemoryHub hub = new(OptionLines.Accept(HubPerfOptionTable.Instance, options));
        hub.Talk(asPublisher: true).Say(HostileMessages.Directory(HostileMessages.Services(ServiceId, 1)));
        hub.Until(() => hub.Services.Find(ServiceId) is not null);
        TalkingPeer[] peers = [hub.Talk(), hub.Talk()];
        for (int i = 0; i < 500; i++)
        {
            Array.ForEach(peers, peer => Ask(peer, 10 + i, $"N{i}"));
            hub.Turn();
        }

        hub.Until(() => hub.Read(HubGauge.Watchers) == 1_000);
        Assert.Equal(500, hub.Read(HubGauge.Items));
        for (int i = 0; i < 500; i++)
            Close(peers[0], 10 + i);
        hub.Until(() => hub.Read(HubGauge.Watchers) == 500);
        Assert.Equal(500, hub.Read(HubGauge.Items));
        peers[1].Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Items) == 0);
        Assert.Equal(0, hub.Read(HubGauge.ItemBytes));
    }

    [Fact]
    public void Names_PostedToWhereNobodyPublishes_GoAfterAWhile()
    {
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)], KeepImagesSeconds = 5 });
        TalkingPeer peer = hub.Talk();
        for (int i = 0; i < 50; i++)
            Ask(peer, 10 + i, $"N{i}");
        hub.Until(() => peer.Answers.Count == 50);
        for (int i = 0; i < 50; i += 2)
            Post(peer, 10 + i);

        hub.Until(() => hub.Count(Counter.PostsReflected) == 25 && hub.Read(HubGauge.Items) == 50);
        peer.Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Items) == 25);
        hub.Pass(4 * Clock.NanosPerSecond);
        hub.Turns(5);
        Assert.Equal(25, hub.Read(HubGauge.Items));
        hub.Pass(Clock.NanosPerSecond);
        hub.Until(() => hub.Read(HubGauge.Items) == 0);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(60)]
    public void Images_OfAPublisherThatLeft_AreKeptForSoLong(int seconds)
    {
        const int Items = 2_000;
        using MemoryHub hub = new(new HubPerfOptions { KeepImagesSeconds = seconds });
        TalkingPeer publisher = Publish(hub, Items);
        hub.Until(() => hub.Read(HubGauge.Items) == Items);
        TalkingPeer consumer = hub.Talk();
        Ask(consumer, 6, "N7");
        hub.Until(() => consumer.Answers.Count == 1);
        long left = hub.NowNanos;
        publisher.Worker.RequestEnd();
        hub.Until(() => consumer.Answers.Count == 2);
        Assert.Equal("Status 6 Open/Suspect/None \"the source is gone\"", consumer.Answers[1]);
        if (seconds > 0)
        {
            hub.Turns(50);
            Ask(consumer, 8, "N9"); // the image is there still
            hub.Until(() => consumer.Answers.Count == 3);
            Assert.Equal(DataState.Suspect, consumer.Last(MsgClass.Refresh).State.DataState);
            Close(consumer, 8);
            hub.Pass(left + (seconds * Clock.NanosPerSecond) - hub.NowNanos - (10 * MemoryHub.TurnNanos));
            hub.Turns(5);
            Assert.Equal(Items, hub.Read(HubGauge.Items));
        }

        hub.Until(() => hub.Read(HubGauge.Items) == 1); // which is watched
        hub.Pass(100 * Clock.NanosPerSecond);
        hub.Turns(5);
        Assert.Equal(1, hub.Read(HubGauge.Items));
        Close(consumer, 6);
        hub.Until(() => hub.Read(HubGauge.Items) == 0);
        Assert.Equal(0, hub.Read(HubGauge.ItemBytes));
    }

    [Fact]
    public void Images_PublishedAgainInTime_Stay()
    {
        using MemoryHub hub = new();
        for (int round = 0; round < 4; round++)
        {
            TalkingPeer publisher = Publish(hub, 300);
            hub.Until(() => hub.Read(HubGauge.Sources) == 1 && hub.Services.Find("S1") is { Offer.IsUp: true });
            hub.Turns(20);
            publisher.Worker.RequestEnd();
            hub.Until(() => hub.Read(HubGauge.Sources) == 0);
            hub.Pass(50 * Clock.NanosPerSecond);
            hub.Turns(10);
            Assert.Equal(300, hub.Read(HubGauge.Items));
        }

        hub.Pass(11 * Clock.NanosPerSecond);
        hub.Until(() => hub.Read(HubGauge.Items) == 0);
    }

    [Theory]
    [InlineData("-openLimit 100", 100)]
    [InlineData("-openLimit 1000000", 1_500)]
    public void Publisher_OfMoreItemsThanMayBeOpen_HasTheRestRefused(string options, int kept)
    {
        using MemoryHub hub = new(OptionLines.Accept(HubPerfOptionTable.Instance, options), sourceThreads: 2);
        TalkingPeer publisher = Publish(hub, 1_500);
        hub.Until(() => hub.Count(HubCounter.ImagesRefused) == 1_500 - kept && hub.Read(HubGauge.Items) == kept);
        Assert.Equal(kept < 1_500 ? 1 : 0, hub.TakeNotices().Count(notice => notice.Contains("more items than the limit of 100", StringComparison.Ordinal)));
        if (kept == 1_500)
            return;
        publisher.Say(HostileMessages.End(-6)); // one place is free again
        publisher.Say(HostileMessages.Image(-9_000, ServiceId, "ANOTHER", Fields));
        publisher.Say(HostileMessages.Image(-9_001, ServiceId, "ONE MORE", Fields));
        hub.Until(() => hub.Count(HubCounter.ImagesRefused) == 1_500 - kept + 1);
        hub.Until(() => hub.Read(HubGauge.Items) == kept);
    }

    [Fact]
    public void Names_OfAConnection_TakeSoMuchAndNoMore()
    {
        ItemNames names = new();
        int added = 0;
        while (names.TryAdd(255))
            added++;
        Assert.Equal(ItemNames.MaxBytes / 255, added);
        names.Remove(255);
        Assert.True(names.TryAdd(1)); // takes as much as one of 16 bytes
        Assert.Equal((added - 1) * 255 + 16, names.KeptBytes);
        Assert.True(names.TryAdd(200));
        Assert.False(names.TryAdd(255));

        PublishedStreams streams = new(openLimit: int.MaxValue);
        string name = new('N', 255);
        int streamId = -1;
        while (streams.TryEnter(Wire.Decode(HostileMessages.Image(streamId, ServiceId, name, Fields)), new(1), null))
            streamId--;
        Assert.Equal(ItemNames.MaxBytes / 255, -streamId - 1);
        Assert.InRange(streams.KeptBytes, ItemNames.MaxBytes, long.MaxValue);
        streams.Remove(-1);
        Assert.True(streams.TryEnter(Wire.Decode(HostileMessages.Image(streamId, ServiceId, name, Fields)), new(1), null));
    }

    [Fact]
    public void Consumer_OfLongNames_HasThoseBeyondItsRoomRejected()
    {
        const int Long = 255, Enough = ItemNames.MaxBytes / Long;
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)], MaxQueueBytes = 64 << 20 });
        TalkingPeer peer = hub.Talk();
        for (int i = 0; i < Enough + 5; i++)
        {
            Ask(peer, 10 + i, $"{i}".PadLeft(Long, '0'));
            if (i % 500 == 0)
                hub.Turn();
        }

        hub.Until(() => hub.Count(Counter.RequestsRejected) == 5 && hub.Read(HubGauge.Watchers) == Enough, () => $"{hub.Read(HubGauge.Watchers)}");
        Close(peer, 10);
        Ask(peer, 9_999_999, "".PadLeft(Long, 'X'));
        hub.Until(() => peer.Answers.Contains($"Refresh 9999999 Open {"".PadLeft(Long, 'X')}"));
        Assert.Equal(5, hub.Count(Counter.RequestsRejected));
    }

    [Fact]
    public void Item_OfTwoPublishers_EndsWithTheLast()
    {
        using MemoryHub hub = new();
        (TalkingPeer first, TalkingPeer second) = (Publish(hub, 1), Publish(hub, 1));
        hub.Until(() => hub.Read(HubGauge.Items) == 1 && hub.Count(Counter.RefreshesReceived) == 2);
        TalkingPeer consumer = hub.Talk();
        Ask(consumer, 6, "N1");
        hub.Until(() => consumer.Answers.Count == 1);
        first.Say(HostileMessages.End(-6));
        first.Say(HostileMessages.Update(-6, Fields)); // for nothing
        second.Say(HostileMessages.Update(-6, Fields));
        hub.Until(() => consumer.Updates == 1 && hub.Count(Counter.MessagesDropped) == 1);
        Assert.Single(consumer.Answers);

        second.Say(HostileMessages.End(-6));
        hub.Until(() => consumer.Answers.Count == 2 && hub.Read(HubGauge.Items) == 0);
        Assert.StartsWith("Status 6 Closed/Suspect", consumer.Answers[1], StringComparison.Ordinal);
        Assert.Equal(0, hub.Read(HubGauge.Watchers));

        first.Say(HostileMessages.Image(-6, ServiceId, "N1", Fields)); // anew
        hub.Until(() => hub.Read(HubGauge.Items) == 1);
        Ask(consumer, 7, "N1");
        hub.Until(() => consumer.Answers.Contains("Refresh 7 Open N1"));
        first.Say(HostileMessages.Update(-6, Fields));
        hub.Until(() => consumer.Updates == 2);
    }

    [Fact]
    public void Item_OfTwoStreamsOfOnePublisher_EndsWithBoth()
    {
        using MemoryHub hub = new();
        TalkingPeer publisher = Publish(hub, 1);
        publisher.Say(HostileMessages.Image(-9, ServiceId, "N1", Fields));
        publisher.Say(HostileMessages.End(-9));
        publisher.Say(HostileMessages.Update(-6, Fields));
        hub.Until(() => hub.Count(HubCounter.UpdatesReceived) == 1);
        Assert.Equal(1, hub.Read(HubGauge.Items));
        publisher.Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Sources) == 0);
        hub.Pass(61 * Clock.NanosPerSecond);
        hub.Until(() => hub.Read(HubGauge.Items) == 0);
    }

    [Fact]
    public void UnwantedItems_ThatAreWantedAgain_KeepTheirPlaceOnce()
    {
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
        ItemTable table = new();
        ServiceItems service = new(new() { Offer = new() { Name = "S", Id = 1 }, Dictionary = new(FieldDictionary.Default) }, new NoSource());
        CachedItem item = new(table, service, [1], DomainType.MarketPrice) { Terms = new() { IsShared = true } };
        item.Image.Exists = true;
        UnwantedItems unwanted = new(keepNanos: 100);
        Assert.Equal(long.MaxValue, unwanted.NextDueNanos);
        for (int round = 0; round < 10; round++)
        {
            item.LeftNanos = round * 50;
            Assert.True(unwanted.TryKeep(item, round * 50));
            Assert.Equal(1, unwanted.Count);
        }

        Assert.Equal(100, unwanted.NextDueNanos);
        Assert.False(unwanted.TryDequeueDue(99, out _));
        Assert.True(unwanted.TryDequeueDue(549, out CachedItem? due) && due is null); // given more time
        Assert.Equal(550, unwanted.NextDueNanos);
        item.Publishers = 1;
        Assert.True(unwanted.TryDequeueDue(550, out due) && due is null); // wanted
        item.Publishers = 0;
        Assert.False(unwanted.TryKeep(item, 550));
        Assert.Equal(0, unwanted.Count);
    }

    private static TalkingPeer Publish(MemoryHub hub, int items)
    {
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        publisher.Say(HostileMessages.Directory(HostileMessages.Services(ServiceId, 1)));
        for (int i = 1; i <= items; i++)
            publisher.Say(HostileMessages.Image(-5 - i, ServiceId, $"N{i}", Fields));
        return publisher;
    }

    private static void Ask(TalkingPeer peer, int streamId, string name) => peer.Say(Wire.Encode(TalkingPeer.Request(streamId, ServiceId, name)));

    private static void Close(TalkingPeer peer, int streamId) =>
        peer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId }));

    private static void Post(TalkingPeer peer, int streamId) => peer.Say(Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Post,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = PostFlags.PostComplete,
        ContainerType = DataType.FieldList,
        Payload = Fields,
    }));
}
