using System.Globalization;
using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfTools.Hosting.Running;

namespace ProvPerf;

/// <summary>The workers of a run, the threads that own them, and the share of connections between them.</summary>
internal sealed class ProviderCrew : IDisposable
{
    private static readonly TimeSpan JoinLimit = TimeSpan.FromSeconds(8);

    private readonly List<ProviderWorker> _workers = [];
    private readonly List<ChannelPoller> _pollers = [];
    private readonly List<WorkerThread> _threads = [];
    private volatile bool _ending;

    /// <summary>Creates the workers; none runs yet.</summary>
    public ProviderCrew(ProvPerfOptions options, ProviderPlan plan)
    {
        for (int thread = 0; thread < options.Run.Threads.Count; thread++)
        {
            ChannelPoller poller = new(new PollerOptions { BusyRead = options.Run.BusyRead });
            _pollers.Add(poller);
            _workers.Add(new ProviderWorker(plan, poller, seed: thread + 1));
        }
    }

    public IReadOnlyList<ProviderWorker> Workers => _workers;

    /// <summary>What ended a thread that should not have ended.</summary>
    public Exception? Defect => _threads.Select(thread => thread.Defect).FirstOrDefault(defect => defect is not null);

    /// <summary>Loads what all workers share.</summary>
    /// <exception cref="SetupException">An input file cannot be used.</exception>
    public static ProviderPlan CreatePlan(ProvPerfOptions options)
    {
        DictionaryFiles files = DictionaryFiles.Find(
            options.Session.FieldDictionary, options.Session.EnumDictionary, Environment.CurrentDirectory, AppContext.BaseDirectory)
            ?? throw new SetupException(SetupProblem.InputFile, "RDMFieldDictionary and enumtype.def: not found; name them by -fieldDict and -enumDict");
        FieldDictionary dictionary = files.Load();
        return new ProviderPlan
        {
            Offer = new LoginOffer { ApplicationName = "ProvPerf", Position = LoginPosition.FindLocal() },
            Service = new ServiceOffer { Name = options.ServiceName, Id = (ushort)options.ServiceId, OpenLimit = (ulong)options.OpenLimit },
            Dictionary = dictionary,
            Messages = MessageData.Load(options.MsgFile, dictionary),
            TickRate = options.Run.TickRate,
            UpdateRate = options.UpdateRate,
            UpdateStampRate = options.LatencyUpdateRate.All ? StampCells.All : options.LatencyUpdateRate.PerSecond,
            MaxPackCount = options.MaxPackCount,
            PackBufferBytes = options.PackBufferBytes,
            RefreshBurstSize = options.RefreshBurstSize,
            NanoStamps = options.Session.NanoTime,
        };
    }

    public void Start(IReadOnlyList<int> processors)
    {
        for (int i = 0; i < _workers.Count; i++)
        {
            ProviderWorker worker = _workers[i];
            string name = string.Create(CultureInfo.InvariantCulture, $"provider {i + 1}");
            _threads.Add(new WorkerThread(name, processors[i], () =>
            {
                while (!_ending)
                    worker.Turn();
                worker.Finish();
            }));
        }
    }

    /// <summary>Gives a connection to the worker with the fewest, the first of several.</summary>
    public void HandOver(AcceptedConnection connection)
    {
        int fewest = 0;
        for (int i = 1; i < _pollers.Count; i++)
        {
            if (_workers[i].Connections < _workers[fewest].Connections)
                fewest = i;
        }

        _workers[fewest].Expect();
        _pollers[fewest].Post(connection);
    }

    /// <summary>Wakes every worker, so that it hands its interval over.</summary>
    public void Wake() => _pollers.ForEach(poller => poller.Wake());

    /// <summary>Stops the ticks, drains all connections and waits for the threads.</summary>
    /// <returns>False when a thread did not end.</returns>
    public bool End()
    {
        _ending = true;
        Wake();
        return _threads.TrueForAll(thread => thread.Join(JoinLimit));
    }

    public void Dispose()
    {
        if (_threads.TrueForAll(thread => !thread.IsAlive))
            _pollers.ForEach(poller => poller.Dispose());
    }
}
