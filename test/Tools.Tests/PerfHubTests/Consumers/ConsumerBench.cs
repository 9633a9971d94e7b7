using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Services;
using PerfHub.Upstream;
using Tools.Tests.PerfHubTests.Upstream;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>
/// A hub in memory whose source is played by the test: it sees what the source is requested, and delivers the messages of its items one by one.
/// </summary>
internal sealed class ConsumerBench : IDisposable
{
    public const ushort FeedId = 11, OwnId = 13;

    public ConsumerBench(HubPerfOptions? options = null)
    {
        Hub = new MemoryHub((options ?? new HubPerfOptions()) with { SourceThreads = 1, Services = [new OwnService("OWN", OwnId)] });
        Thread = (ConsumerThread)Hub.Sessions.Task!;
        Upstream = (UpstreamThread)Hub.Sources.Task!;
        Upstream.Add(Source);
        HubService feed = new()
        {
            Offer = new ServiceOffer { Name = "FEED", Id = FeedId },
            Owner = Source,
            Dictionary = new DictionaryProvider(FieldDictionary.Default),
        };
        Feed = Upstream.Items.Offer([feed], Source)[0]!;
    }

    public MemoryHub Hub { get; }

    public ScriptedSource Source { get; } = new();

    public ConsumerThread Thread { get; }

    public UpstreamThread Upstream { get; }

    public ServiceItems Feed { get; }

    public long this[Counter counter] => Hub.Count(counter);

    public void Dispose() => Hub.Dispose();

    /// <summary>Connects a consumer that is logged in.</summary>
    public TalkingPeer Talk()
    {
        TalkingPeer peer = Hub.Talk();
        peer.Messages.Clear();
        return peer;
    }

    /// <summary>Requests an item, and gives the threads the turns that it takes.</summary>
    public void Ask(TalkingPeer peer, int streamId, string name, int flags = RequestFlags.Streaming, ushort serviceId = FeedId)
    {
        peer.Say(Wire.Encode(TalkingPeer.Request(streamId, serviceId, name, flags)));
        Settle();
    }

    public void Close(TalkingPeer peer, int streamId)
    {
        SendClose(peer, streamId);
        Settle();
    }

    /// <summary>Sends a close; the threads get no turns for it.</summary>
    public static void SendClose(TalkingPeer peer, int streamId) =>
        peer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId }));

    /// <summary>Gives every thread the turns that a message needs on its way through them and back.</summary>
    public void Settle() => Hub.Turns(6);

    /// <summary>Finds the shared item of a name.</summary>
    public CachedItem Find(string name) => Upstream.Items.Table.Find(Feed, System.Text.Encoding.ASCII.GetBytes(name), DomainType.MarketPrice)!;

    /// <summary>Delivers an image of an item, and gives the threads their turns.</summary>
    public void DeliverImage(string name, byte value = 1, short field = 22) => Deliver(Find(name), SourceBench.Image(HostileMessages.List(field, 1,
        value: value)));

    public void DeliverUpdate(string name, byte value = 2) => Deliver(Find(name), SourceBench.Update(HostileMessages.List(22, 1, value: value)));

    public void Deliver(CachedItem item, byte[] message)
    {
        Upstream.Receiver.Receive(item, Wire.Decode(message));
        Upstream.Publish();
        Settle();
    }

    /// <summary>Returns the messages that a consumer has received since the last call, described; without updates.</summary>
    public static List<string> Take(TalkingPeer peer)
    {
        List<string> taken = [.. peer.Messages.Select(SourceBench.Describe)];
        peer.Messages.Clear();
        return taken;
    }
}
