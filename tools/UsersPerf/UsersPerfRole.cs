using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace UsersPerf;

/// <summary>
/// UsersPerf's part of a run: users log in step by step, and each step is measured. It ends with the last step, or with the first that misses a
/// threshold it must keep.
/// </summary>
internal sealed class UsersPerfRole : ToolRole
{
    private const long EdgeNanos = 50 * Clock.NanosPerMilli;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan ReportedLateness = TimeSpan.FromMilliseconds(100);

    private readonly UsersPerfOptions _options;
    private readonly List<UserThread> _threads = [];
    private readonly PeriodLog _log;
    private readonly UserFailures _failures;
    private StepSchedule? _schedule;
    private RunConsole? _console;
    private DateTime _startUtc;
    private int _measured;
    private RunOutcome? _missed;
    private volatile UserTarget? _target; // null: the schedule's
    private volatile UserStep? _outOfTurn; // the requested period, until it is reported

    private UsersPerfRole(UsersPerfOptions options, UserPlan plan)
        : base(CreateWorkers(options.Run, () => CreateRecording(options)), UsersPerfReport.Create(options))
    {
        _options = options;
        _log = new PeriodLog(options.Run.HistogramFile);
        _failures = new UserFailures(_threads);
        foreach (Worker worker in Workers)
        {
            UserThread thread = new(worker, plan);
            worker.Task = thread;
            _threads.Add(thread);
        }

        Settings = UsersPerfSettings.Create(options, this, UserLimits.FindMax(plan.Addresses, options.Run.Part.Count));
    }

    public override RoleSettings Settings { get; }

    /// <summary>Users of this process that should be logged in. Any thread.</summary>
    public int UsersAsked => _target?.Users ?? _schedule?.ShareOf(_schedule.StepAt(Clock.NowNanos).Users) ?? 0;

    public override long? EndNanos => _schedule switch
    {
        { } schedule when _options.RunSeconds > 0 => schedule.StartNanos + (_options.RunSeconds * Clock.NanosPerSecond),
        { HasPeriods: true } schedule => schedule.EndNanos,
        _ => null,
    };

    public override IEnumerable<string> Notes =>
        _failures.Retries.Describe() is { } retries ? [retries, .. _options.Connection.SummaryNotes] : _options.Connection.SummaryNotes;

    /// <summary>Loads the inputs.</summary>
    /// <exception cref="SetupException">An input file cannot be used, the start lies too far in the past, or the system allows too few
    /// files or ports.</exception>
    public static UsersPerfRole Create(UsersPerfOptions options)
    {
        if (options.StartAt is { } at && options.FindLateness(at) is { } late)
            throw new SetupException(SetupProblem.CommandLine, late);
        int users = new StepSchedule(options, 0).ShareOf(options.Steps?.Totals[^1] ?? (options.Users * options.Run.Part.Count));
        IReadOnlyList<ConnectOptions> connects = options.Connection.ForClients("UsersPerf");
        UserLimits.Check(users, connects.Count);
        ItemList items = ItemList.Load(options.ItemFile, options.Subjects);
        return new UsersPerfRole(options, new UserPlan(options, items, connects));
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        _console = console;
        UserWarmUp.Run();
        _log.Begin();
        if (_options.StartFile is null)
            Start(_options.StartAt ?? DateTime.UtcNow);
        else
            console.WriteLine($"Waiting for the start: {InvariantText.OneLine(_options.StartFile)}");
        _log.WriteReady();
    }

    public override void RunTurn(TimeSpan limit, CancellationToken stop)
    {
        stop.WaitHandle.WaitOne(limit < Pause ? limit : Pause);
        if (_schedule is null && !TryStart())
            return;
        if (IsAnythingDue(Clock.NowNanos))
        {
            foreach (Worker worker in Workers)
                worker.Wake();
        }

        _failures.Report(_console!);
        CollectPeriods();
    }

    /// <summary>Logs users in or out until their number is reached. Any thread.</summary>
    public void Approach(int users, int loginRate)
    {
        _target = new(users, (int)Sum(UserGauge.UsersAsked), Clock.NowNanos, Math.Max(1, loginRate / _options.Run.Part.Count));
        _threads.ForEach(thread => thread.Approach(_target));
    }

    /// <summary>Measures a period now. Any thread.</summary>
    public void Measure(string name, int seconds)
    {
        long from = Clock.NowNanos + EdgeNanos;
        _outOfTurn = new(_measured, 0, UsersAsked, from, from, from, from + (seconds * Clock.NanosPerSecond)) { Name = name };
        _threads.ForEach(thread => thread.Measure(_outOfTurn));
    }

    /// <summary>Finds why no period of this length can be measured now, as a sentence; null when one can. Any thread.</summary>
    public string? FindOverlap(int seconds)
    {
        if (_schedule is null || _outOfTurn is not null)
            return "period: another one is under way";
        long now = Clock.NowNanos, until = now + (seconds * Clock.NanosPerSecond) + (2 * EdgeNanos);
        UserStep? overlapping = _schedule.HasPeriods
            ? _schedule.Steps.FirstOrDefault(step => step.FromNanos < until && step.ToNanos > now) : null;
        return overlapping is null
            ? null : string.Create(CultureInfo.InvariantCulture, $"period: step {overlapping.Index + 1} is measured in that time");
    }

    public override IReadOnlyList<Action<Stream>> DequeueJsonLines() => _log.DequeueJsonLines();

    public override RunOutcome? FindEnd(long nowNanos)
    {
        if (_missed is not null || _schedule is null)
            return _missed;
        bool isOver = _options.RunSeconds == 0 && _schedule.HasPeriods ? _measured == _schedule.Steps.Count : nowNanos >= EndNanos;
        return isOver ? OutcomeOfEnd() : null;
    }

