using System.Collections.Concurrent;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>One worker thread: its poller, its connections, its ticks. Everything but the members marked so belongs to that thread.</summary>
internal sealed partial class TransportWorker : IDisposable
{
    private const long IdleNanos = Clock.NanosPerSecond;

    private readonly TransportPlan _plan;
    private readonly RunNotices _notices;
    private readonly ClientConnector? _connector;
    private readonly List<Peer> _peers = [];
    private bool _finishing;
    private volatile bool _stopRequested;
    private int _connectionsSoFar;
    private int _activeNow;
    private int _goneSoFar;

    public TransportWorker(TransportPlan plan, int number, RunNotices notices)
    {
        _plan = plan;
        _notices = notices;
        Number = number;
        Poller = new ChannelPoller(new PollerOptions { BusyRead = plan.Options.Run.BusyRead });
        _connector = plan.Connect is null ? null : new ClientConnector(Poller, plan.Connect, notices);
        _stamps = plan.CreateStampCells(number);
        _schedule = new TickSchedule(plan.Options.Run.TickRate);
        LatencyRecords = plan.CreateLatencyRing();
    }

    /// <summary>Number of the worker, from 1. Any thread.</summary>
    public int Number { get; }

    /// <summary>Where accepted connections are posted. Any thread.</summary>
    public ChannelPoller Poller { get; }

    /// <summary>Latency of stamped messages; collected by the main thread.</summary>
    public LatencySeries Latency { get; } = new(LatencyUnit.Nanoseconds);

    /// <summary>How late ticks start; collected by the main thread.</summary>
    public LatencySeries SendLag { get; } = new(LatencyUnit.Nanoseconds);

    /// <summary>Stamps for the latency file; emptied by the main thread; null without that file.</summary>
    public RecordRing<LatencyRecord>? LatencyRecords { get; }

    /// <summary>Counts at the moment that the main thread asks for.</summary>
    public CountsSlot Counts { get; } = new();

    /// <summary>Connections that have ended, for the main thread to take.</summary>
    public ConcurrentQueue<ConnectionEnd> Ends { get; } = new();

    /// <summary>Connections whose handshake is done and that are not over. Any thread.</summary>
    public int ActiveNow => Volatile.Read(ref _activeNow);

    /// <summary>Connections that are over, those without a handshake included. Any thread.</summary>
    public int GoneSoFar => Volatile.Read(ref _goneSoFar);

    /// <summary>Why a client's worker gave up; null while it has not. Any thread.</summary>
    public string? GaveUp => _connector?.GaveUp;

    /// <summary>Why a client could not connect so far; null when no attempt failed. Any thread.</summary>
    public string? LastConnectProblem => _connector?.LastReason;

    /// <summary>When the first connection became active, 0 for never. After the thread has ended.</summary>
    public long FirstConnectedNanos { get; private set; }

    /// <summary>When the last connection ended, or the end began. After the thread has ended.</summary>
    public long LastConnectedNanos { get; private set; }

    /// <summary>Set when a connection had to be cut at the end, so that counts of both sides may differ. After the thread has ended.</summary>
    public string? CutAtEnd { get; private set; }

    /// <summary>Has the worker end: stop ticks, flush, end our streams, read until the peers' ends. Any thread.</summary>
    public void RequestStop()
    {
        _stopRequested = true;
        Poller.Wake();
    }

    /// <summary>The body of the thread.</summary>
    public void Run()
    {
        while (!IsDone(Clock.NowNanos))
            TakeTurn(Clock.NowNanos);
        foreach (Peer peer in _peers)
            Cut(peer);
    }

    public void Dispose() => Poller.Dispose();

    private bool IsDone(long nowNanos) =>
        _finishing && (_peers.Count == 0 || nowNanos >= _finishByNanos);

    private void TakeTurn(long nowNanos)
    {
        if (_stopRequested && !_finishing)
            BeginFinish(nowNanos);
        else if (_connector is not null && !_finishing)
            _connector.ConnectWhenDue(nowNanos);

        if (_plan.Sends && _peers.Count > 0 && !_finishing)
            SendDueTicks(nowNanos);
        Poller.Wait(NextWakeNanos(nowNanos));
        ServeReady();
        ServiceReports();
    }

    private long NextWakeNanos(long nowNanos)
    {
        if (_finishing)
            return _finishByNanos;
        if (_plan.Sends && _peers.Count > 0)
            return _schedule.NextDueNanos;
        return Math.Min(nowNanos + IdleNanos, _connector?.NextAttemptNanos ?? long.MaxValue);
    }

    private void ServeReady()
    {
        IReadOnlyList<RsslChannel> ready = Poller.Ready;
        for (int i = 0; i < ready.Count; i++)
        {
            RsslChannel channel = ready[i];
            if (channel.Tag is Peer peer)
                Serve(peer);
            else
                Welcome(channel);
            if (channel.State == ChannelState.Closed && channel.Tag is null)
                _gone.Add(channel);
        }

        // a connection may also end while it is written to
        foreach (Peer peer in _peers)
        {
            if (peer.Channel.State == ChannelState.Closed)
                _gone.Add(peer.Channel);
        }
        if (_gone.Count > 0)
            RemoveGone();
    }

    private void Serve(Peer peer)
    {
        Read(peer);
        if (peer.HasBurst)
            ContinueBurst(peer);
    }

    private void Welcome(RsslChannel channel)
    {
        if (channel.State is not (ChannelState.Active or ChannelState.Closing))
            return;
        long nowNanos = Clock.NowNanos;
        Peer peer = new(channel, _connectionsSoFar++, nowNanos);
        channel.Tag = peer;
        if (FindMismatch(channel) is { } mismatch)
        {
            peer.Violation = mismatch;
            channel.Close();
        }
        if (FirstConnectedNanos == 0)
            FirstConnectedNanos = nowNanos;
        if (_peers.Count == 0)
            _schedule.Start(nowNanos);
        _peers.Add(peer);
        Volatile.Write(ref _activeNow, _peers.Count);
        _notices.Add(ChannelText.Describe(channel));
        if (_finishing)
            channel.FinishSending();
        Serve(peer);
    }

    // A packed buffer must fit into what was agreed; a server's own offer was checked with its options.
    private string? FindMismatch(RsslChannel channel)
    {
        bool fits = _plan.Options.PackCount == 1 || _plan.Options.PackBytes <= channel.Info.MaxMessageBytes;
        return fits ? null : $"-pack: a buffer of {_plan.Options.PackBytes} bytes exceeds the agreed fragment size {channel.Info.MaxMessageBytes}";
    }
}
