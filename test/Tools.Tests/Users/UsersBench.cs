using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>Threads with users, and feeds that send whatever a test wants, over memory and by a clock that the test moves.</summary>
internal sealed class UsersBench : IDisposable
{
    private const string Service = "TEST";
    private const int LimitMillis = 60_000;

    private readonly MemoryNetwork _network;
    private readonly Worker _server;
    private readonly RsslListener _listener;
    private readonly List<Worker> _workers = [];
    private readonly bool _takesPosts;

    /// <param name="line">Options of UsersPerf; 2 of 4 items for each user unless they say otherwise.</param>
    /// <param name="takesPosts">False for a provider that takes none.</param>
    /// <param name="maxConnections">More are refused.</param>
    public UsersBench(string line, bool takesPosts = true, int maxConnections = 1_000)
    {
        _takesPosts = takesPosts;
        _network = new MemoryNetwork(Time);
        _server = new Worker(new WorkerOptions(), new WorkerRecording(), _network);
        _listener = RsslListener.Bind(new ListenOptions { Port = 0, MaxConnections = maxConnections }, _network);
        UsersPerfOptions options = OptionLines.Accept(UsersPerfOptionTable.Instance,
            $"-h {MemoryNetwork.Host} -p {_listener.Port} -serviceName {Service} -subjects 4 -subscriptions 2 -uname u "
                + $"{(line.Contains("-threads", StringComparison.Ordinal) ? "" : "-threads 1")} {line}");
        UserPlan plan = new(options, ItemList.Create(["A", "B", "C", "D"]), options.Connection.ForClients("UsersPerf"));
        Schedule = new StepSchedule(options, Time.NowNanos);
        for (int i = 0; i < options.Run.Threads.Count; i++)
        {
            Worker worker = new(
                new WorkerOptions { Number = i, TickRate = options.Run.TickRate }, UsersPerfRole.CreateRecording(options), _network);
            UserThread thread = new(worker, plan);
            worker.Task = thread;
            thread.Follow(Schedule);
            _workers.Add(worker);
            Threads.Add(thread);
        }
    }

    public TimeSource Time { get; } = TimeSource.StartAt(Clock.NanosPerSecond);

    public StepSchedule Schedule { get; }

    public List<UserThread> Threads { get; } = [];

    /// <summary>Those of the connections that were not cut, in the order of their coming.</summary>
    public List<NumberedFeed> Feeds { get; } = [];

    /// <summary>Connections that are closed before their login is answered.</summary>
    public int Cuts { get; set; }

    /// <summary>How often a post is sent back, by its number on its connection.</summary>
    public Func<int, int> Reflects { get; init; } = _ => 1;

    public long this[Counter counter] => Threads.Sum(thread => thread.Recording.Counters[counter]);

    public long In => Threads.Sum(thread => thread.Recording[UserGauge.UsersIn]);

    /// <summary>Advances the time until a condition holds.</summary>
    /// <returns>Milliseconds that it took.</returns>
    public int Until(Func<bool> condition)
    {
        int passed = 0;
        for (; !condition(); passed++)
        {
            Assert.True(passed < LimitMillis, $"the condition never held; {In} users in, {Threads[0].FirstFailure}, {Threads[0].FirstProblem}");
            Pass(1);
        }

        return passed;
    }

    public void Pass(int millis)
    {
        for (int i = 0; i < millis; i++)
        {
            Turn();
            Time.Advance(Clock.NanosPerMilli);
        }
    }

    /// <summary>Delivers everything in flight, at one moment.</summary>
    public void Turn()
    {
        for (int turn = 0; turn < 4; turn++)
        {
            while (_listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
                _server.Serve(accepted, CreatePeer());
            _server.Turn(0);
            foreach (Worker worker in _workers.Where(worker => !worker.HasEnded))
                worker.Turn(0);
        }
    }

    /// <summary>The first period that is over, of all threads together.</summary>
    public Period TakePeriod()
    {
        Until(() => Threads.TrueForAll(thread => thread.HasPeriod));
        Period all = new();
        foreach (UserThread thread in Threads)
        {
            Assert.True(thread.TryDequeuePeriod(out (UserStep Step, Period Period) taken));
            all.Add(taken.Period);
        }

        return all;
    }

    /// <summary>Asks the users to leave.</summary>
    public void RequestEnd() => _workers.ForEach(worker => worker.RequestEnd());

    /// <summary>True when all have left.</summary>
    public bool HasEnded => _workers.TrueForAll(worker => worker.HasEnded);

    public void Dispose()
    {
        _workers.ForEach(worker => worker.Dispose());
        _listener.Dispose();
        _server.Dispose();
    }

    private Connection CreatePeer()
    {
        if (Cuts > 0)
        {
            Cuts--;
            return new CuttingPeer();
        }

        NumberedFeed feed = new(Time) { Reflects = Reflects };
        Feeds.Add(feed);
        return new ProviderSession(
            new()
            {
                Offer = new() { ApplicationName = "test", Position = "here", SupportOmmPost = _takesPosts },
                Service = new() { Name = Service, Id = 1 },
                Dictionary = FieldDictionary.Default,
            },
            feed);
    }

    private sealed class CuttingPeer : Connection
    {
        internal override void OnOpened(long nowNanos) => Channel.Close();

        internal override void OnReadable(long untilNanos)
        {
        }
    }
}
