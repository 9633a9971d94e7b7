using System.Runtime.CompilerServices;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>One session thread: its consumers, the items they watch, and the messages delivered to them.</summary>
/// <remarks>
/// A batch of records is processed twice: first each is recorded for the connections that receive it, then each connection receives its messages
/// together. So a message costs its bytes and one record per connection, and a connection is flushed once. Updates that may wait are stored
/// elsewhere, and stay records until they are sent.
/// </remarks>
internal sealed partial class ConsumerThread : IWorkerTask
{
    // Bytes of a ring that are processed before they are delivered and released.
    private const int MaxBatchBytes = 256 * 1024;

    // Batches per turn of one ring, enough for a full ring: records left in it delay all later ones, requests and their images, too.
    private const int MaxBatchesPerTurn = UpstreamThread.RingBytes / MaxBatchBytes;

    // Streams of ended connections.
    private const int MaxClosedPerTurn = 1_024;
    private const int ClosedAtOnce = 128;

    private readonly List<HubSession?> _sessions = [];
    private readonly Stack<int> _freeNumbers = new();
    private readonly PendingDeliveries _deliveries = new();
    private readonly PendingUpdates _pending = new();
    private readonly List<int> _listed = []; // numbers of connections
    private readonly List<HubSession> _written = [];
    private readonly ThroughLatency _through;
    private SourceLink[] _links = [];
    private readonly Announcer _announcer;
    private readonly Queue<HubSession> _closing = new(); // their streams are closed, some in each turn
    private int _left; // connections among them that have ended
    private uint _serial;

    public ConsumerThread(int number, Worker worker, HubSettings settings)
    {
        (Number, Worker, Settings) = (number, worker, settings);
        Flag = new SleepFlag(worker);
        _announcer = new Announcer(settings.Services);
        FieldLimit = new FieldLimit(settings.MaxFields);
        _through = new ThroughLatency(worker.Recording[Series.Through]);
    }

    public int Number { get; }

    public Worker Worker { get; }

    public HubSettings Settings { get; }

    public SleepFlag Flag { get; }

    /// <summary>The limit of fields for updates that wait for a slow consumer.</summary>
    public FieldLimit FieldLimit { get; }

    /// <summary>Encodes the messages of connections.</summary>
    public FanOutBatch FanOut { get; } = new();

    public long KeptBytes => _links.Sum(link => (long)link.Watchers.Count * ConsumerStreams.StreamBytes) + _pending.HeldBytes;

    /// <summary>Finds the connection that uses the most memory.</summary>
    /// <param name="itemBytes">Average bytes of an item.</param>
    public HubShare FindGreatest(long itemBytes)
    {
        HubSession? greatest = _sessions.Where(session => session is { HasLeft: false }).MaxBy(session => session!.KeptBytes(itemBytes));
        int others = Routes.Local is null ? 0 : Publishers; // counted by the source thread
        return greatest is null ? default
            : new(greatest.KeptBytes(itemBytes), _sessions.Count - _freeNumbers.Count - others, bytes => Worker.Poller.Run(_ => greatest.CutForMemory(bytes)));
    }

    /// <summary>Number of connections that publish instead of consuming.</summary>
    public int Publishers { get; set; }

    /// <summary>The services that consumers were sent last.</summary>
    public ServiceSnapshot Announced => _announcer.Current;

    /// <summary>The routes of publishers. Set before the thread runs.</summary>
    public PublisherRoutes Routes { get => field ?? throw new InvalidOperationException("the threads are not joined"); set; }

    /// <summary>The senders to the source threads, by their numbers.</summary>
    public IEnumerable<RingSender> ToSources => _links.Select(link => link.ToSource);

    /// <summary>True while requests wait for space in a ring.</summary>
    public bool IsFull => Array.Exists(_links, link => link.ToSource.IsFull);

    // More may arrive while a source is connected, or is in a ring.
    public bool DelaysEnd => Array.Exists(_links, link => !link.FromSource.IsFinished);

    /// <summary>Links it with the source threads; before the thread runs.</summary>
    public void Link(IEnumerable<UpstreamThread> hosts) =>
        _links = [.. hosts.Select(host => new SourceLink(host, host.AddInput(Flag), Number))];

