using HubPerf.Cache;
using HubPerf.Rings;
using HubPerf.Services;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace HubPerf.Sources;

/// <summary>
/// One source thread: its sources, the items they have, the rings to and from every session thread, and those of what non-interactive
/// providers send from and to other source threads.
/// </summary>
/// <remarks>
/// It owns the cache: an answer to a request travels in the same ring as the updates, so that order holds without a lock. While one ring is
/// full nothing is read from the sources, which holds them up; a slow consumer never fills a ring.
/// </remarks>
internal sealed partial class SourceHost : IWorkerTask
{
    /// <summary>Size of each ring to a session thread.</summary>
    public const int RingBytes = 4 * 1024 * 1024;

    private const int InputRingBytes = 1024 * 1024;

    // Of one thread, before others and the sources get their turn: when a consumer of 100,000 items leaves, those of others go on.
    private const int MaxRecordsPerTurn = 256;

    private readonly ServiceTable _services;
    private readonly List<ItemSource> _sources = [];
    private readonly SleepFlag[] _sessionFlags;
    private readonly bool[] _isStamped;
    private readonly List<RsslChannel> _held = [];
    private readonly List<Input> _inputs = []; // of session threads by their numbers, then of other source threads
    private long _receivedNanos;
    private bool _areConnectionsOver;
    private bool _isOver;

    /// <param name="number">Its number among the source threads.</param>
    /// <param name="worker">Its worker.</param>
    /// <param name="services">The services of all sources.</param>
    /// <param name="sessionFlags">Those of the session threads.</param>
    /// <param name="uncached">What stands for an item that no non-interactive provider has published.</param>
    public SourceHost(int number, Worker worker, ServiceTable services, SleepFlag[] sessionFlags, UncachedAnswer uncached)
    {
        (Number, Worker, _services, _sessionFlags) = (number, worker, services, sessionFlags);
        Flag = new SleepFlag(worker);
        ToSessions = [.. sessionFlags.Select(_ => new ByteRing(RingBytes))];
        _isStamped = new bool[sessionFlags.Length];
        Publishers = new NiSource(uncached);
        _sources.Add(Publishers);
    }

    public int Number { get; }

    public Worker Worker { get; }

    public SleepFlag Flag { get; }

    /// <summary>What sessions get, by the number of their thread.</summary>
    public ByteRing[] ToSessions { get; }

    public FieldMerger Merger { get; } = new();

    public ServiceTable Services => _services;

    /// <summary>False where each watcher has a stream of its own at the source.</summary>
    public bool IsCaching { get; init; } = true;

    /// <summary>The non-interactive providers as this thread has their items.</summary>
    public NiSource Publishers { get; }

    /// <summary>The ways of non-interactive providers whose connections are this thread's. Before the thread runs.</summary>
    public PublisherRoutes Routes { get => field ?? throw new InvalidOperationException("the threads are not joined"); set; }

    // More may come while a thread hands on what it receives.
    public bool DelaysEnd => !_isOver;

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

    /// <summary>Adds a thread that hands something to this one: session threads first, in their order. Before the threads run.</summary>
    /// <returns>Its end of the ring.</returns>
    public RingSender AddInput(SleepFlag writer)
    {
        Input input = new(new ByteRing(InputRingBytes), writer);
        _inputs.Add(input);
        return new RingSender(input.Ring, Flag);
    }

    /// <summary>Says when the messages that follow were received.</summary>
    public void NoteReceived(long nowNanos)
    {
        if (nowNanos == _receivedNanos)
            return;
        _receivedNanos = nowNanos;
        Array.Clear(_isStamped);
    }

    /// <summary>Has a channel read no further until there is room again.</summary>
    public void Hold(RsslChannel channel)
    {
        channel.HoldReading(holds: true);
        _held.Add(channel);
    }

    public void OnFirstOver()
    {
        _areConnectionsOver = true;
        Routes.Finish();
    }

    public void OnAwake() => Flag.Clear();

    public void Work()
    {
        ReleaseHeld();
        AnswerWaiting();
        foreach (ItemSource source in _sources)
            source.Continue(this);
        for (int input = 0; input < _inputs.Count; input++)
            TakeRecords(input, _inputs[input]);
        if (_throttled.Count > 0)
            HandOnDue(Worker.Time.NowNanos);
        MoveWhenSparse();
        Publish();
        if (_areConnectionsOver && !_isOver)
            End();
        SetGauges();
    }

    public bool TrySleep()
    {
        Flag.Announce();
        return !HasWork();
    }

    /// <summary>Shows the other threads what was added to their rings.</summary>
    public void Publish()
    {
        for (int session = 0; session < ToSessions.Length; session++)
        {
            if (!ToSessions[session].HasUnpublished)
                continue;
            ToSessions[session].Publish();
            _sessionFlags[session].WakeSleeper();
        }

        Routes.Publish();
    }

    // Once no other thread hands on any more: consumers end after the sources.
    private void End()
    {
        if (!_inputs.TrueForAll(input => input.Ring.IsFinished) || !TryHandOnAll())
            return;
        Publish();
        _isOver = true;
        for (int session = 0; session < ToSessions.Length; session++)
        {
            ToSessions[session].Finish();
            _sessionFlags[session].Wake();
        }
    }

    // While a ring is full, or a source takes no more, requests wait: whoever makes room wakes this thread. What other source threads hand
    // over waits for room alone, so that no two wait for each other.
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

        bool isCrowded = Routes.IsCrowded; // before it is asked for work, which has it woken then
        return Routes.HasWork() || Merger.Store.IsMoving || (hasRoom
            && ((_held.Count > 0 && !isCrowded) || _toAnswer.Count > 0 || _sources.Exists(source => source.HasWork) || HasInput()));
    }

    private bool AreSourcesFull() => _sources.Exists(source => source.IsFull);

    private bool HasInput()
    {
        bool areSourcesFull = AreSourcesFull();
        for (int input = 0; input < _inputs.Count; input++)
        {
            if (MayTake(input, areSourcesFull) && _inputs[input].Ring.HasUnread)
                return true;
        }

        return false;
    }

    // Requests may go on to a source; what comes of other source threads stays here.
    private bool MayTake(int input, bool areSourcesFull) => input >= ToSessions.Length || !areSourcesFull;

    private void TakeRecords(int number, Input input)
    {
        ByteRing ring = input.Ring;
        for (int i = 0; i < MaxRecordsPerTurn && HasRoom() && MayTake(number, AreSourcesFull()) && ring.TryRead(out RingRecord record); i++)
            Take(number, record);
        if (ring.Release())
            input.Writer.WakeSleeper();
    }

    private void ReleaseHeld()
    {
        if (_held.Count == 0 || !HasRoom() || Routes.IsCrowded)
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
        Worker.Recording.Set(Gauge.ItemBytes, _itemBytes + Merger.Store.UsedBytes);
        int connections = 0;
        foreach (ItemSource source in _sources)
            connections += source.Connections;
        Worker.Recording.Set(Gauge.Sources, connections);
    }

    // What one thread hands over, and the providers that it has handed something of.
    private sealed record Input(ByteRing Ring, SleepFlag Writer)
    {
        public StreamMap<NiProvider> Providers { get; } = new();
    }
}
