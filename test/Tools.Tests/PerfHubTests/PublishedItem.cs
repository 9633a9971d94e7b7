using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;

namespace Tools.Tests.PerfHubTests;

/// <summary>A hub with one published item, whose messages a test sends one by one to consumers that it stops at will.</summary>
internal sealed class PublishedItem : IDisposable
{
    public const ushort ServiceId = 1;
    public const string Name = "N1";

    private const int PublishedStream = -6;
    private readonly TalkingPeer _publisher;

    public PublishedItem(HubPerfOptions options, int sessionThreads = 1)
    {
        Hub = new MemoryHub(options, sessionThreads);
        _publisher = Hub.Talk(asPublisher: true);
        _publisher.Say(HostileMessages.Directory(HostileMessages.Services(ServiceId, 1)));
        SendImage(HostileMessages.List(1, 1));
        Hub.Until(() => Hub.Read(HubGauge.Items) == 1);
    }

    public MemoryHub Hub { get; }

    /// <summary>The first session thread.</summary>
    public ConsumerThread Host => (ConsumerThread)Hub.Sessions.Task!;

    /// <summary>The most bytes that have waited for one connection.</summary>
    public long MostQueued => Hub.SessionWorkers.Max(worker => worker.Recording[Gauge.QueuedBytesMax]);

    /// <summary>Connects a consumer that subscribes to the item.</summary>
    public TalkingPeer Watch(int streamId = 6)
    {
        TalkingPeer peer = Hub.Talk();
        peer.Say(Wire.Encode(TalkingPeer.Request(streamId, ServiceId, Name)));
        Hub.Until(() => peer.Answers.Count == 1);
        return peer;
    }

    public void SendImage(byte[] list) => _publisher.Say(HostileMessages.Image(PublishedStream, ServiceId, Name, list));

    public void SendUpdate(byte[] list) => _publisher.Say(HostileMessages.Update(PublishedStream, list));

    /// <summary>Sends an update whose payload is no field list.</summary>
    public void SendUnmergeable(byte[] payload) => SendOpaque(MsgClass.Update, payload);

    public void SendGeneric(byte[] payload) => SendOpaque(MsgClass.Generic, payload);

    /// <summary>Sends one message in each turn until something holds.</summary>
    /// <returns>How many were sent.</returns>
    public int SendUntil(Func<bool> condition, Action send)
    {
        int sent = 0;
        Hub.Until(() =>
        {
            if (condition())
                return true;
            send();
            sent++;
            return false;
        });
        return sent;
    }

    public void Dispose() => Hub.Dispose();

    private void SendOpaque(MsgClass msgClass, byte[] payload) => _publisher.Say(Wire.Encode(new RwfMsg
    {
        MsgClass = msgClass,
        DomainType = DomainType.MarketPrice,
        StreamId = PublishedStream,
        ContainerType = DataType.Opaque,
        Payload = payload,
    }));
}
