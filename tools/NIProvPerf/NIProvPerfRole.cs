using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace NIProvPerf;

/// <summary>
/// NIProvPerf's part of a run: a publishing session for each worker; it ends when its run time elapses or a connection is lost.
/// </summary>
internal sealed class NIProvPerfRole : ToolRole
{
    private readonly NIProvPerfOptions _options;
    private readonly MessageData _messages;
    private readonly Reactor[] _reactors; // of the workers
    private readonly List<RecoveringPublisher> _publishers = [];
    private readonly UpdateSource _updates;
    private readonly int _itemCount; // items of this process
    private long? _endNanos;

    private NIProvPerfRole(NIProvPerfOptions options, MessageData messages, UpdateSource updates, ItemList items, ItemPartition partition,
        ConnectOptions connect)
        : base(CreateWorkers(options.Run, () => CreateRecording(options), options.Session.MaxDispatch), NIProvPerfReport.Create(options))
    {
        _options = options;
        _messages = messages;
        _updates = updates;
        RecoveryOptions? recovery = CreateRecovery(options.Session);
        _reactors = [.. Workers.Select(worker => Reactor.On(worker, recovery))];
        List<BurstPlan> plans = [];
        foreach (Worker worker in Workers)
        {
            int part = options.Run.FirstThread + worker.Options.Number;
            PublisherSessionOptions published = CreateSession(options, items) with { Partition = partition, Part = part };
            BurstPlan plan = CreateUpdates(options, part);
            plans.Add(plan);
            PublisherLoad load = new(messages, updates, plan);
            _itemCount += partition.CountOf(part);
            _publishers.Add(_reactors[worker.Options.Number].Publish(published, load, connect));
        }

        Settings = NIProvPerfSettings.Create(options, plans, updates);
    }

    public override string WorkerWord => "Thread";

    public override long? EndNanos => _endNanos;

    public override RoleSettings Settings { get; }

    public override IEnumerable<string> Notes => _options.Connection.SummaryNotes;

    /// <summary>Loads the inputs.</summary>
    /// <exception cref="SetupException">An input file cannot be used.</exception>
    public static NIProvPerfRole Create(NIProvPerfOptions options)
    {
        SizedMessages? sized = options.UpdateSize is { } size ? new SizedMessages(size.Bytes, size.Fields) : null;
        MessageData messages = sized?.Messages ?? MessageData.Load(options.MsgFile, FoundDictionary.Load(options.Session));
        ItemPartition partition = new(options.ItemCount, options.Run.AllThreads, options.CommonItemCount);
        ItemList items = ItemList.Load(options.ItemFile, partition.ListItemsUsed);
        messages.RequireOrderBooksOf(items);
        UpdateSource updates = new(messages, options.PreEncoded, sized);
        return new NIProvPerfRole(options, messages, updates, items, partition, options.Connection.ForClient("NIProvPerf"));
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        foreach (string warning in _messages.Warnings)
            console.WriteLine($"Warning: {warning}");
        console.Write(writer => MessageSizes.WriteOfProvider(writer, _messages));
        RunWarmUp(_options, _messages, _updates);
        console.WriteLine($"Starting connections: {Workers.Count}");
        _endNanos = _options.RunSeconds == 0 ? null : Clock.NowNanos + (_options.RunSeconds * Clock.NanosPerSecond);
    }

    public override void RunWorker(int worker) => _reactors[worker].Run(_options.Session.ReactorProcessorOf(worker));

    public override RunOutcome? FindEnd(long nowNanos) =>
        FindFailure() ?? FindRefusal(_publishers.Select(publisher => publisher.Refusal)) ?? (nowNanos >= _endNanos ? OutcomeOfTime() : null);

    public override RunOutcome Complete(RunOutcome outcome)
    {
        if (outcome.Code == ExitCode.Success)
            outcome = FindFailure() ?? FindMissingImages() ?? outcome;
        return outcome with { NotComparableReason = outcome.NotComparableReason ?? FindUndrained() };
    }

