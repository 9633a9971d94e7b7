using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>
/// One source thread: its sources, their items, the rings to and from every session thread, and the rings for non-interactive providers' messages
/// from and to other source threads.
/// </summary>
/// <remarks>
/// It owns the cache: an answer to a request travels in the same ring as the updates, so that order holds without a lock. While one ring is full
/// nothing is read from the sources, which slows them down; a slow consumer never fills a ring.
/// </remarks>
internal sealed partial class UpstreamThread : IWorkerTask
{
    /// <summary>Size of each ring to a session thread.</summary>
    public const int RingBytes = 4 * 1024 * 1024;

    private const int InputRingBytes = 1024 * 1024;
    private const long LookBytes = 1 << 20; // change of the items' bytes after which the memory is checked again

    /// <summary>
    /// Maximum records of one thread before other threads and the sources get their turn: when a consumer of 100,000 items disconnects, the others
    /// must continue. Also the maximum items per turn where a source processes all of its items.
    /// </summary>
    public const int MaxRecordsPerTurn = 256;

    private readonly SourceSettings _settings;
    private readonly List<ItemSource> _sources = [];
    private readonly SleepFlag[] _sessionFlags;
    private readonly bool[] _isStamped;
    private readonly List<RsslChannel> _held = [];
    private readonly UnwantedItems _unwanted;
    private readonly ItemForms _forms;
    private readonly List<Input> _inputs = []; // of session threads by their numbers, then of other source threads
    private long _receivedNanos;
    private long _droppedFields; // dropped fields already counted
    private long _bytesAtLook;
    private bool _areConnectionsOver;
    private bool _isOver;

    /// <param name="number">Its number among the source threads.</param>
    /// <param name="worker">Its worker.</param>
    /// <param name="settings">The settings that all source threads share.</param>
    /// <param name="sessionFlags">The sleep flags of the session threads.</param>
    public UpstreamThread(int number, Worker worker, SourceSettings settings, SleepFlag[] sessionFlags)
    {
        (Number, Worker, _settings, _sessionFlags) = (number, worker, settings, sessionFlags);
        Flag = new SleepFlag(worker);
        ToSessions = [.. sessionFlags.Select(_ => new ByteRing(RingBytes))];
        _isStamped = new bool[sessionFlags.Length];
        Merger = new FieldMerger(new FieldLimit(settings.MaxFields));
        Publishers = new NiSource(settings.Uncached);
        _unwanted = new UnwantedItems(settings.KeepImagesNanos);
        _forms = new ItemForms(_items);
        _sources.Add(Publishers);
    }

    public int Number { get; }

    public Worker Worker { get; }

    public SleepFlag Flag { get; }

    /// <summary>The rings to the session threads, by their numbers.</summary>
    public ByteRing[] ToSessions { get; }

    public FieldMerger Merger { get; }

    public ServiceTable Services => _settings.Services;

    /// <summary>The source of non-interactive providers, for their items in this thread.</summary>
    public NiSource Publishers { get; }

    /// <summary>The routes of non-interactive providers whose connections belong to this thread. Set before the thread runs.</summary>
    public PublisherRoutes Routes { get => field ?? throw new InvalidOperationException("the threads are not joined"); set; }

    // More may arrive while a thread still forwards what it receives.
    public bool DelaysEnd => !_isOver;

    /// <summary>True while a message of maximum length fits into the ring to every session thread.</summary>
    public bool HasRoom()
    {
        foreach (ByteRing ring in ToSessions)
        {
            if (!ring.HasRoom())
                return false;
        }

        return true;
    }

    /// <summary>When it must run at the latest; far in the future for never.</summary>
    public long NextDueNanos => Math.Min(Math.Min(NextHandOnNanos, _unwanted.NextDueNanos), Number == 0 ? Services.NextDueNanos : long.MaxValue);

    public long KeptBytes => HeldBytes;

    /// <summary>True while sources may be read: a message of maximum length fits into the rings, and there is memory for its contents.</summary>
    public bool MayRead() => !_settings.Memory.IsTight && HasRoom();

    /// <summary>True once nothing more is kept: the run ends for lack of memory.</summary>
    public bool HasStopped => _settings.Memory.HasEnded;

    public void Add(ItemSource source) => _sources.Add(source);

    /// <summary>Finds the publisher of this thread that uses the most memory, if any; connections of sources count too.</summary>
    public HubShare FindGreatest()
    {
        PublisherRelay? greatest = Publishers.Here.MaxBy(publisher => publisher.KeptBytes);
        int connections = _sources.Sum(source => source.Connections);
        return greatest is null ? new(0, connections, null)
            : new(greatest.KeptBytes, connections, bytes => Worker.Poller.Run(_ => greatest.CutForMemory(bytes)));
    }

