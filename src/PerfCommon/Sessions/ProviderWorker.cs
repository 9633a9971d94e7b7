using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>The body of a provider worker's turn: ticks, bursts, images and requests of all connections of one thread.</summary>
/// <remarks>It starts no thread and prints nothing; the owner calls <see cref="Turn"/> until it wants to end, then <see cref="Finish"/>.</remarks>
internal sealed class ProviderWorker
{
    // At most so many late ticks before reading gets its turn, so that neither side starves.
    private const int MaxTicksPerTurn = 4;

    // Of each tick, refreshes get at least this part while images are due.
    private const int RefreshShare = 10;
    private const int MostAnswerBytes = 8_192;
    private const long IdleWaitNanos = Clock.NanosPerSecond;
    private const long DrainNanos = 3 * Clock.NanosPerSecond;
    private const long NanosPerMicro = 1_000;

    private readonly ProviderPlan _plan;
    private readonly ChannelPoller _poller;
    private readonly TickSchedule _schedule;
    private readonly RatePerTick _updateRate;
    private readonly StampCells _stamps;
    private readonly List<ProviderSession> _sessions = [];
    private readonly long _tickNanos;
    private int _openSessions;
    private int _expected;
    private bool _anyBroken;

    /// <summary>Creates the worker.</summary>
    /// <param name="plan">What it does for each connection.</param>
    /// <param name="poller">Its connections; new ones appear there.</param>
    /// <param name="seed">Seed of the choice of stamped messages.</param>
    public ProviderWorker(ProviderPlan plan, ChannelPoller poller, int seed)
    {
        ArgumentNullException.ThrowIfNull(plan);
        _plan = plan;
        _poller = poller;
        _schedule = new TickSchedule(plan.TickRate);
        _updateRate = new RatePerTick(plan.UpdateRate, plan.TickRate);
        _stamps = new StampCells(plan.UpdateRate, plan.UpdateRate == 0 ? 0 : plan.UpdateStampRate, plan.TickRate, seed);
        _tickNanos = Clock.NanosPerSecond / plan.TickRate;
    }

    /// <summary>What was counted; read by any thread.</summary>
    public ProviderCounters Counters { get; } = new();

    /// <summary>How late each tick started, in microseconds.</summary>
    public LatencySeries SendLag { get; } = new(LatencyUnit.Microseconds);

    /// <summary>Latency of generic messages that consumers stamped, in microseconds.</summary>
    public LatencySeries GenericLatency { get; } = new(LatencyUnit.Microseconds);

    /// <summary>What happened that a person should read, in order; taken by any thread.</summary>
    public RunNotices Notices { get; } = new();

    /// <summary>Connections whose handshake is done; read by any thread.</summary>
    public int OpenSessions => Volatile.Read(ref _openSessions);

    /// <summary>True when messages are packed.</summary>
    public bool Packs => _plan.MaxPackCount > 1;

    /// <summary>Connections that are this worker's, those still in their handshake included; any thread.</summary>
    public int Connections => Math.Max(Volatile.Read(ref _expected), 0);

    /// <summary>Notes that a connection is about to be posted; main thread.</summary>
    public void Expect() => Interlocked.Increment(ref _expected);

    /// <summary>Where answers of the cold conversations are encoded; of all connections.</summary>
    internal byte[] Scratch { get; } = new byte[MostAnswerBytes];

    /// <summary>True once a connection broke instead of being closed: counts of both sides cannot be compared then.</summary>
    public bool AnyBroken => Volatile.Read(ref _anyBroken);

    /// <summary>Notes a connection that broke.</summary>
    internal void NoteBrokenConnection() => Volatile.Write(ref _anyBroken, true);

    /// <summary>Does what is due, then waits for bytes or the next tick, whichever comes first, and reads.</summary>
    public void Turn()
    {
        bool unfinished = _sessions.Count > 0 && SendWhatIsDue();
        _poller.Wait(unfinished ? 0 : _sessions.Count > 0 ? _schedule.NextDueNanos : Clock.NowNanos + IdleWaitNanos);
        FindNewSessions();
        ReadAll(_schedule.NextDueNanos);
        DropClosed();
        SendLag.ServiceRequests();
        GenericLatency.ServiceRequests();
    }

