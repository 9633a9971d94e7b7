using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>
/// One source thread: its sources, their items, the rings to and from every session thread, and the rings for non-interactive providers' messages
/// from and to other source threads.
/// </summary>
/// <remarks>
/// It owns the cache: an answer to a request travels in the same ring as the updates, so that order holds without a lock. Each part of its work is a
/// separate type: items, receiver of messages, broadcaster, throttle, requests, posts, mover; here is the turn in which they work.
/// </remarks>
internal sealed class UpstreamThread : IWorkerTask
{
    /// <summary>Size of each ring to a session thread.</summary>
    public const int RingBytes = 4 * 1024 * 1024;

    private const int InputRingBytes = 1024 * 1024;

    /// <summary>
    /// Maximum records of one thread before other threads and the sources get their turn: when a consumer of 100,000 items disconnects, the others
    /// must continue. Also the maximum items per turn where a source processes all of its items.
    /// </summary>
    public const int MaxRecordsPerTurn = 256;

    private readonly HubMemory _memory;
    private readonly List<ItemSource> _sources = [];
    private readonly List<RsslChannel> _held = [];
    private readonly List<InputRing> _inputs = []; // of session threads by their numbers, then of other source threads
    private readonly UpdateThrottle _throttle;
    private readonly SnapshotAnswers _snapshots;
    private readonly RequestDispatcher _requests;
    private bool _areConnectionsOver;
    private bool _isOver;

    /// <param name="number">Its number among the source threads.</param>
    /// <param name="worker">Its worker.</param>
    /// <param name="settings">The settings that all source threads share.</param>
    /// <param name="sessionFlags">The sleep flags of the session threads.</param>
    public UpstreamThread(int number, Worker worker, SourceSettings settings, SleepFlag[] sessionFlags)
    {
        (Number, Worker, _memory) = (number, worker, settings.Memory);
        Flag = new SleepFlag(worker);
        Items = new ItemCache(worker, settings);
        ItemImages images = new(Items, settings.Views);
        Broadcaster = new Broadcaster(worker.Recording.Counters, Items, images, sessionFlags);
        _throttle = new UpdateThrottle(worker, settings.Tuning, Items, Broadcaster);
        _snapshots = new SnapshotAnswers(Items, images, Broadcaster);
        Receiver = new ItemReceiver(worker, Items, images, Broadcaster, _throttle, _snapshots);
        Posts = new PostRelay(worker.Recording.Counters, Items, Broadcaster);
        StatusReplies replies = new(Broadcaster);
        PassThroughRequests passed = new(Items, Broadcaster, replies);
        ItemRequests requests = new(settings, Items, images, Broadcaster, _throttle, replies, passed);
        _requests = new RequestDispatcher(Items, requests, passed, _snapshots, Posts);
        Mover = new ItemMover(Items);
        _sources.Add(Items.Publishers);
    }

    public int Number { get; }

    public Worker Worker { get; }

    public SleepFlag Flag { get; }

    /// <summary>The items of its sources.</summary>
    public ItemCache Items { get; }

    /// <summary>The rings to the session threads.</summary>
    public Broadcaster Broadcaster { get; }

    /// <summary>Receives the messages of the items.</summary>
    public ItemReceiver Receiver { get; }

    /// <summary>Relays posts and their acknowledgements.</summary>
    public PostRelay Posts { get; }

    /// <summary>Moves images together.</summary>
    public ItemMover Mover { get; }

    public ServiceTable Services => Items.Services;

    /// <summary>The routes of non-interactive providers whose connections belong to this thread. Set before the thread runs.</summary>
    public PublisherRoutes Routes { get => field ?? throw new InvalidOperationException("the threads are not joined"); set; }

    // More may arrive while a thread still forwards what it receives.
    public bool DelaysEnd => !_isOver;

    /// <summary>When it must run at the latest; far in the future for never.</summary>
    public long NextDueNanos => Math.Min(Math.Min(_throttle.NextDueNanos, Items.NextDueNanos), Number == 0 ? Services.NextDueNanos : long.MaxValue);

    public long KeptBytes => Items.HeldBytes;

    /// <summary>True while sources may be read: a message of maximum length fits into the rings, and there is memory for its contents.</summary>
    public bool MayRead() => !_memory.IsTight && Broadcaster.HasRoom();

