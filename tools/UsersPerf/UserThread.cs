using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>One thread's users: logs them in when each is due, and books what they get into the period of the moment.</summary>
/// <remarks>
/// Belongs to its worker's thread but for what says otherwise. No user has a timer: the thread looks at the schedule in its turns, and is
/// woken for it.
/// </remarks>
/// <param name="worker">Its worker.</param>
/// <param name="plan">What all threads have in common.</param>
internal sealed class UserThread(Worker worker, UserPlan plan) : IWorkerTask
{
    private const long NanosPerMicro = 1_000;

    private readonly ConcurrentQueue<(UserStep Step, Period Period)> _finished = new();
    private readonly List<User> _users = []; // in the order of their numbers, those that were lost included
    private readonly CounterSet _counters = worker.Recording.Counters;
    private readonly TimeSource _time = worker.Time;
    private readonly UserPoster? _poster = plan.Posts is { } posts ? new(posts, worker.Recording) : null;
    private volatile StepSchedule? _given;
    private StepSchedule? _schedule;
    private LoginPace? _pace;
    private volatile UserTarget? _target;
    private volatile UserStep? _asked; // to be measured out of turn
    private UserStep? _outOfTurn; // that is measured, or about to be
    private Period? _period;
    private CpuReading _periodCpu;
    private PeriodCounts _before;
    private long _retriesBefore;
    private int _step;
    private int _nextOwn = worker.Options.Number; // number of the next user in this part
    private long _nextLoginNanos;
    private long _edgeNanos = long.MaxValue;
    private long _leastMicros = long.MaxValue;
    private volatile string? _firstFailure;
    private volatile User? _firstUser;

    /// <summary>Reads every field; with <c>-decode all</c>, else null.</summary>
    public FieldListDecoder? Decoder { get; } =
        plan.Options.DecodesAll ? new FieldListDecoder(FieldDictionary.Default.Types, StampFields.First, StampFields.Count) : null;

    public WorkerRecording Recording => worker.Recording;

    /// <summary>The time by which users measure.</summary>
    public long NowNanos => _time.NowNanos;

    /// <summary>True when a user who was lost after his login logs in again.</summary>
    public bool Reconnects => plan.Options.Reconnects;

    /// <summary>Why log-ins were tried again. Any thread.</summary>
    public LoginRetries Retries { get; } = new();

    /// <summary>Items of one user.</summary>
    public int Subscriptions => plan.Options.Subscriptions;

    /// <summary>Why the first user was lost or refused; null while none was. Any thread.</summary>
    public string? FirstFailure => _firstFailure;

    /// <summary>What the first user waits for; null without users. Any thread.</summary>
    public string? FirstProblem => _firstUser?.Connection is { } connection ? connection.Session.Stage switch
    {
        ConsumerStage.Connecting => connection.Dialer.Problem,
        ConsumerStage.Login => "the provider has not answered the login",
        ConsumerStage.Service => connection.Session.ServiceShortcoming,
        _ => "images are missing",
    } : null;

    bool IWorkerTask.DelaysEnd => false;

    long IWorkerTask.NextDueNanos => _poster?.NextDueNanos ?? long.MaxValue;

    /// <summary>What users post; null when nobody does.</summary>
    public UserPosts? Posts => plan.Posts;

    /// <summary>Says when users log in; until then none does. Any thread.</summary>
    public void Follow(StepSchedule schedule) => _given = schedule;

    /// <summary>Has users log in or out until there are as many as asked for; the schedule logs nobody in any more. Any thread.</summary>
    public void Approach(UserTarget target) => _target = target;

    /// <summary>Measures a period beside those of the schedule, which must not overlap it. Any thread.</summary>
    public void Measure(UserStep step) => _asked = step;

    /// <summary>True while a period is over that was not taken yet. Any thread.</summary>
    public bool HasPeriod => !_finished.IsEmpty;

    /// <summary>Takes the oldest period that is over and was not taken yet. Any thread.</summary>
    public bool TryTakePeriod(out (UserStep Step, Period Period) period) => _finished.TryDequeue(out period);

    /// <summary>A user has all images.</summary>
    public void NoteIn(User user)
    {
        Recording.Set(Gauge.UsersIn, Recording[Gauge.UsersIn] + 1);
        _poster?.Add(user, _time.NowNanos);
    }

    /// <summary>A user has them no longer.</summary>
    public void NoteOut() => Recording.Set(Gauge.UsersIn, Recording[Gauge.UsersIn] - 1);

    /// <summary>A user's attempt ended before his login was accepted; another follows.</summary>
    public void NoteRetry(string reason)
    {
        Retries.Add(reason);
        _counters.Add(Counter.LoginsRetried, 1);
    }

    /// <summary>A user is lost, or was refused.</summary>
    public void NoteFailure(ConsumerFailure failure)
    {
        _firstFailure ??= failure.Text;
        _counters.Add(failure.Kind == ConsumerFailureKind.LoginRefused ? Counter.UsersRefused : Counter.UsersLost, 1);
    }

    /// <summary>Notes an update: when it was read, and its stamp (0 for none).</summary>
    public void NoteUpdate(long nowNanos, ulong stamp)
    {
        if (nowNanos >= _edgeNanos)
            PassEdges(nowNanos);
        if (_period is not null)
            _period.Updates++;
        if (stamp != 0)
            NoteLatency(ToMicros(nowNanos, stamp));
    }