    /// <summary>Adds a connection.</summary>
    /// <returns>Its number.</returns>
    public int Enter(HubSession session)
    {
        if (_freeNumbers.TryPop(out int number))
        {
            _sessions[number] = session;
        }
        else
        {
            number = _sessions.Count;
            _sessions.Add(session);
        }

        _deliveries.Reserve(number);
        return number;
    }

    /// <summary>Begins to close the streams of a connection that has ended, or whose login has.</summary>
    public void BeginClosing(HubSession session) => _closing.Enqueue(session);

    /// <summary>Records that a connection has ended; its number is free once its streams are closed.</summary>
    public void CountLeft() => _left++;

    // Removes a connection whose streams were closed.
    private void Leave(HubSession session)
    {
        _left--;
        _sessions[session.SlotNumber] = null;
        _freeNumbers.Push(session.SlotNumber);
    }

    /// <summary>Returns a number for a request, which identifies its answer.</summary>
    public uint NextSerial() => ++_serial;

    /// <summary>Returns the sender to a source thread.</summary>
    public RingSender To(int upstreamIndex) => _links[upstreamIndex].ToSource;

    /// <summary>Removes a stream from the watchers of its item.</summary>
    /// <returns>True when it had no image yet.</returns>
    public bool Unwatch(StreamEntry entry)
    {
        SourceLink link = _links[entry.UpstreamIndex];
        bool waited = link.Watchers.Of(entry.Slot)[entry.Place].Waits;
        if (link.Watchers.TryRemove(entry.Slot, entry.Place, out Watcher moved))
            _sessions[moved.Number]!.Streams.MoveTo(moved.StreamId, entry.Place);
        link.ToSource.Send(SessionRecord.Unwatch, entry.Slot, default);
        return waited;
    }

    /// <summary>Records the bytes queued for one connection.</summary>
    public void RecordQueued(int bytes)
    {
        if (bytes > Worker.Recording[Gauge.QueuedBytesMax])
            Worker.Recording.Set(Gauge.QueuedBytesMax, bytes);
    }

    public void OnAwake() => Flag.Clear();

    public void Work()
    {
        if (_announcer.NextDueNanos < long.MaxValue)
            _announcer.Announce(_sessions, Worker.Time.NowNanos);
        CloseSome();
        _isBatching = HoldsUpdates || Settings.Tuning.Burst.IsOn;
        foreach (SourceLink link in _links)
            DeliverBatches(link);
        if (_isBatching)
            FlushInWindows();
        else
            FlushRest();
        PendingLatencies? pending = SettleThrough();
        _written.Clear();
        if (_isBatching)
            _pending.EndTurn(pending);
        foreach (SourceLink link in _links)
            link.ToSource.Publish();
        SetGauges();
    }

    public void OnFirstOver()
    {
        foreach (SourceLink link in _links)
            link.ToSource.Finish();
    }

    public bool TrySleep()
    {
        Flag.Announce();
        bool mayClose = _closing.Count > 0 && !IsCrowded;
        bool mayTell = _announcer.NextDueNanos < long.MaxValue && _announcer.HasWork(Worker.Time.NowNanos);
        return !Array.Exists(_links, link => link.HasWork()) && !mayClose && !mayTell;
    }

    private bool IsCrowded => Array.Exists(_links, static link => link.ToSource.IsCrowded);

    // Only while the rings to the source threads have space: new requests need some, too.
    private void CloseSome()
    {
        for (int left = MaxClosedPerTurn; left > 0 && _closing.TryPeek(out HubSession? session) && !IsCrowded; left -= ClosedAtOnce)
        {
            if (session.CloseSome(ClosedAtOnce))
                continue;
            _closing.Dequeue();
            if (session.HasLeft)
                Leave(session);
        }
    }

    private void DeliverBatches(SourceLink link)
    {
        for (int run = 0; run < MaxBatchesPerTurn && link.FromSource.HasUnread; run++)
            DeliverBatch(link);
    }

