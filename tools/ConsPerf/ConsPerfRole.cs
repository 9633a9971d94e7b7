using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>ConsPerf's part of a run: a session for each worker, and the run's outcome from their images, their failures and the time.</summary>
internal sealed class ConsPerfRole : ToolRole
{
    private readonly ConsPerfOptions _options;
    private readonly MessageData? _messages;
    private readonly ImageClock _images;
    private readonly UnknownFields _unknownFields = new();
    private readonly Reactor[] _reactors; // of the workers
    private readonly List<ConsumerLine> _consumers = [];
    private readonly bool[] _imagesReported;
    private bool _hasNews;
    private long _startNanos;

    private ConsPerfRole(
        ConsPerfOptions options, ItemPartition partition, ItemList items, FoundDictionary dictionary,
        MessageData? messages, ConnectOptions connect, SenderClock? clock)
        : base(CreateWorkers(options.Run, () => CreateRecording(options), options.Session.MaxDispatch), ConsPerfReport.Create(options))
    {
        _options = options;
        _messages = messages;
        SenderClock = clock;
        clock?.Hold(Workers);
        PostUser poster = PostUser.OfThisProcess();
        _images = new ImageClock(Enumerable.Range(options.Run.FirstThread, Workers.Count).Count(thread => partition.CountOf(thread) > 0));
        _imagesReported = new bool[Workers.Count];
        _reactors = [.. Workers.Select(worker => Reactor.On(worker, options.Recovery))];
        foreach (Worker worker in Workers)
        {
            int part = options.Run.FirstThread + worker.Options.Number;
            ConsumerSessionOptions asked = dictionary.In(CreateSession(options, items, partition, part)) with { Poster = poster };
            ConsumerPlan? plan = ConsumerPlan.Of(options, messages, worker.Options.Number);
            ConsumerMeasure measure = new(options, worker.Recording, _images, plan, _unknownFields, clock?.Peer);
            Reactor reactor = _reactors[worker.Options.Number];
            _consumers.Add(options.Standby.IsRequested
                ? new ConsumerLine(reactor.Consume(asked, measure, ServersOf(options.Standby, connect), options.Standby.EffectiveMode))
                : new ConsumerLine(reactor.Consume(asked, measure, connect)));
        }
    }

    public override string WorkerWord => "Client";

    /// <summary>The time at which the run ends: after the steady state, or when the images took too long; null without a limit.</summary>
    public override long? EndNanos => _images.IsComplete
        ? _images.CompleteNanos + (_options.Snapshot ? 0 : LimitNanos)
        : _options.SteadyStateSeconds == 0 ? null : _startNanos + LimitNanos;

    public override IEnumerable<string> Notes =>
        _unknownFields.Describe() is { } line ? [line, .. _options.Connection.SummaryNotes] : _options.Connection.SummaryNotes;

    private int ItemCount => _consumers.Sum(consumer => consumer.Session.ItemCount); // items of this process

    private long LimitNanos => _options.SteadyStateSeconds * Clock.NanosPerSecond;

    /// <summary>Loads the inputs.</summary>
    /// <exception cref="SetupException">An input file cannot be used.</exception>
    public static ConsPerfRole Create(ConsPerfOptions options, RunSignals? signals = null)
    {
        ItemPartition partition = new(options.ItemCount, options.Run.AllThreads, options.CommonItemCount);
        ItemList items = ItemList.Load(options.ItemFile, partition.ListItemsUsed);
        FoundDictionary dictionary = FoundDictionary.Find(options.Session);
        return new ConsPerfRole(
            options, partition, items, dictionary, ConsumerMessages.Load(options, items, dictionary.Dictionary),
            options.Connection.ForClient("ConsPerf"),
            SenderClock.Open(options.SenderClock, signals?.StopRequested ?? CancellationToken.None, Series.Updates, Series.Generic));
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        foreach (string warning in _messages?.Warnings ?? [])
            console.WriteLine($"Warning: {warning}");
        if (_messages is not null)
        {
            console.Write(writer =>
                MessageSizes.WriteOfConsumer(writer, _messages, _options.PostingRate > 0, _options.GenericMsgRate > 0));
        }

        RunWarmUp(_options);
        SenderClock?.Begin(console.WriteLine);
        console.WriteLine($"Starting connections: {Workers.Count}");
        _startNanos = Clock.NowNanos;
    }

