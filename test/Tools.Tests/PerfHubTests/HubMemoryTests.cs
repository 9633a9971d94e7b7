using HubPerf;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Memory;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// A hub whose memory is nearly used up: it reads no source until memory is free, and the largest backlog is reduced for the others.
/// </summary>
public class HubMemoryTests
{
    private const ushort ServiceId = 1;
    private static readonly byte[] Fields = HostileMessages.List(1, 200, 60);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Memory_NearlyUsedUp_TheGreatestIsClosedAndTheOthersGoOn(int sourceThreads)
    {
        bool isFull = false;
        HubMemory memory = new(() => isFull ? long.MaxValue : 0);
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = sourceThreads }, sourceThreads: Math.Max(sourceThreads, 1), memory: memory);
        HubRelief relief = new(memory, hub.Threads, TimeSpan.FromMinutes(1));
        TalkingPeer small = Publish(hub, 1, 50), great = Publish(hub, 1_000, 3_000);
        TalkingPeer consumer = hub.Talk();
        hub.Until(() => hub.Read(HubGauge.Items) == 3_050);
        consumer.Say(Wire.Encode(TalkingPeer.Request(6, ServiceId, "N7")));
        hub.Until(() => consumer.Answers.Count == 1);

        isFull = true;
        great.Say(HostileMessages.Image(-100_000, ServiceId, "ANOTHER", new byte[3]));
        for (int i = 0; i < 100; i++)
            great.Say(HostileMessages.Image(-200_000 - i, ServiceId, $"MORE{i}", HostileMessages.List(1, 250, 250)));
        hub.Until(() => memory.IsTight);
        hub.Turns(20);
        Assert.True(relief.IsWanted);
        long items = hub.Read(HubGauge.Items);
        small.Say(HostileMessages.Update(-1 - 7, Fields));
        hub.Turns(50);
        Assert.Equal((items, 0), (hub.Read(HubGauge.Items), consumer.Updates)); // nothing is read
        Assert.True(relief.TryMakeRoom(hub.NowNanos));
        hub.Turns(5);
        MakeRoom(hub, relief);
        isFull = false;
        hub.Until(() => great.Closed is not null);
        relief.End(hasRoom: true);

        hub.Until(() => hub.Read(HubGauge.Items) == 50 && consumer.Updates == 1);
        Assert.Equal((1L, 1L), (hub.Count(HubCounter.ConnectionsOverShare), hub.Read(HubGauge.Sources)));
        Assert.Single(hub.TakeNotices(), notice => notice.Contains("closed: memory is nearly used up", StringComparison.Ordinal));
        Assert.Null(consumer.Closed);
        Assert.Null(small.Closed);
        Assert.False(memory.IsTight);
    }

    [Fact]
    public void Memory_NearlyUsedUpByAConsumer_ItIsTheOneThatIsClosed()
    {
        HubMemory memory = new(() => 0);
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)], MaxQueueBytes = 64 << 20 }, memory: memory);
        HubRelief relief = new(memory, hub.Threads, TimeSpan.FromMinutes(1));
        TalkingPeer[] peers = [hub.Talk(), hub.Talk(), hub.Talk()];
        for (int peer = 0; peer < peers.Length; peer++)
        {
            for (int i = 0; i < 100 + (peer % 2 * 5_000); i++)
            {
                peers[peer].Say(Wire.Encode(TalkingPeer.Request(10 + i, ServiceId, $"P{peer} {i}")));
                if (i % 500 == 0)
                    hub.Turn();
            }
        }

        hub.Until(() => hub.Read(HubGauge.Items) == 5_300);
        Assert.True(relief.TryMakeRoom(hub.NowNanos));
        long now = hub.NowNanos;
        MakeRoom(hub, relief);
        hub.Until(() => peers[1].Closed is not null && hub.Read(HubGauge.Items) == 200);
        Assert.True(relief.TryMakeRoom(now + Clock.NanosPerSecond)); // what it had is being given back
        Assert.Equal([false, true, false], peers.Select(peer => peer.Closed is not null));
        relief.End(hasRoom: true);
    }

    [Fact]
    public void Memory_UsedUpByTheOnlyConnection_IsNotToBeHad()
    {
        HubMemory memory = new(() => 0);
        using MemoryHub hub = new(memory: memory);
        HubRelief relief = new(memory, hub.Threads, TimeSpan.FromMinutes(1));
        TalkingPeer publisher = Publish(hub, 1, 100);
        hub.Until(() => hub.Read(HubGauge.Items) == 100);
        Assert.True(relief.TryMakeRoom(hub.NowNanos));
        Assert.False(Find(hub, relief));
        relief.End(hasRoom: false);
        Assert.False(memory.IsTight);
        publisher.Say(HostileMessages.Image(-90_000, ServiceId, "ANOTHER", Fields));
        hub.Until(() => hub.Read(HubGauge.Items) == 101);
    }

    [Fact]
    public void Memory_NearlyUsedUp_ImagesThatNobodyWantsGoFirst()
    {
        HubMemory memory = new(() => 0);
        using MemoryHub hub = new(memory: memory);
        HubRelief relief = new(memory, hub.Threads, TimeSpan.FromMinutes(1));
        TalkingPeer gone = Publish(hub, 1, 1_000);
        hub.Until(() => hub.Read(HubGauge.Items) == 1_000);
        gone.Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Sources) == 0);
        hub.Turns(50);
        Assert.Equal(1_000, hub.Read(HubGauge.Items));
        Assert.True(relief.TryMakeRoom(hub.NowNanos));
        hub.Until(() => hub.Read(HubGauge.Items) == 0);
        relief.End(hasRoom: true);
    }

    [Fact]
    public void Run_ThatEndsForMemory_KeepsNothingFurtherAndCountsWhatComes()
    {
        HubMemory memory = new(() => 0);
        using MemoryHub hub = new(memory: memory);
        TalkingPeer publisher = Publish(hub, 1, 10);
        hub.Until(() => hub.Read(HubGauge.Items) == 10);
        memory.End();
        for (int i = 0; i < 500; i++)
            publisher.Say(HostileMessages.Image(-90_000 - i, ServiceId, $"MORE{i}", Fields));
        publisher.Say(HostileMessages.Image(-6, ServiceId, "N1", Fields));
        hub.Until(() => hub.Count(Counter.MessagesDropped) == 501);
        Assert.Equal(10, hub.Read(HubGauge.Items));
        hub.End();
    }

    // The hub's threads have no turns but ours, so that one asks and the other turns.
    private static void MakeRoom(MemoryHub hub, HubRelief relief) => Assert.True(Find(hub, relief));

    private static bool Find(MemoryHub hub, HubRelief relief)
    {
        Task<bool> asking = Task.Run(() => relief.TryMakeRoom(hub.NowNanos), TestContext.Current.CancellationToken);
        hub.Until(() => asking.IsCompleted);
        return asking.Result;
    }

    private static TalkingPeer Publish(MemoryHub hub, int first, int items)
    {
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        publisher.Say(HostileMessages.Directory(HostileMessages.Services(ServiceId, 1)));
        for (int i = first; i < first + items; i++)
        {
            publisher.Say(HostileMessages.Image(-1 - i, ServiceId, $"N{i}", Fields));
            if (i % 200 == 0)
                hub.Turn();
        }

        return publisher;
    }
}