    /// <summary>Adds a thread that sends records to this one: session threads first, in their order. Before the threads run.</summary>
    /// <returns>The sender's end of the ring.</returns>
    public RingSender AddInput(SleepFlag writer)
    {
        Input input = new(new ByteRing(InputRingBytes), writer);
        _inputs.Add(input);
        return new RingSender(input.Ring, Flag);
    }

    /// <summary>Sends the time at which the following messages were received.</summary>
    public void RecordReceived(long nowNanos)
    {
        if (nowNanos == _receivedNanos)
            return;
        _receivedNanos = nowNanos;
        Array.Clear(_isStamped);
    }

    /// <summary>Stops reading a channel until there is space again.</summary>
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
            ReceiveRecords(input, _inputs[input]);
        if (_throttled.Count > 0)
            ForwardDue(Worker.Time.NowNanos);
        if (_unwanted.Count > 0)
            FreeUnwanted(Worker.Time.NowNanos);
        if (Number == 0 && Services.NextDueNanos < long.MaxValue)
            Services.Sweep(Worker.Time.NowNanos);
        MoveWhenSparse();
        EndTurn();
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

    /// <summary>Makes the added records visible to the other threads.</summary>
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

    private void EndTurn()
    {
        Merger.Trim();
        if (HeldBytes - _bytesAtLook is > LookBytes or < -LookBytes)
        {
            _bytesAtLook = HeldBytes;
            _settings.Memory.Look();
        }

        long dropped = Merger.Limit.Dropped - _droppedFields;
        if (dropped == 0)
            return;
        if (_droppedFields == 0)
            Worker.Recording.Notices.Add(LimitCauses.TooManyFields, $"An item has more fields than the limit of {Merger.Limit.MaxFields}; what is beyond is only counted.");
        Worker.Recording.Counters.Add(Counter.FieldsNotKept, dropped);
        _droppedFields += dropped;
    }

    // Ends once no other thread sends any more: consumers end after the sources.
    private void End()
    {
        if (!_inputs.TrueForAll(input => input.Ring.IsFinished) || !TryForwardAll())
            return;
        Publish();
        _isOver = true;
        for (int session = 0; session < ToSessions.Length; session++)
        {
            ToSessions[session].Finish();
            _sessionFlags[session].Wake();
        }
    }

    // While a ring is full, or a source's output is, requests wait: the reader that frees space wakes this thread. Records of other source threads
    // wait for space alone, so that no two threads wait for each other.
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

        bool isCrowded = Routes.IsCrowded || _settings.Memory.IsTight; // before Routes.HasWork, which registers for the wake-up
        return Routes.HasWork() || Merger.Store.IsMoving || (hasRoom
            && ((_held.Count > 0 && !isCrowded) || _toAnswer.Count > 0 || _sources.Exists(source => source.HasWork) || HasInput()));
    }

    private bool AreSourcesFull() => _sources.Exists(source => source.IsFull);

    private bool HasInput()
    {
        bool areSourcesFull = AreSourcesFull();
        for (int input = 0; input < _inputs.Count; input++)
        {
            if (MayReceive(input, areSourcesFull) && _inputs[input].Ring.HasUnread)
                return true;
        }

        return false;
    }

    // Requests may be sent on to a source; records of other source threads end here.
    private bool MayReceive(int input, bool areSourcesFull) => input >= ToSessions.Length || !areSourcesFull;

    private void ReceiveRecords(int number, Input input)
    {
        ByteRing ring = input.Ring;
        for (int i = 0; i < MaxRecordsPerTurn && HasRoom() && MayReceive(number, AreSourcesFull()) && ring.TryRead(out RingRecord record); i++)
            Receive(number, record);
        if (ring.Release())
            input.Writer.WakeSleeper();
    }

    private void ReleaseHeld()
    {
        if (_held.Count == 0 || !MayRead() || Routes.IsCrowded)
            return;
        foreach (RsslChannel channel in _held)
            channel.HoldReading(holds: false);
        _held.Clear();
    }

    private void SetGauges()
    {
        if (Worker.IsEndRequested)
            return; // the last values stay
        Worker.Recording.Set(Gauge.Items, _items.Count);
        Worker.Recording.Set(Gauge.ItemBytes, HeldBytes);
        int connections = 0;
        foreach (ItemSource source in _sources)
            connections += source.Connections;
        Worker.Recording.Set(Gauge.Sources, connections);
    }

    // The input of one thread, and the providers whose messages it has sent.
    private sealed record Input(ByteRing Ring, SleepFlag Writer)
    {
        public StreamMap<NiProvider> Providers { get; } = new();
    }
}