    private void DeliverBatch(SourceLink link)
    {
        ByteRing ring = link.FromSource;
        while (ring.Unreleased < MaxBatchBytes && ring.TryRead(out RingRecord record))
        {
            if (record.Array == ring.Bytes)
            {
                Dispatch(link, record);
                continue;
            }

            // a record too large for the ring has a separate array
            DeliverNoted(ring.Bytes);
            Dispatch(link, record);
            DeliverNoted(record.Array);
        }

        bool isLast = _listed.Count > 1 && !_isBatching && !Array.Exists(_links, static any => any.FromSource.HasUnread);
        DeliverNoted(ring.Bytes, isLast);
        if (ring.Release())
            link.Host.Flag.WakeSleeper();
    }

    private void Enqueue(HubSession session, Delivery delivery) => Enqueue(session.SlotNumber, delivery);

    private void Enqueue(int session, Delivery delivery)
    {
        ref DeliveryList list = ref _deliveries[session];
        list.Add(delivery);
        if (!list.IsListed)
            Enlist(session);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Enlist(int session)
    {
        _deliveries[session].IsListed = true;
        _listed.Add(session);
    }

    // With no more records unread, each connection is sent its messages at once, while its data are in the CPU cache, and the first need not wait
    // until all are served. A single connection waits for records that arrive meanwhile.
    private void DeliverNoted(byte[] run, bool isLast = false)
    {
        FanOut.Invalidate();
        foreach (int number in _listed)
        {
            _deliveries[number].IsListed = false;
            if (isLast)
                Send(number, run);
            else
                DeliverNow(_sessions[number]!, run);
        }

        _listed.Clear();
    }

    private void FlushRest()
    {
        foreach (HubSession session in _written)
        {
            if (session.IsWritten)
                session.FlushWritten();
        }
    }

    // All at once, while the connection's data are in the CPU cache. A connection whose socket accepted everything is not listed.
    private void Send(int number, byte[] run)
    {
        ref DeliveryList list = ref _deliveries[number];
        HubSession session = _sessions[number]!;
        bool isListed = session.IsWritten;
        ReadOnlySpan<Delivery> noted = list.Drain();
        session.Send(new MessageBytes(run, _pending), noted);
        DiscardPending(session, noted, ref list.LastTurn);
        if (!isListed && !session.HasLeft && session.Channel.BytesQueued > 0)
            _written.Add(session);
    }

    private void DeliverNow(HubSession session, byte[] run)
    {
        Deliver(session, run);
        if (session.IsWritten || session.HasLeft)
            return;
        session.IsWritten = true;
        _written.Add(session);
    }

    private void Deliver(HubSession session, byte[] run)
    {
        ref DeliveryList list = ref _deliveries[session.SlotNumber];
        ReadOnlySpan<Delivery> noted = list.Drain();
        session.Deliver(new MessageBytes(run, _pending), noted);
        DiscardPending(session, noted, ref list.LastTurn);
    }

    // Its messages from earlier turns are complete once its socket has accepted them.
    private void DiscardPending(HubSession session, ReadOnlySpan<Delivery> noted, ref int lastTurn)
    {
        long nowNanos = 0;
        foreach (PendingLatencies runs in _pending.Release(noted, ref lastTurn))
            session.NotifySent(runs, ref nowNanos);
    }

    private PendingLatencies? SettleThrough()
    {
        int waiting = _pending.ConnectionsNow;
        foreach (HubSession session in _written)
            waiting += session.Channel.BytesQueued > 0 ? 1 : 0;
        if (_through.Settle(waiting, Worker.Time.NowNanos) is not { } pending)
            return null;
        foreach (HubSession session in _written)
        {
            if (session.Channel.BytesQueued > 0)
                session.Await(pending);
        }

        return pending;
    }

    private void SetGauges()
    {
        if (Worker.IsEnding)
            return; // the last values stay
        Worker.Recording.Set(Gauge.Consumers, _sessions.Count - _freeNumbers.Count - Publishers - _left);
        if (Routes.Local is null)
            Worker.Recording.Set(Gauge.Sources, Publishers);
        int watchers = 0;
        foreach (SourceLink link in _links)
            watchers += link.Watchers.Count;
        Worker.Recording.Set(Gauge.Watchers, watchers);
        SetBurstGauge();
    }
}
