using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;

namespace UsersPerf;

/// <summary>The users of one thread: logs each in when it is due, and records what they receive in the current period.</summary>
/// <remarks>
/// Belongs to its worker's thread unless a member says otherwise. No user has a timer: the thread checks the schedule in its turns, and is woken for
/// it.
/// </remarks>
/// <param name="worker">The thread's worker.</param>
/// <param name="plan">The plan that all threads share.</param>
internal sealed class UserThread(Worker worker, UserPlan plan) : IWorkerTask
{
    private const long NanosPerMicro = 1_000;

    private readonly ConcurrentQueue<(UserStep Step, Period Period)> _finished = new();
    private readonly List<User> _users = []; // in the order of their numbers, lost users included
    private readonly CounterSet _counters = worker.Recording.Counters;
    private readonly TimeSource _time = worker.Time;
    private readonly UserPoster? _poster = plan.Posts is { } posts ? new(posts, worker.Recording) : null;
    private volatile StepSchedule? _given;
    private StepSchedule? _schedule;
    private LoginPace? _pace;
    private volatile UserTarget? _target;
    private volatile UserStep? _asked; // to be measured outside the schedule
    private UserStep? _outOfTurn; // being measured, or about to be
    private Period? _period;
    private ThreadSpan _periodSpan;
    private PeriodCounts _before;
    private long _retriesBefore;
    private int _step;
    private int _nextOwn = worker.Options.Number; // number of the next user in this part
    private long _nextLoginNanos;
    private long _edgeNanos = long.MaxValue;
    private long _leastMicros = long.MaxValue;
    private volatile string? _firstFailure;
    private volatile User? _firstUser;

    /// <summary>Decodes every field, with <c>-decode all</c>; else null.</summary>
    public FieldListDecoder? Decoder { get; } =
        plan.Options.DecodesAll ? FieldDictionary.Default.CreateDecoder() : null;

    public WorkerRecording Recording => worker.Recording;

    /// <summary>The clock by which users measure.</summary>
    public long NowNanos => _time.NowNanos;

    /// <summary>True when a user who was lost after the login logs in again.</summary>
    public bool Reconnects => plan.Options.Reconnects;

    /// <summary>The reasons of retried log-ins. Any thread.</summary>
    public LoginRetries Retries { get; } = new();

    /// <summary>Number of items per user.</summary>
    public int Subscriptions => plan.Options.Subscriptions;

    /// <summary>Why the first user was lost or refused; null while none was. Any thread.</summary>
    public string? FirstFailure => _firstFailure;

    /// <summary>The stage that the first user waits in; null without users. Any thread.</summary>
    public string? FirstProblem => _firstUser?.Connection is { } connection ? connection.Session.Stage switch
    {
        ConsumerStage.Connecting => connection.Problem,
        ConsumerStage.Login => "the provider has not answered the login",
        ConsumerStage.Service => connection.Session.ServiceShortcoming,
        _ => "images are missing",
    } : null;

    bool IWorkerTask.DelaysEnd => false;

    long IWorkerTask.NextDueNanos => _poster?.NextDueNanos ?? long.MaxValue;

    /// <summary>The posts of users; null when none posts.</summary>
    public UserPosts? Posts => plan.Posts;

    /// <summary>Sets the schedule of log-ins; before that no user logs in. Any thread.</summary>
    public void Follow(StepSchedule schedule) => _given = schedule;

    /// <summary>Logs users in or out until the target is reached; the schedule then logs no more in. Any thread.</summary>
    public void Approach(UserTarget target) => _target = target;

    /// <summary>Measures a period in addition to the schedule's, which it must not overlap. Any thread.</summary>
    public void Measure(UserStep step) => _asked = step;

    /// <summary>True while an ended period waits to be dequeued. Any thread.</summary>
    public bool HasPeriod => !_finished.IsEmpty;

    /// <summary>Dequeues the oldest ended period. Any thread.</summary>
    public bool TryDequeuePeriod(out (UserStep Step, Period Period) period) => _finished.TryDequeue(out period);