    internal static PublisherSessionOptions CreateSession(NIProvPerfOptions options, ItemList items) => new()
    {
        Identity = LoginIdentity.OfThisProcess() with
        {
            UserName = options.UserName ?? Environment.UserName,
            ApplicationName = "NIProvPerf",
            Role = LoginRole.Provider,
            SingleOpen = false,
        },
        Service = new ServiceOffer
        {
            Name = options.ServiceName,
            Id = (ushort)options.ServiceId,
            HasOrderBooks = items.HasOrderBooks(),
            Announced = options.Capabilities,
        },
        Items = items,
        MaxPackCount = options.MaxPackCount,
        PackBufferBytes = options.PackBufferBytes,
        RefreshBurstSize = options.RefreshBurstSize,
    };

    /// <summary>Plans the updates of a worker's connection; workers are numbered from 0.</summary>
    internal static BurstPlan CreateUpdates(NIProvPerfOptions options, int worker) => new(
        MessageKind.Update, options.UpdateRate, options.LatencyUpdateRate.OfPlan, options.Run.TickRate, seed: worker + 1,
        options.Session.StampUnit(), options.Run.StampsDue, options.MeasureEncode)
    {
        Profile = options.Run.RateProfile,
        MayChange = options.Control.TakesChanges,
    };

    /// <summary>Sends built-in messages for some 10 ms with a publisher of the default options, so that its code is compiled.</summary>
    internal static void RunWarmUp()
    {
        MessageData messages = MessageData.Default(FieldDictionary.Default);
        RunWarmUp(new(), messages, new UpdateSource(messages));
    }

    private static void RunWarmUp(NIProvPerfOptions options, MessageData messages, UpdateSource updates) => SessionWarmUp.Publisher(
        CreateSession(options, ItemList.Create([])), new PublisherLoad(messages, updates, CreateUpdates(options, worker: 0)),
        CreateRecording(options));

    private static RecoveryOptions? CreateRecovery(SessionOptions session) =>
        session.Reactor ? new() { FirstRetry = session.Reconnect.First, MaxRetry = session.Reconnect.Max } : null;

    private static WorkerRecording CreateRecording(NIProvPerfOptions options)
    {
        WorkerRecording recording = new();
        if (options.MeasureEncode)
            recording.Measure(Series.Encoding, LatencyUnit.Nanoseconds);
        return recording;
    }

    // A session that ended before the hub accepted its login did not start.
    private RunOutcome? FindFailure()
    {
        RecoveringPublisher? failed = _publishers.Find(publisher => publisher.Failure is not null);
        if (failed is not { Failure: { } text })
            return null;
        ExitCode code = failed.Session.Stage == PublisherStage.Publishing ? ExitCode.Incomplete : ExitCode.NotStarted;
        return new RunOutcome(code, text, text);
    }

    private RunOutcome OutcomeOfTime()
    {
        RecoveringPublisher last = _publishers.MinBy(publisher => publisher.Session.Stage)!;
        string? why = last.Session.Stage switch
        {
            PublisherStage.Connecting => $"not connected: {last.Problem}",
            PublisherStage.Login => "no answer to the login",
            PublisherStage.Rejected => last.Session.Refusal,
            _ => null,
        };
        if (why is null)
            return new RunOutcome(ExitCode.Success, "run time expired");
        return last.Losses > 0
            ? new RunOutcome(ExitCode.Incomplete, $"the hub was lost and is not back: {why}")
            : new RunOutcome(ExitCode.NotStarted, $"nothing published within {_options.RunSeconds} seconds: {why}");
    }

    private RunOutcome? FindMissingImages()
    {
        long missing = Workers.Sum(worker => worker.Recording.Counters[Counter.RefreshesNotSent]);
        return missing == 0
            ? null : new RunOutcome(ExitCode.Incomplete,
                $"{missing} of {_itemCount} images were not sent within {_options.RunSeconds} seconds");
    }

    private string? FindUndrained()
    {
        if (_publishers.Sum(publisher => publisher.Losses) > 0)
            return "a connection was lost, and another took its place";
        return _publishers.Exists(publisher =>
            publisher.Session is { Stage: > PublisherStage.Connecting, WasDrained: false, Failure: null })
            ? "the hub did not end its stream within 3 s" : null;
    }
}
