using HubPerf;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfHub.Consumers;
using PerfHub.Counting;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// The memory of the process before and after the items that consumers and publishers make a hub keep: no other test runs meanwhile.
/// </summary>
[Collection(MemoryRuns.Name)]
public class HubKeptMemoryTests
{
    private const int ProviderPort = 201;
    private const ushort ServiceId = 1;
    private static readonly byte[] Fields = HostileMessages.List(1, 200, 60);

    [Fact]
    public void Posts_OfEverNewFields_KeepWhatAnItemMayAndGoWithTheirConsumer()
    {
        const long MaxBytes = 64 << 20;
        using MemoryHub hub = new(new HubPerfOptions
        {
            Services = [new OwnService("POSTED", ServiceId)],
            Slow = SlowConsumerPolicy.Conflate,
            MaxQueueBytes = 128 * 1024,
            KeepImagesSeconds = 0
        });
        TalkingPeer sleeper = hub.Talk();
        TalkingPeer poster = hub.Talk();
        for (int i = 0; i < 40; i++)
        {
            Ask(sleeper, 10 + i, $"N{i}");
            Ask(poster, 10 + i, $"N{i}");
        }

        hub.Until(() => hub.Read(HubGauge.Watchers) == 80);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        hub.Stop(sleeper);
        for (int round = 0; round < 60; round++)
        {
            for (int i = 0; i < 40; i++)
                poster.Say(HostileMessages.Post(10 + i, HostileMessages.List(-32_000 + (round * 1_000) + i, 900)));
            hub.Turns(3);
        }

        Assert.InRange(hub.Count(HubCounter.FieldsNotKept), 1_000_000, long.MaxValue);
        Assert.InRange(hub.Read(HubGauge.ItemBytes), 1, 40 * 64 * 1_024);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, MaxBytes);
        hub.Resume(sleeper);
        sleeper.Worker.RequestEnd();
        poster.Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Items) == 0 && hub.Read(HubGauge.Consumers) == 0);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, MaxBytes / 2);
    }

    [Fact]
    public void ConflatedUpdates_OfStreamsThatComeAndGo_LeaveNothingBehind()
    {
        ConflatedUpdates waiting = new(new(), maxBytes: 1 << 20);
        byte[] update = HostileMessages.Update(1, HostileMessages.List(1, 3));
        waiting.Add(1, update, out _);
        long before = 0;
        for (int i = 0; i < 600_000; i++)
        {
            if (i == 100_000) // once the process itself has settled
                before = GC.GetTotalMemory(forceFullCollection: true);
            waiting.Add(2 + (i % 5), update, out _);
            Assert.True(waiting.Remove(2 + (i % 5)));
        }

        // four bytes for each of 500,000 would be 2,000,000; the process takes some 30,000 for itself on a busy machine
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 100_000);
        Assert.True(waiting.TryPeek(out int first) && first == 1);
    }

    [Fact]
    public void Throttled_ItemAskedForOverAndOver_HasOnePlaceInTime()
    {
        using MemoryHub hub = new(new HubPerfOptions { ThrottleSeconds = 60 });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        TalkingPeer peer = hub.Talk();
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        Ask(peer, 6, "N1");
        hub.Until(() => peer.Answers.Count == 1);
        long before = 0;
        for (int i = 0; i < 12_000; i++)
        {
            if (i == 1_000)
                before = GC.GetTotalMemory(forceFullCollection: true);
            Ask(peer, 6, "N1");
            hub.Turn();
            peer.Messages.Clear(); // as they come, or the lists of the test itself would grow
            peer.Answers.Clear();
        }

        // ten bytes for each of 11,000 would be 110,000
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 100_000);
    }

    [Fact]
    public void Watchers_OfManyItems_GiveBackWhatTheyTook()
    {
        Watchers watchers = new();
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int round = 0; round < 2; round++)
        {
            for (int slot = 0; slot < 200_000; slot++)
                Assert.Equal(0, watchers.Add(slot, Watcher.Of(1, slot, waits: false)));
            for (int slot = 0; slot < 200_000; slot++)
                Assert.False(watchers.TryRemove(slot, 0, out _));
        }

        Assert.Equal(0, watchers.Count);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 200_000);
        for (int i = 0; i < 10_000; i++)
            watchers.Add(7, Watcher.Of(i, 1, waits: false));
        for (int i = 10_000; i > 10; i--)
            watchers.TryRemove(7, 0, out _);
        Assert.Equal(10, watchers.Of(7).Length);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 200_000);
    }

    [Fact]
    public void Items_ManyThatGo_GiveTheirMemoryBack()
    {
        const int Items = 20_000;
        using MemoryHub hub = new(new HubPerfOptions { KeepImagesSeconds = 0 });
        long before = 0;
        for (int round = 0; round < 2; round++)
        {
            TalkingPeer publisher = hub.Talk(asPublisher: true);
            publisher.Say(HostileMessages.Directory(HostileMessages.Services(ServiceId, 1)));
            if (round == 0)
                before = GC.GetTotalMemory(forceFullCollection: true);
            for (int i = 0; i < Items; i++)
            {
                publisher.Say(HostileMessages.Image(-6 - i, ServiceId, $"N{i}", Fields));
                if (i % 200 == 0)
                    hub.Turn();
            }

            hub.Until(() => hub.Read(HubGauge.Items) == Items);
            Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, 230_000_000, long.MaxValue);
            publisher.Worker.RequestEnd();
            hub.Until(() => hub.Read(HubGauge.Items) == 0);
            hub.Turns(Items / 256 * 4);
        }

        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 32 << 20);
    }

    private static void Ask(TalkingPeer peer, int streamId, string name) => peer.Say(Wire.Encode(TalkingPeer.Request(streamId, ServiceId, name)));
}