    public override RunOutcome Complete(RunOutcome outcome)
    {
        if (outcome.Code == ExitCode.Success && _missed is null && Lost is > 0 and var lost)
            outcome = new(ExitCode.Incomplete, string.Create(CultureInfo.InvariantCulture, $"{lost} users were lost: {_failures.FirstLoss}"));
        bool isBroken = Workers.Any(worker => worker.Recording.AnyBroken);
        return (outcome with
        {
            NotComparableReason = outcome.NotComparableReason
            ?? (isBroken ? "a connection broke" : null)
        }).WithUnwritten(_log.Failure);
    }

    public override void Dispose()
    {
        _log.Dispose();
        base.Dispose();
    }

    /// <summary>Creates the recording of a worker. It keeps no notices: those of thousands of connections would not be read.</summary>
    internal static WorkerRecording CreateRecording(UsersPerfOptions options)
    {
        WorkerRecording recording = new(UserCounter.Schema, onNotice: static _ => { });
        recording.Measure(Series.Updates, LatencyUnit.Microseconds);
        if (options.PostRate > 0)
            recording.Measure(Series.Posts, LatencyUnit.Microseconds);
        if (options.Session.RoundTrips)
            recording.Measure(Series.RoundTrips, LatencyUnit.Nanoseconds);
        return recording;
    }

    // True once there is a schedule.
    private bool TryStart()
    {
        try
        {
            if (StartFile.TryRead(_options.StartFile!, _options.FindLateness) is not { } at)
                return false;
            Start(at);
            return true;
        }
        catch (SetupException problem)
        {
            _missed = new RunOutcome(ExitCode.InputFile, problem.Message);
            return false;
        }
    }

    // The time may have passed: all parts have one schedule.
    private void Start(DateTime at)
    {
        long now = Clock.NowNanos;
        TimeSpan late = DateTime.UtcNow - at;
        if (late > ReportedLateness)
        {
            _console!.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"Warning: -startAt was {late.TotalSeconds:F1} s ago; log-ins catch up at twice -loginRate"));
        }

        _startUtc = at;
        _schedule = new StepSchedule(_options, now - (late.Ticks * TimeSpan.NanosecondsPerTick));
        _threads.ForEach(thread => thread.Follow(_schedule));
        _console!.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Starting users: {_schedule.ShareOf(_schedule.Steps[^1].Users)}"));
    }

    private long Lost =>
        Workers.Sum(worker => worker.Recording.Counters[UserCounter.UsersLost] + worker.Recording.Counters[UserCounter.UsersRefused]);

    private long Sum(Gauge gauge) => Workers.Sum(worker => worker.Recording[gauge]);

    // True while users log in, at the beginning of a period, and from its end until all threads have seen it.
    private bool IsAnythingDue(long nowNanos)
    {
        if (_outOfTurn is { } asked && (nowNanos < asked.FromNanos + EdgeNanos || nowNanos >= asked.ToNanos))
            return true;
        if (_target is { } target && target.Users != Sum(UserGauge.UsersAsked))
            return true;
        UserStep step = _schedule!.Steps[Math.Min(_measured, _schedule.Steps.Count - 1)];
        return step.HasWork(nowNanos, lacksUsers: Sum(UserGauge.UsersAsked) < _schedule.ShareOf(step.Users), EdgeNanos);
    }

    // Reports each period once all threads have finished it.
    private void CollectPeriods()
    {
        while (_missed is null && _threads.TrueForAll(thread => thread.HasPeriod))
        {
            Period all = new();
            UserStep? step = null;
            foreach (UserThread thread in _threads)
            {
                if (!thread.TryDequeuePeriod(out (UserStep Step, Period Period) taken))
                    continue;
                step = taken.Step;
                all.Add(taken.Period);
            }

            Judge(step!, all);
        }
    }

    private void Judge(UserStep step, Period period)
    {
        DateTime from = _startUtc.AddTicks((step.FromNanos - _schedule!.StartNanos) / TimeSpan.NanosecondsPerTick);
        int asked = step.Name is not null ? step.Users : _target?.Users ?? _schedule.ShareOf(step.Users);
        MeasuredStep measured = new(step, period, from, asked, DueRateOf(step, asked), _options.Measures);
        _log.Write(_console!, measured);
        if (step.Name is not null)
        {
            _outOfTurn = null;
            return;
        }

        _measured++;
        if (_options.Until.Count > 0 && (measured.FindMiss(_options.Until, Environment.WorkingSet) ?? measured.FindFault()) is { } why)
            _missed = new RunOutcome(ExitCode.Success, StepEnd.Describe(step.Index + 1, step.Users, why));
    }

    // Updates per second that the users of this process should receive; 0 for unknown.
    private double DueRateOf(UserStep step, int asked)
    {
        if (_options.UserRate == 0)
            return 0;
        RunPart part = _options.Run.Part;
        int all = step.Name is null && _target is null ? step.Users : asked * part.Count;
        return (asked * _options.UserRate)
            + (UserPosts.Of(_options)?.RateTo(all, _options.ItemGroups, part.Count, part.Number) ?? 0);
    }

    private RunOutcome OutcomeOfEnd()
    {
        long asked = Sum(UserGauge.UsersAsked), there = Sum(UserGauge.UsersIn);
        if (there >= asked)
            return new RunOutcome(ExitCode.Success, _options.RunSeconds > 0 ? "run time expired" : "all steps were measured");
        return new RunOutcome(
            there == 0 && Workers.All(worker => worker.Recording.TimeOf(Moment.Connected) is null)
                ? ExitCode.NotStarted : ExitCode.Incomplete,
            string.Create(CultureInfo.InvariantCulture, $"{there} of {asked} users are in: {_failures.Explain(isAnyoneIn: there > 0)}"));
    }
}
