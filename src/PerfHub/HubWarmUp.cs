using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Upstream;

namespace PerfHub;

/// <summary>
/// Runs a hub between two sources and their consumers in memory before a run, so that the JIT compiler has finished when the first update arrives.
/// </summary>
/// <remarks>
/// Uses an interactive source, whose items are opened for a consumer, and a non-interactive one, whose items are cached before a consumer connects.
/// Cold code would delay the updates queued after the first images by 50 ms and more, and the first figures of a run by as much. Three consumers
/// share one source, because a batch that two of them receive alike is copied for the third. They disconnect at the end: that code, cold, would delay
/// the updates of other consumers.
/// </remarks>
internal static class HubWarmUp
{
    private const long DurationNanos = 5 * Clock.NanosPerMilli;
    private const long EndLimitNanos = Clock.NanosPerSecond;
    private const int TurnsAfter = 10; // until the items of a disconnected consumer are closed
    private const int ItemCount = 50;
    private const int ConsumersAlike = 3;
    private const string InteractiveService = "WARM_UP";
    private const string PublishedService = "WARM_UP_NI";

    /// <summary>Runs both conversations to their end.</summary>
    /// <param name="settings">The hub's settings; used by this hub alone.</param>
    /// <param name="sourceSettings">Those of its source threads.</param>
    /// <param name="publishedFirst">
    /// Begins with the non-interactive source: two threads that begin with different sources compile more in parallel.
    /// </param>
    /// <returns>Updates that the consumers of both sources received.</returns>
    public static (long Interactive, long Published) Run(HubSettings settings, SourceSettings sourceSettings, bool publishedFirst = false)
    {
        FieldDictionary dictionary = FieldDictionary.Default;
        MessageData messages = MessageData.Default(dictionary);
        MemoryNetwork network = new(TimeSource.System);
        using Worker provider = new(new WorkerOptions(), new WorkerRecording(), network);
        using Worker consumer = new(new WorkerOptions(), new WorkerRecording(), network);
        using Worker sessions = new(new WorkerOptions(), HubThreads.CreateRecording(), network);
        using Worker sources = new(new WorkerOptions(), HubThreads.CreateRecording(), network);
        using WorkerListener providerPort = new(new ListenOptions { Port = 0 }, network);
        using HubPorts ports = new(new ListenOptions { Port = 0 }, publisherPort: 0, network);
        HubThreads hub = new(settings, sourceSettings, [sessions], [sources]);
        Worker[] workers = [provider, sources, sessions, consumer];
        void Turn()
        {
            providerPort.Accept(TimeSpan.Zero, [provider], _ => CreateProvider(dictionary, messages), CancellationToken.None);
            ports.Accept(TimeSpan.Zero, hub, CancellationToken.None);
            Array.ForEach(workers, worker => worker.Turn());
        }

        long WatchInteractive()
        {
            hub.AddUpstream(new(ConnectTo(providerPort.Port), ServiceName: null, LoginIdentity.OfThisProcess(), dictionary));
            return Watch(InteractiveService, ConsumersAlike, consumer, ports.ConsumerPort, Turn);
        }

        long WatchPublished()
        {
            provider.Connect(CreatePublisher(messages), ConnectTo(ports.PublisherPort));
            return Watch(PublishedService, 1, consumer, ports.ConsumerPort, Turn);
        }

        if (!publishedFirst)
            return (WatchInteractive(), WatchPublished());
        long published = WatchPublished();
        return (WatchInteractive(), published);
    }

    private static long Watch(string serviceName, int consumers, Worker worker, int port, Action turn)
    {
        Watching handler = new();
        ConsumerSessionOptions options = new() { ServiceName = serviceName, Items = CreateItems(), Dictionary = FieldDictionary.Default };
        ConsumerSession[] sessions = [.. Enumerable.Range(0, consumers).Select(_ => new ConsumerSession(options, handler))];
        foreach (ConsumerSession session in sessions)
            worker.Connect(session, ConnectTo(port));
        bool AreServed() => Array.TrueForAll(sessions, session => session.Stage == ConsumerStage.Items);
        bool AreOver() => Array.TrueForAll(sessions, session => session.Closed is not null);

        ConnectionWarmUp.TakeTurns(turn, AreServed, DurationNanos, TimeSource.System);
        foreach (ConsumerSession session in sessions)
            session.Finish(Clock.NowNanos);
        ConnectionWarmUp.TakeTurnsUntil(turn, AreOver, EndLimitNanos, TimeSource.System);
        for (int turns = 0; turns < TurnsAfter; turns++)
            turn();
        return handler.Updates;
    }

    private static ConnectOptions ConnectTo(int port) => new() { Host = MemoryNetwork.Host, Port = port };

    private static ItemList CreateItems() => ItemList.Create(Enumerable.Range(1, ItemCount).Select(i => $"WARM{i}"));

    private static ProviderSession CreateProvider(FieldDictionary dictionary, MessageData messages) => new(
        new ProviderSessionOptions { Service = new ServiceOffer { Name = InteractiveService, Id = 1 }, Dictionary = dictionary },
        new Updating(messages));

    private static PublisherSession CreatePublisher(MessageData messages) => new(
        new PublisherSessionOptions { Service = new ServiceOffer { Name = PublishedService, Id = 2 }, Items = CreateItems() },
        new Publishing(messages));

    private sealed class Watching : ConsumerHandler
    {
        public long Updates { get; private set; }

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update) => Updates++;
    }

    // Sends the refresh to every item, and updates to all of them in every tick.
    private sealed class Updating(MessageData messages) : ProviderHandler
    {
        protected internal override bool WantsTicks => true;

        protected internal override int MaxRefreshBytes => messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => messages.Refresh.EncodeList(ref writer);

        protected internal override bool OnTick(in TickInfo tick)
        {
            for (int i = 0; i < Session.UpdatingItems; i++)
                Session.TrySendUpdate(Session.UpdatingItemAt(i), messages.Updates[i % messages.Updates.Count]);
            return true;
        }
    }

    // The same for a publisher, which sends without requests.
    private sealed class Publishing(MessageData messages) : PublisherHandler
    {
        protected internal override bool WantsTicks => true;

        protected internal override int MaxRefreshBytes => messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => messages.Refresh.EncodeList(ref writer);

        protected internal override bool OnTick(in TickInfo tick)
        {
            for (int i = 0; i < Session.UpdatingItems; i++)
                Session.TrySendUpdate(Session.UpdatingItemAt(i), messages.Updates[i % messages.Updates.Count]);
            return true;
        }
    }
}
