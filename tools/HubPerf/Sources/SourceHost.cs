using HubPerf.Cache;
using HubPerf.Rings;
using HubPerf.Services;
using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace HubPerf.Sources;

/// <summary>One source thread: its sources, the items they have, and the rings to and from every session thread.</summary>
/// <remarks>
/// It owns the cache: an answer to a request travels in the same ring as the updates, so that order holds without a lock. While one ring is
/// full nothing is read from the sources, which holds them up; a slow consumer never fills a ring.
/// </remarks>
internal sealed partial class SourceHost : IWorkerTask
{
    /// <summary>Size of each ring to a session thread.</summary>
    public const int RingBytes = 4 * 1024 * 1024;

    private const int RequestRingBytes = 1024 * 1024;

    // Of one session thread, before others and the sources get their turn.
    private const int MaxRequestsPerTurn = 4_096;

    private readonly ServiceTable _services;
    private readonly List<ItemSource> _sources = [];
    private readonly SleepFlag[] _sessionFlags;
    private readonly bool[] _isStamped;
    private readonly List<RsslChannel> _held = [];
    private long _receivedNanos;
    private volatile bool _isOver;

    /// <param name="number">Its number among the source threads.</param>
    /// <param name="worker">Its worker.</param>
    /// <param name="services">The services of all sources.</param>
    /// <param name="sessionFlags">Those of the session threads.</param>
    public SourceHost(int number, Worker worker, ServiceTable services, SleepFlag[] sessionFlags)
    {
        (Number, Worker, _services, _sessionFlags) = (number, worker, services, sessionFlags);
        Flag = new SleepFlag(worker);
        ToSessions = [.. sessionFlags.Select(_ => new ByteRing(RingBytes))];
        FromSessions = [.. sessionFlags.Select(_ => new ByteRing(RequestRingBytes))];
        _isStamped = new bool[sessionFlags.Length];
    }

    public int Number { get; }

    public Worker Worker { get; }

    public SleepFlag Flag { get; }

    /// <summary>What sessions get, by the number of their thread.</summary>
    public ByteRing[] ToSessions { get; }

    /// <summary>What sessions ask, by the number of their thread.</summary>
    public ByteRing[] FromSessions { get; }

    public FieldMerger Merger { get; } = new();

    public ServiceTable Services => _services;

    /// <summary>False where each watcher has a stream of its own at the source.</summary>
    public bool IsCaching { get; init; } = true;

    /// <summary>The non-interactive providers of this thread.</summary>
    public NiSource? Publishers { get; init; }

    /// <summary>What consumers of their services get.</summary>
    public required DictionaryProvider OwnDictionary { get; init; }

    public bool DelaysEnd => false;

    /// <summary>True while a message of full length can be handed to every session thread.</summary>
    public bool HasRoom()
    {
        foreach (ByteRing ring in ToSessions)
        {
            if (!ring.HasRoom())
                return false;
        }

        return true;
    }

    public void Add(ItemSource source) => _sources.Add(source);

    /// <summary>Says when the messages that follow were received.</summary>
    public void NoteReceived(long nowNanos)
    {
        _receivedNanos = nowNanos;
        Array.Clear(_isStamped);
    }

    /// <summary>Has a channel read no further until there is room again.</summary>
    public void Hold(RsslChannel channel)
    {
        channel.HoldReading(holds: true);
        _held.Add(channel);
    }

    /// <summary>True once its sources are over and all they sent lies in the rings. Any thread.</summary>
    public bool IsOver => _isOver;

    public void OnFirstOver()
    {
        HandOnAll();
        Publish();
        _isOver = true;
        foreach (SleepFlag flag in _sessionFlags)
            flag.Wake(); // consumers end after the sources
    }

    public void OnAwake() => Flag.Clear();

    public void Work()
    {
        ReleaseHeld();
        AnswerWaiting();
        foreach (ItemSource source in _sources)
            source.Continue(this);
        for (int session = 0; session < FromSessions.Length; session++)
            TakeRequests(session);
        if (_throttled.Count > 0)
            HandOnDue(Worker.Time.NowNanos);
        Publish();
        SetGauges();
    }

    public bool TrySleep()
    {
        Flag.Announce();
        return !HasWork();
    }

    /// <summary>Shows the session threads what was added to their rings.</summary>
    public void Publish()
    {
        for (int session = 0; session < ToSessions.Length; session++)
        {
            if (!ToSessions[session].HasUnpublished)
                continue;
            ToSessions[session].Publish();
            _sessionFlags[session].WakeSleeper();
        }
    }

    // While a ring is full, or a source takes no more, requests wait: whoever makes room wakes this thread.
    private bool HasWork()
    {
        bool hasRoom = true;
        foreach (ByteRing ring in ToSessions)
        {
            if (ring.HasRoom())
                continue;
            ring.AwaitRoom();
            hasRoom &= ring.HasRoom();
        }

        return hasRoom
            && (_held.Count > 0 || _toAnswer.Count > 0 || (!AreSourcesFull() && Array.Exists(FromSessions, ring => ring.HasUnread))
                || _sources.Exists(source => source.HasWork));
    }

    private bool AreSourcesFull() => _sources.Exists(source => source.IsFull);

    private void TakeRequests(int session)
    {
        ByteRing ring = FromSessions[session];
        for (int i = 0; i < MaxRequestsPerTurn && HasRoom() && !AreSourcesFull() && ring.TryRead(out RingRecord record); i++)
            Take(session, record);
        if (ring.Release())
            _sessionFlags[session].WakeSleeper();
    }

    private void ReleaseHeld()
    {
        if (_held.Count == 0 || !HasRoom())
            return;
        foreach (RsslChannel channel in _held)
            channel.HoldReading(holds: false);
        _held.Clear();
    }

    private void SetGauges()
    {
        if (Worker.IsAskedToEnd)
            return; // what there was before stands
        Worker.Recording.Set(Gauge.Items, _itemCount);
        Worker.Recording.Set(Gauge.ItemBytes, _itemBytes);
        Worker.Recording.Set(Gauge.Sources, _sources.Sum(source => source.Connections));
    }
}