    /// <summary>Notes a post of a user's own that came back: when it was read, and its stamp.</summary>
    public void NotePost(long nowNanos, ulong stamp)
    {
        LatencySeries latency = Recording[Series.Posts];
        long micros = ToMicros(nowNanos, stamp);
        latency.Record(micros);
        _period?.RecordPost(micros);
    }

    void IWorkerTask.Work()
    {
        if (_schedule is null && !TryBegin())
            return;
        long now = _time.NowNanos;
        TakeUpPeriod();
        if (now >= _edgeNanos)
            PassEdges(now);
        if (worker.IsAskedToEnd)
            return;
        _poster?.Send(_time, plan.StampUnit);
        if (_target is { } target)
            Follow(target, now);
        while (_target is null && now >= _nextLoginNanos)
            LogIn();
    }

    void IWorkerTask.OnAwake()
    {
    }

    void IWorkerTask.OnFirstOver()
    {
    }

    bool IWorkerTask.TrySleep() => true;

    // Log-ins that are overdue at the start follow each other faster than the schedule has them.
    private bool TryBegin()
    {
        if (_given is not { } schedule)
            return false;
        _schedule = schedule;
        _edgeNanos = schedule.HasPeriods ? schedule.Steps[0].FromNanos : long.MaxValue;
        _pace = new LoginPace(_time.NowNanos, plan.LoginGapNanos);
        _nextLoginNanos = _pace.DelayedFrom(schedule.LoginNanosOf(schedule.NumberOf(_nextOwn)));
        return true;
    }

    private long ToMicros(long nowNanos, ulong stamp) =>
        plan.StampUnit == LatencyUnit.Nanoseconds ? (nowNanos - (long)stamp) / NanosPerMicro : (nowNanos / NanosPerMicro) - (long)stamp;

    private void NoteLatency(long micros)
    {
        if (!plan.Options.Measures)
            micros = SpreadOf(micros);
        else
            Recording[Series.Updates].Record(micros);
        _period?.Record(micros);
    }

    // Two clocks: what counts is how far a sample lies above the least one since the last period.
    private long SpreadOf(long micros)
    {
        if (_period is null)
            _leastMicros = Math.Min(_leastMicros, micros);
        return Math.Max(0, micros - _leastMicros);
    }

    private void LogIn()
    {
        int number = _schedule!.NumberOf(_nextOwn);
        User user = new(this, plan, worker, number);
        _firstUser ??= user;
        _users.Add(user);
        Recording.Set(Gauge.UsersAsked, Recording[Gauge.UsersAsked] + 1);
        _nextOwn += plan.Threads;
        _pace!.NoteLogin();
        _nextLoginNanos = _pace.DelayedFrom(_schedule.LoginNanosOf(_schedule.NumberOf(_nextOwn)));
    }

    private void Follow(UserTarget target, long now)
    {
        while (_nextOwn < target.Users && now >= target.DueNanosOf(_nextOwn))
            LogIn();
        for (int last = _nextOwn - plan.Threads; last >= target.Users && now >= target.DueNanosOf(last)
            && TryLogOutLast(); last -= plan.Threads)
        {
        }
    }

    // Not while he is connecting: those before him wait for him, so that they go in order.
    private bool TryLogOutLast()
    {
        ConsumerSession session = _users[^1].Connection!.Session;
        if (!session.IsOpen && session.Closed is null)
            return false;
        session.Successor = null;
        if (session.IsOpen)
        {
            _users[^1].LogOut();
            worker.Finish(session);
        }

        _users.RemoveAt(_users.Count - 1);
        _nextOwn -= plan.Threads;
        Recording.Set(Gauge.UsersAsked, Recording[Gauge.UsersAsked] - 1);
        return true;
    }

    private void TakeUpPeriod()
    {
        if (_asked is not { } step || _period is not null)
            return;
        (_asked, _outOfTurn, _edgeNanos) = (null, step, step.FromNanos);
    }

    // A thread that comes late passes several edges at once.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PassEdges(long nowNanos)
    {
        while (nowNanos >= _edgeNanos)
        {
            UserStep step = _outOfTurn ?? _schedule!.Steps[_step];
            if (_period is null)
                BeginPeriod(step);
            else
                EndPeriod(step);
        }
    }

    private void BeginPeriod(UserStep step)
    {
        _period = new() { UsersIn = (int)Recording[Gauge.UsersIn] };
        _before = PeriodCounts.Of(_counters);
        _periodCpu = CpuClock.Current.Read();
        _edgeNanos = step.ToNanos;
    }

    private void EndPeriod(UserStep step)
    {
        Period period = _period!;
        _period = null;
        _leastMicros = long.MaxValue;
        period.Counts = PeriodCounts.Of(_counters) - _before;
        period.LoginRetries = _counters[Counter.LoginsRetried] - _retriesBefore;
        _retriesBefore += period.LoginRetries;
        period.CpuPerThread.Add(CpuUse.OfThread(_periodCpu, CpuClock.Current.Read())?.CorePercent);
        _finished.Enqueue((step, period));
        _step += _outOfTurn is null ? 1 : 0;
        _outOfTurn = null;
        _edgeNanos = _schedule!.HasPeriods && _step < _schedule.Steps.Count ? _schedule.Steps[_step].FromNanos : long.MaxValue;
    }
}