    public override void RunWorker(int worker) => _reactors[worker].Run(_options.Session.ReactorProcessorOf(worker));

    public override RunOutcome? FindEnd(long nowNanos)
    {
        if (FindFailure() is { } failure)
            return OutcomeOf(failure);
        return FindRefusal(_consumers.Select(consumer => consumer.Refusal)) ?? (nowNanos >= EndNanos ? OutcomeOfTime() : null);
    }

    public override RunOutcome Complete(RunOutcome outcome)
    {
        if (outcome.Code == ExitCode.Success && FindFailure() is { } failure)
            outcome = OutcomeOf(failure);
        SenderClock?.Complete();
        outcome = SenderClock.Judge(outcome, SumOf(Counter.BeyondBound));
        return outcome with { NotComparableReason = outcome.NotComparableReason ?? FindUndrained() };
    }

    public override Figures Describe(Figures figures, int? worker, bool isWhole)
    {
        int items = worker is { } number ? _consumers[number].Session.ItemCount : ItemCount;
        bool isComplete = figures[Moment.RefreshesComplete] is not null;
        bool isShown = isComplete && (isWhole || (worker is { } own ? ReportImages(own) : ReportOverallImages()));
        ImageRetrieval? images = isShown ? new ImageRetrieval(items, figures.Seconds(Moment.FirstRequest, Moment.RefreshesComplete)) : null;
        return base.Describe(figures with { Items = items, Images = images }, worker, isWhole);
    }

    // A worker's images are reported once, in the interval in which the last one arrived.
    private bool ReportImages(int worker)
    {
        if (_imagesReported[worker])
            return false;
        return _hasNews = _imagesReported[worker] = true;
    }

    // The images of all workers are reported in the interval of the last worker.
    private bool ReportOverallImages()
    {
        bool isNews = _hasNews && _images.IsComplete;
        _hasNews = false;
        return isNews;
    }

    /// <summary>Creates the recording of a worker.</summary>
    internal static WorkerRecording CreateRecording(ConsPerfOptions options)
    {
        WorkerRecording recording = CreateRecording(options.Run);
        recording.Measure(Series.Updates, options.Session.StampUnit(), phased: true);
        recording.Measure(Series.Generic, options.Session.StampUnit());
        if (options.PostingRate > 0)
            recording.Measure(Series.Posts, options.Session.StampUnit());
        if (options.MeasureDecode)
            recording.Measure(Series.Decoding, LatencyUnit.Nanoseconds);
        return recording;
    }

    internal static ConsumerSessionOptions CreateSession(ConsPerfOptions options, ItemList items, ItemPartition partition, int part) => new()
    {
        Identity = LoginIdentity.OfThisProcess() with
        {
            UserName = options.UserName ?? Environment.UserName,
            ApplicationName = "ConsPerf",
            RoundTripLatency = options.Session.RoundTrips,
        },
        ServiceName = options.ServiceName,
        Items = items,
        Partition = partition,
        Part = part,
        RequestRate = options.RequestRate,
        Snapshot = options.Snapshot,
        View = options.View,
        Prime = options.Prime,
    };

    /// <summary>Measures for some 10 ms with a consumer of these options and built-in messages, so that its code is compiled.</summary>
    internal static void RunWarmUp(ConsPerfOptions options)
    {
        WorkerRecording recording = CreateRecording(options with { Run = options.Run with { LatencyFile = null } });
        FieldDictionary dictionary = FieldDictionary.Default;
        MessageData messages = MessageData.Default(dictionary);
        ConsumerPlan? plan = ConsumerPlan.Of(options, options.SendsToItems ? messages : null, worker: 0);
        SessionWarmUp.Consumer(dictionary, messages, new ConsumerMeasure(options, recording, new ImageClock(1), plan), recording);
    }

    internal static (ConnectOptions Starting, ConnectOptions Other) ServersOf(StandbyOptions standby, ConnectOptions connect) => (
        connect with { Host = standby.StartingHost ?? connect.Host, Port = standby.StartingPort ?? connect.Port },
        connect with { Host = standby.StandbyHost ?? connect.Host, Port = standby.StandbyPort ?? connect.Port });

    private ConsumerFailure? FindFailure() =>
        _consumers.Select(consumer => consumer.Failure).FirstOrDefault(failure => failure is not null);