    public void Add(ItemSource source) => _sources.Add(source);

    /// <summary>Moves services without a source to other sources of this thread that have them, too.</summary>
    public void FailOver()
    {
        foreach (UpstreamSource standby in _sources.OfType<UpstreamSource>())
            standby.TakeOverLost();
    }

    /// <summary>Finds the publisher of this thread that uses the most memory, if any; connections of sources count too.</summary>
    public HubShare FindGreatest()
    {
        PublisherRelay? greatest = Items.Publishers.Here.MaxBy(publisher => publisher.KeptBytes);
        int connections = _sources.Sum(source => source.Connections);
        return greatest is null ? new(0, connections, null)
            : new(greatest.KeptBytes, connections, bytes => Worker.Poller.Run(_ => greatest.CutForMemory(bytes)));
    }

    /// <summary>Adds a thread that sends records to this one: session threads first, in their order. Before the threads run.</summary>
    /// <returns>The sender's end of the ring.</returns>
    public RingSender AddInput(SleepFlag writer)
    {
        InputRing input = new(new ByteRing(InputRingBytes), writer);
        _inputs.Add(input);
        return new RingSender(input.Ring, Flag);
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
        _snapshots.AnswerWaiting();
        foreach (ItemSource source in _sources)
            source.Continue(this);
        for (int input = 0; input < _inputs.Count; input++)
            ReceiveRecords(input, _inputs[input]);
        _throttle.ForwardDue();
        Items.FreeUnwanted();
        if (Number == 0 && Services.NextDueNanos < long.MaxValue)
            Services.Sweep(Worker.Time.NowNanos);
        Mover.MoveWhenSparse();
        Items.EndTurn();
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
        Broadcaster.Publish();
        Routes.Publish();
    }

    // Ends once no other thread sends any more: consumers end after the sources.
    private void End()
    {
        if (!_inputs.TrueForAll(input => input.Ring.IsFinished) || !_throttle.TryForwardAll())
            return;
        Publish();
        _isOver = true;
        Broadcaster.Finish();
    }

    // While a ring is full, or a source's output is, requests wait: the reader that frees space wakes this thread. Records of other source threads
    // wait for space alone, so that no two threads wait for each other.
    private bool HasWork()
    {
        bool hasRoom = Broadcaster.AwaitRoom();
        bool isCrowded = Routes.IsCrowded || _memory.IsTight; // before Routes.HasWork, which registers for the wake-up
        return Routes.HasWork() || Mover.IsMoving || (hasRoom
            && ((_held.Count > 0 && !isCrowded) || _snapshots.IsWaiting || _sources.Exists(source => source.HasWork) || HasInput()));
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
    private bool MayReceive(int input, bool areSourcesFull) => input >= Broadcaster.Rings.Length || !areSourcesFull;

    private void ReceiveRecords(int number, InputRing input)
    {
        for (int i = 0; i < MaxRecordsPerTurn && Broadcaster.HasRoom() && MayReceive(number, AreSourcesFull())
            && input.Ring.TryRead(out RingRecord record); i++)
        {
            Receive(number, input, record);
        }

        input.Release();
    }

    // Handles a record of a session thread, whose number is that of its ring; other source threads send the first two kinds only.
    private void Receive(int number, InputRing input, RingRecord record)
    {
        switch ((SessionRecord)record.Kind)
        {
            case SessionRecord.Published:
                input.ReceivePublished(this, record);
                break;
            case SessionRecord.PublisherLeft:
                input.EndProvider(Items.Publishers, record.Number);
                break;
            case SessionRecord.PosterLeft:
                uint connection = StreamAddress.Read(record.Bytes).Serial;
                _sources.ForEach(source => source.DiscardPosts(number, connection));
                break;
            default:
                _requests.Receive(number, record);
                break;
        }
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
        Worker.Recording.Set(HubGauge.Items, Items.Table.Count);
        Worker.Recording.Set(HubGauge.ItemBytes, Items.HeldBytes);
        int connections = 0;
        foreach (ItemSource source in _sources)
            connections += source.Connections;
        Worker.Recording.Set(HubGauge.Sources, connections);
    }
}
