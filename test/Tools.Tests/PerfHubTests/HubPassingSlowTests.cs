using System.Text;
using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfHub.Consumers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A slow consumer of an item of which the hub keeps no fields: nothing can be merged, so updates are dropped and counted.</summary>
public class HubPassingSlowTests
{
    private const DomainType Domain = DomainType.YieldCurve;
    private const int Stream = 9;
    private const int Port = 14_777;
    private const int Updates = 2_000;
    private static readonly string Long = new('u', 1_000);

    [Fact]
    public void Conflate_UpdatesThatFindNoRoom_AreDroppedAndAnImageIsAskedFor()
    {
        PassingProvider source = new(Domain);
        using MemoryHub hub = new(new HubPerfOptions { MaxQueueBytes = 100_000, Slow = SlowConsumerPolicy.Conflate });
        TalkingPeer peer = FallBehind(hub, source);
        hub.Resume(peer);
        hub.Until(() => source.Count(MsgClass.Request) == 2); // what was lost is in an image of the source alone
        source.Say(Image(source.StreamOf(1), "anew"));
        hub.Until(() => PayloadOf(peer.Messages[^1]) == "anew");
        source.Say(Update(source.StreamOf(0), "after"));
        ExpectAllCounted(hub, peer, sent: Updates + 1);
        Assert.Null(peer.Closed);
    }

    [Fact]
    public void Drop_UpdatesThatFindNoRoom_AreDroppedAndCounted()
    {
        PassingProvider source = new(Domain);
        using MemoryHub hub = new(new HubPerfOptions { MaxQueueBytes = 100_000, Slow = SlowConsumerPolicy.Drop });
        TalkingPeer peer = FallBehind(hub, source);
        hub.Resume(peer);
        ExpectAllCounted(hub, peer, sent: Updates);
        Assert.Equal(1, source.Count(MsgClass.Request));
        Assert.Null(peer.Closed);
    }

    private static TalkingPeer FallBehind(MemoryHub hub, PassingProvider source)
    {
        hub.AddProvider(Port, () => source);
        hub.Until(() => hub.Read(HubGauge.Sources) == 1);
        TalkingPeer peer = hub.Talk();
        RwfMsg request = TalkingPeer.Request(Stream, PassingProvider.ServiceId, "ITEM");
        request.DomainType = Domain;
        peer.Say(Wire.Encode(request));
        hub.Until(() => source.Count(MsgClass.Request) == 1);
        source.Say(Image(source.StreamOf(0), "image"));
        hub.Until(() => peer.Messages.Count > 0 && PayloadOf(peer.Messages[^1]) == "image");
        hub.Stop(peer);
        for (int i = 0; i < Updates; i++)
        {
            source.Say(Update(source.StreamOf(0), Long));
            if (i % 10 == 0)
                hub.Turn();
        }

        hub.Until(() => hub.Count(HubCounter.UpdatesDropped) > 0);
        hub.Turns(10);
        return peer;
    }

    private static void ExpectAllCounted(MemoryHub hub, TalkingPeer peer, int sent)
    {
        hub.Until(() => peer.Updates + hub.Count(HubCounter.UpdatesDropped) == sent,
            () => $"{peer.Updates} received, {hub.Count(HubCounter.UpdatesDropped)} dropped");
        Assert.InRange(peer.Updates, 1, sent - 1);
        hub.Turns(10);
        Assert.Equal(sent, peer.Updates + hub.Count(HubCounter.UpdatesDropped));
    }

    private static byte[] Image(int streamId, string payload) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = Domain,
        StreamId = streamId,
        Flags = RefreshFlags.Solicited | RefreshFlags.RefreshComplete,
        State = new RwfState(StreamState.Open, DataState.Ok),
        GroupId = [0, 0],
        ContainerType = DataType.Opaque,
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    private static byte[] Update(int streamId, string payload) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Update,
        DomainType = Domain,
        StreamId = streamId,
        ContainerType = DataType.Opaque,
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    private static string PayloadOf(byte[] message) => Encoding.ASCII.GetString(Wire.Decode(message).Payload);
}
