using System.Globalization;
using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>The workers of a run and the threads that own them.</summary>
internal sealed class ConsumerCrew : IDisposable
{
    private static readonly TimeSpan JoinLimit = TimeSpan.FromSeconds(8);

    private readonly List<ConsumerWorker> _workers = [];
    private readonly List<ChannelPoller> _pollers = [];
    private readonly List<WorkerThread> _threads = [];

    /// <summary>Loads what the workers need and creates them; none runs yet.</summary>
    /// <exception cref="SetupException">An input file cannot be used.</exception>
    public ConsumerCrew(ConsPerfOptions options)
    {
        int threads = options.Run.Threads.Count;
        ItemPartition partition = new(options.ItemCount, threads, options.CommonItemCount);
        ItemList items = ItemList.Load(options.ItemFile, partition.ListItemsUsed);
        DictionaryFiles? files = DictionaryFiles.Find(
            options.Session.FieldDictionary, options.Session.EnumDictionary, Environment.CurrentDirectory, programFolder: null);
        FieldDictionary? dictionary = files?.Load();
        Images = new ImageClock(Enumerable.Range(0, threads).Count(thread => partition.CountOf(thread) > 0));
        ConnectOptions connect = options.Connection.ForClient("ConsPerf");
        ConsumerPlan plan = CreatePlan(options, items, partition, dictionary, Images);
        for (int thread = 0; thread < threads; thread++)
        {
            ChannelPoller poller = new(new PollerOptions { BusyRead = options.Run.BusyRead });
            _pollers.Add(poller);
            _workers.Add(new ConsumerWorker(plan with { Thread = thread }, poller, connect));
        }

        if ((dictionary ?? FindOwnDictionary()) is { } any)
            WarmUp.Consumer(any);
    }

    public IReadOnlyList<ConsumerWorker> Workers => _workers;

    /// <summary>When the last image of all workers came in.</summary>
    public ImageClock Images { get; }

    /// <summary>What ended a thread that should not have ended.</summary>
    public Exception? Defect => _threads.Select(thread => thread.Defect).FirstOrDefault(defect => defect is not null);

    public void Start(IReadOnlyList<int> processors)
    {
        for (int i = 0; i < _workers.Count; i++)
        {
            ConsumerWorker worker = _workers[i];
            string name = string.Create(CultureInfo.InvariantCulture, $"consumer {i + 1}");
            _threads.Add(new WorkerThread(name, processors[i], () =>
            {
                while (worker.Stage != ConsumerStage.Ended)
                    worker.Turn();
            }));
        }
    }

    /// <summary>Wakes every worker, so that it hands its interval over.</summary>
    public void Wake() => _pollers.ForEach(poller => poller.Wake());

    /// <summary>Ends measuring on all connections, drains them and waits for the threads.</summary>
    /// <returns>False when a thread did not end.</returns>
    public bool End()
    {
        _workers.ForEach(worker => worker.RequestEnd());
        return _threads.TrueForAll(thread => thread.Join(JoinLimit));
    }

    public void Dispose()
    {
        if (_threads.TrueForAll(thread => !thread.IsAlive))
            _pollers.ForEach(poller => poller.Dispose());
    }

    /// <summary>What the first worker does; the others differ by their number.</summary>
    internal static ConsumerPlan CreatePlan(ConsPerfOptions options, ItemList items, ItemPartition partition, FieldDictionary? dictionary, ImageClock images) => new()
    {
        Identity = new LoginIdentity
        {
            UserName = options.UserName ?? Environment.UserName,
            ApplicationName = "ConsPerf",
            Position = LoginPosition.FindLocal(),
        },
        ServiceName = options.ServiceName,
        Items = items,
        Partition = partition,
        Thread = 0,
        ImageClock = images,
        Dictionary = dictionary,
        CreateFallbackDictionary = LoadOwnDictionary,
        TickRate = options.Run.TickRate,
        RequestRate = options.RequestRate,
        Snapshot = options.Snapshot,
        StrictFields = options.StrictFields,
        NanoStamps = options.Session.NanoTime,
        SteadyDelayNanos = options.DelaySteadyStateMillis * 1_000_000L,
        LatencyRecords = options.Run.LatencyFile is null ? 0 : LatencyRecordsKept,
    };

    // Between two collections; a latency file is meant for some thousand samples a second.
    private const int LatencyRecordsKept = 1 << 20;

    private static FieldDictionary LoadOwnDictionary() =>
        FindOwnDictionary() ?? throw new SetupException(SetupProblem.InputFile, "the program's own dictionary is missing");

    private static FieldDictionary? FindOwnDictionary() =>
        DictionaryFiles.Find(null, null, AppContext.BaseDirectory, AppContext.BaseDirectory)?.Load();
}
