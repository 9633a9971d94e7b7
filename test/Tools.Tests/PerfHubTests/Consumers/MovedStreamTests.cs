using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfHub.Counting;
using Tools.Tests.PerfHubTests.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>A stream that is closed, and requested anew, while its item moves it to a private form.</summary>
[Trait("Category", "Fast")]
public sealed class MovedStreamTests
{
    private const ushort FirstId = 7, SecondId = 8;
    private const int Private = RequestFlags.Streaming | RequestFlags.PrivateStream;

    /// <summary>The id of the login stream may be that of an item, too: it is another stream.</summary>
    [Theory]
    [InlineData(StreamIds.Login)]
    [InlineData(20)]
    public void Stream_ClosedMeanwhile_IsNotWatched(int streamId)
    {
        using ConsumerBench bench = new();
        (TalkingPeer peer, TalkingPeer other) = (bench.Talk(), bench.Talk());
        bench.Ask(other, 30, "FIRST"); // the item of the first slot
        bench.Ask(other, 31, "A");
        bench.Ask(peer, streamId, "A");
        bench.DeliverImage("FIRST");
        bench.DeliverImage("A");
        peer.Say(Wire.Encode(TalkingPeer.Request(streamId, ConsumerBench.FeedId, "A", Private)));
        ConsumerBench.SendClose(peer, streamId);
        bench.Settle();
        Assert.Equal(2, bench.Hub.Read(HubGauge.Watchers));
        bench.DeliverUpdate("FIRST");
        bench.DeliverUpdate("A");
        Assert.Equal((0, 2), (peer.Updates, other.Updates));
        bench.Close(other, 30);
        bench.Close(other, 31);
        Assert.Equal((0, 0), (bench.Hub.Read(HubGauge.Watchers), bench.Hub.Read(HubGauge.Items)));
    }

    /// <summary>The stream has an item of another source thread when the first one answers late.</summary>
    [Fact]
    public void Stream_WithAnItemOfAnotherThreadMeanwhile_StaysWithIt()
    {
        using MemoryHub hub = new(new HubPerfOptions { SessionThreads = 1, SourceThreads = 2 }, sourceThreads: 2);
        ScriptedProvider first = new(("FIRST", FirstId)), second = new(("SECOND", SecondId));
        hub.AddProvider(201, () => first);
        hub.AddProvider(202, () => second);
        hub.Until(() => hub.Read(HubGauge.Sources) == 2);
        TalkingPeer peer = hub.Talk();
        Say(20, FirstId, "A");
        Say(21, FirstId, "B"); // so that the form of the item is in a slot that the other thread lacks
        hub.Until(() => first.Received.Count == 2);
        first.SayImage(6, 1);
        first.SayImage(7, 1);
        hub.Until(() => peer.Answers.Count == 2);

        hub.Stop(hub.SourceWorkers[0]);
        Say(20, FirstId, "A", Private);
        Say(21, FirstId, "B", Private);
        foreach (int streamId in (int[])[20, 21])
        {
            ConsumerBench.SendClose(peer, streamId);
            Say(streamId, SecondId, $"C{streamId}");
        }

        hub.Until(() => second.Received.Count == 2);
        second.SayImage(6, 2);
        second.SayImage(7, 2);
        hub.Until(() => peer.Answers.Count == 4);
        hub.Resume(hub.SourceWorkers[0]);
        hub.Turns(20);
        second.SayUpdate(6, 3);
        second.SayUpdate(7, 3);
        first.SayUpdate(6, 3);
        hub.Turns(20);
        Assert.Equal((2, 4), (peer.Updates, peer.Answers.Count));
        Assert.Equal(2, hub.Read(HubGauge.Watchers));
        foreach (int streamId in (int[])[20, 21])
            ConsumerBench.SendClose(peer, streamId);
        hub.Until(() => hub.Read(HubGauge.Watchers) == 0 && hub.Read(HubGauge.Items) == 0);

        void Say(int streamId, ushort serviceId, string name, int flags = RequestFlags.Streaming) =>
            peer.Say(Wire.Encode(TalkingPeer.Request(streamId, serviceId, name, flags)));
    }
}
