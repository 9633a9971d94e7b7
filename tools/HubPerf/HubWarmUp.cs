using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace HubPerf;

/// <summary>Runs a hub between a provider and a consumer over memory before a run, so that the compiler has done its work when the first update comes.</summary>
internal static class HubWarmUp
{
    private const long DurationNanos = 20 * Clock.NanosPerMilli;
    private const long StartLimitNanos = Clock.NanosPerSecond;
    private const string ServiceName = "WARM_UP";

    public static void Run()
    {
        FieldDictionary dictionary = FieldDictionary.Default;
        MemoryNetwork network = new(TimeSource.System);
        using Worker provider = new(new WorkerOptions(), new WorkerRecording(), network);
        using Worker consumer = new(new WorkerOptions(), new WorkerRecording(), network);
        using Worker sessions = new(new WorkerOptions(), HubPerfRole.CreateRecording(new()), network);
        using Worker sources = new(new WorkerOptions(), HubPerfRole.CreateRecording(new()), network);
        using WorkerListener providerPort = new(new ListenOptions { Port = 0 }, network);
        using WorkerListener hubPort = new(new ListenOptions { Port = 0 }, network);
        HubThreads hub = new(HubPerfRole.CreateSettings(new(), dictionary), [sessions], [sources]);
        hub.AddUpstream(new(ConnectTo(providerPort), ServiceName: null, LoginIdentity.OfThisProcess(), dictionary));
        ConsumerSession watching = CreateConsumer(dictionary);
        consumer.Connect(watching, ConnectTo(hubPort));
        MessageData messages = MessageData.Default(dictionary);
        RunTurns(() => watching.Stage == ConsumerStage.Items, () =>
        {
            providerPort.Accept(TimeSpan.Zero, [provider], _ => CreateProvider(dictionary, messages), CancellationToken.None);
            hubPort.Accept(TimeSpan.Zero, [sessions], hub.CreateConsumer, CancellationToken.None);
            foreach (Worker worker in new[] { provider, sources, sessions, consumer })
                worker.Turn(network.Time.NowNanos);
        });
    }

    private static void RunTurns(Func<bool> hasStarted, Action turn)
    {
        for (long limit = Clock.NowNanos + StartLimitNanos; !hasStarted() && Clock.NowNanos < limit;)
            turn();
        for (long until = Clock.NowNanos + DurationNanos; Clock.NowNanos < until;)
            turn();
    }

    private static ConnectOptions ConnectTo(WorkerListener port) => new() { Host = MemoryNetwork.Host, Port = port.Port };

    private static ConsumerSession CreateConsumer(FieldDictionary dictionary) => new(
        new ConsumerSessionOptions
        {
            ServiceName = ServiceName,
            Items = ItemList.Create(Enumerable.Range(1, 500).Select(i => $"WARM{i}")),
            Dictionary = dictionary,
        },
        new Watching());

    private static ProviderSession CreateProvider(FieldDictionary dictionary, MessageData messages) => new(
        new ProviderSessionOptions { Service = new ServiceOffer { Name = ServiceName, Id = 1 }, Dictionary = dictionary }, new Updating(messages));

    private sealed class Watching : ConsumerHandler;

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
}