    /// <summary>Records that a user has all images.</summary>
    public void CountIn(User user)
    {
        Recording.Set(UserGauge.UsersIn, Recording[UserGauge.UsersIn] + 1);
        _poster?.Add(user, _time.NowNanos);
    }

    /// <summary>Records that a user has them no longer.</summary>
    public void CountOut() => Recording.Set(UserGauge.UsersIn, Recording[UserGauge.UsersIn] - 1);

    /// <summary>Records an attempt that ended before the login was accepted; another follows.</summary>
    public void RecordRetry(string reason)
    {
        Retries.Add(reason);
        _counters.Add(UserCounter.LoginsRetried, 1);
    }

    /// <summary>Records that a user is lost, or was refused.</summary>
    public void RecordFailure(ConsumerFailure failure)
    {
        _firstFailure ??= failure.Text;
        _counters.Add(failure.Kind == ConsumerFailureKind.LoginRefused ? UserCounter.UsersRefused : UserCounter.UsersLost, 1);
    }

    /// <summary>Records an update: when it was read, and its stamp (0 for none).</summary>
    public void RecordUpdate(long nowNanos, ulong stamp)
    {
        if (nowNanos >= _edgeNanos)
            PassEdges(nowNanos);
        if (_period is not null)
            _period.Updates++;
        if (stamp != 0)
            RecordLatency(ToMicros(nowNanos, stamp));
    }

    /// <summary>Records a post that its own user received back: when it was read, and its stamp.</summary>
    public void RecordPost(long nowNanos, ulong stamp)
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
        StartPeriod();
        if (now >= _edgeNanos)
            PassEdges(now);
        if (worker.IsEndRequested)
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

    // Log-ins that are overdue at the start follow each other faster than in the schedule.
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

    private void RecordLatency(long micros)
    {
        if (!plan.Options.Measures)
            micros = SpreadOf(micros);
        else
            Recording[Series.Updates].Record(micros);
        _period?.Record(micros);
    }

    // Two clocks: the sample's distance above the minimum since the last period counts.
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
        Recording.Set(UserGauge.UsersAsked, Recording[UserGauge.UsersAsked] + 1);
        _nextOwn += plan.Threads;
        _pace!.RecordLogin();
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

    // Not while the user is connecting: users before it wait for it, so that they leave in order.
    private bool TryLogOutLast()
    {
        ConsumerSession session = _users[^1].Connection!.Session;
        if (!session.IsOpen && session.Closed is null)
            return false;
        session.StopRecovery();
        if (session.IsOpen)
        {
            session.TryLogOut();
            worker.Finish(session);
        }

        _users.RemoveAt(_users.Count - 1);
        _nextOwn -= plan.Threads;
        Recording.Set(UserGauge.UsersAsked, Recording[UserGauge.UsersAsked] - 1);
        return true;
    }

    private void StartPeriod()
    {
        if (_asked is not { } step || _period is not null)
            return;
        (_asked, _outOfTurn, _edgeNanos) = (null, step, step.FromNanos);
    }

    // A late thread passes several edges at once.
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
        _period = new() { UsersIn = (int)Recording[UserGauge.UsersIn] };
        _before = PeriodCounts.Of(_counters);
        _periodSpan = ThreadSpan.Begin();
        _edgeNanos = step.ToNanos;
    }

    private void EndPeriod(UserStep step)
    {
        Period period = _period!;
        _period = null;
        _leastMicros = long.MaxValue;
        period.Counts = PeriodCounts.Of(_counters) - _before;
        period.LoginRetries = _counters[UserCounter.LoginsRetried] - _retriesBefore;
        _retriesBefore += period.LoginRetries;
        period.CpuPerThread.Add(_periodSpan.CorePercent);
        _finished.Enqueue((step, period));
        _step += _outOfTurn is null ? 1 : 0;
        _outOfTurn = null;
        _edgeNanos = _schedule!.HasPeriods && _step < _schedule.Steps.Count ? _schedule.Steps[_step].FromNanos : long.MaxValue;
    }
}