    private string? FindUndrained()
    {
        if (FindFailure() is { IsBroken: true } broken)
            return broken.Text;
        if (_consumers.Sum(consumer => consumer.Losses) is var losses and > 0)
        {
            return losses == 1
                ? "a connection was lost, and another took its place"
                : $"connections were lost {losses} times, and others took their place";
        }

        bool isUndrained = _consumers.SelectMany(consumer =>
            consumer.Sessions).Any(session => session.Stage > ConsumerStage.Connecting && !session.WasDrained && session.Failure is null);
        return isUndrained ? "the provider did not end its stream within 3 s" : null;
    }

    private static RunOutcome OutcomeOf(ConsumerFailure failure)
    {
        bool isStarted = failure.Kind is not (ConsumerFailureKind.LoginRefused or ConsumerFailureKind.PostsNotAccepted);
        ExitCode code = isStarted ? ExitCode.Incomplete : ExitCode.NotStarted;
        return new RunOutcome(code, failure.Text, failure.IsBroken ? failure.Text : null);
    }

    // Null when the last image arrives at this very moment: the steady state begins.
    private RunOutcome? OutcomeOfTime()
    {
        int seconds = _options.SteadyStateSeconds;
        if (_images.IsComplete && !_options.Snapshot
            && FindLoss([.. _consumers.Select(consumer => consumer.Session)], [.. Workers.Select(worker => worker.Recording)]) is { } loss)
        {
            return new RunOutcome(ExitCode.Incomplete, loss);
        }

        if (_images.IsComplete)
        {
            return new RunOutcome(ExitCode.Success,
                _options.Snapshot ? "All snapshots received." : $"Steady-state time of {seconds} seconds expired.");
        }

        if (CountImages() is var images && images == ItemCount)
            return null;
        ConsumerLine slowest = _consumers.MinBy(consumer => consumer.Session.Stage)!;
        ConsumerSession last = slowest.Session;
        (ExitCode code, string why) = last.Stage switch
        {
            ConsumerStage.Connecting => (ExitCode.NotStarted, $"not connected: {slowest.Problem}"),
            ConsumerStage.Login => (ExitCode.NotStarted, "no answer to the login"),
            ConsumerStage.Service => (ExitCode.NotStarted, $"service {_options.ServiceName} is not up: {last.ServiceShortcoming}"),
            ConsumerStage.Dictionary => (ExitCode.Incomplete, "the dictionaries were not received completely"),
            ConsumerStage.Priming => (ExitCode.Incomplete, "not every refresh requested by -prime arrived"),
            _ => (ExitCode.Incomplete, $"{images} of {ItemCount} arrived; {DescribeMissing()}"),
        };
        return new RunOutcome(code, $"failed to receive all images within {seconds} seconds: {why}");
    }

    /// <summary>
    /// Describes what was not recovered at the end of the run after the service went down during it; null when it never did, or all recovered.
    /// </summary>
    internal static string? FindLoss(IReadOnlyList<ConsumerSession> sessions, IReadOnlyList<WorkerRecording> recordings)
    {
        long Sum(Counter counter) => recordings.Sum(recording => recording.Counters[counter]);
        long lost = Sum(Counter.ItemsLost) - Sum(Counter.ItemsRecovered);
        bool isDown = sessions.Any(session => session.Stage > ConsumerStage.Service && !session.IsServiceUp);
        if (Sum(Counter.ServiceLosses) == 0 || (lost == 0 && !isDown))
            return null;
        return $"the service went down (count: {Sum(Counter.ServiceLosses)}) and {(isDown ? "is not up again" : "came back")}; items lost: {lost}";
    }

    // Items that were not requested could not arrive: then the rate of requests is the limit.
    internal static string DescribeMissing(int items, long requested, long suspect, int requestRate)
    {
        if (requested < items)
            return $"{requested} were requested at -requestRate {requestRate}";
        return suspect > 0 ? $"suspect images received, which do not count: {suspect}" : "the provider may hold requests back";
    }

    private string DescribeMissing() =>
        DescribeMissing(ItemCount, SumOf(Counter.RequestsSent), SumOf(Counter.SuspectRefreshes), _options.RequestRate);

    private long SumOf(Counter counter) => Workers.Sum(worker => worker.Recording.Counters[counter]);

    private long CountImages() => SumOf(Counter.ItemsWithRefresh);
}