    /// <summary>Ends all connections in good order: sends what is queued, ends our streams, reads to the end of the peers' (3 s at most).</summary>
    public void Finish()
    {
        foreach (ProviderSession session in _sessions)
            session.FinishSending();
        long until = Clock.NowNanos + DrainNanos;
        while (_sessions.Count > 0 && Clock.NowNanos < until)
        {
            _poller.Wait(Math.Min(until, Clock.NowNanos + (DrainNanos / 30)));
            ReadAll(long.MaxValue);
            DropClosed();
        }

        foreach (ProviderSession session in _sessions)
            session.Close();
        DropClosed();
        SendLag.ServiceRequests();
        GenericLatency.ServiceRequests();
    }

    // True when work is left that no wait brings nearer.
    private bool SendWhatIsDue()
    {
        long now = Clock.NowNanos;
        bool late = true;
        for (int ticks = 0; ticks < MaxTicksPerTurn && (late = _schedule.TryTakeTick(now, out TickInfo tick)); ticks++)
        {
            SendBursts(tick);
            now = Clock.NowNanos;
        }

        SendBlockedRefreshes();
        foreach (ProviderSession session in _sessions)
            session.ContinueBurst();
        bool imagesLeft = SendRefreshes(now);
        foreach (ProviderSession session in _sessions)
            session.Flush();
        return late || imagesLeft;
    }

    private void SendBursts(in TickInfo tick)
    {
        bool sending = false;
        for (int i = 0; i < _sessions.Count; i++)
        {
            ProviderSession session = _sessions[i];
            long skipped = tick.SkippedBefore == 0 ? 0 : _updateRate.InTicks(tick.Index - tick.SkippedBefore, tick.SkippedBefore);
            int stampPlace = _stamps.EveryMessage ? -1 : _stamps.Position(_stamps.CellOf(tick.Index, i));
            sending |= session.StartBurst(_updateRate.InTick(tick.InSecond), stampPlace, skipped);
        }

        if (sending)
            SendLag.Record(tick.LagNanos / NanosPerMicro);
    }

    // Where updates fill every output buffer, images would never find one: they get the first that come free, for their share of a tick.
    private void SendBlockedRefreshes()
    {
        long until = Clock.NowNanos + (_tickNanos / RefreshShare);
        foreach (ProviderSession session in _sessions)
        {
            while (session.IsBlocked && session.SendRefreshBurst() && Clock.NowNanos < until)
            {
            }
        }
    }

    // True when images are left that could be sent now but for the next tick.
    private bool SendRefreshes(long now)
    {
        long until = Math.Max(_schedule.NextDueNanos, now + (_tickNanos / RefreshShare));
        bool any = true;
        while (any)
        {
            any = false;
            foreach (ProviderSession session in _sessions)
                any |= session.SendRefreshBurst();
            if (any && Clock.NowNanos >= until)
                return true;
        }

        return false;
    }

    private void FindNewSessions()
    {
        IReadOnlyList<RsslChannel> ready = _poller.Ready;
        for (int i = 0; i < ready.Count; i++)
        {
            RsslChannel channel = ready[i];
            if (channel.Tag is null && channel.State == ChannelState.Active)
                Open(channel);
        }
    }

    private void Open(RsslChannel channel)
    {
        if (_plan.MaxPackCount > 1 && _plan.PackBufferBytes > channel.Info.MaxMessageBytes)
        {
            Notices.Add($"connection refused: -packBufSize {_plan.PackBufferBytes} is more than the agreed {channel.Info.MaxMessageBytes} bytes");
            channel.Tag = this;
            channel.Close();
            return;
        }

        if (_sessions.Count == 0)
            _schedule.Start(Clock.NowNanos);
        ProviderSession session = new(_plan, channel, this);
        channel.Tag = session;
        _sessions.Add(session);
        Volatile.Write(ref _openSessions, _sessions.Count);
        Counters.Connections.Add(1);
        Notices.Add($"Connected: {ChannelText.Describe(channel)}");
    }

    private void ReadAll(long until)
    {
        foreach (ProviderSession session in _sessions)
            session.Read(until);
    }

    private void DropClosed()
    {
        for (int i = _sessions.Count - 1; i >= 0; i--)
        {
            if (!_sessions[i].TryEnd())
                continue;
            _sessions.RemoveAt(i);
            Volatile.Write(ref _openSessions, _sessions.Count);
        }

        for (int i = _poller.Channels.Count - 1; i >= 0; i--)
        {
            RsslChannel channel = _poller.Channels[i];
            if (channel.State != ChannelState.Closed)
                continue;
            if (channel.Tag is null)
                Notices.Add($"Connection not completed: {channel.Closed?.Text}");
            _poller.Remove(channel);
            Interlocked.Decrement(ref _expected);
        }
    }
}
