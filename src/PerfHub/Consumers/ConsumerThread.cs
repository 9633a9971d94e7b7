using System.Runtime.CompilerServices;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Counting;
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

    private readonly ConsumerTable _table = new();
    private readonly List<HubSession?> _sessions; // of the table
    private readonly PendingDeliveries _deliveries = new();
    private readonly PendingUpdates _pending = new();
    private readonly List<int> _listed = []; // numbers of connections
    private readonly List<HubSession> _written = [];
    private readonly ThroughLatency _through;
    private SourceLink[] _links = [];
    private readonly Announcer _announcer;
    private readonly UpdateWindows _windows = new();
    private uint _serial;
    private long _arrived; // updates for connections since they were last recorded
    private bool _isBatching; // in this turn

    public ConsumerThread(int number, Worker worker, HubSettings settings)
    {
        (Number, Worker, Settings) = (number, worker, settings);
        _sessions = _table.Sessions;
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
            : new(greatest.KeptBytes(itemBytes), _table.Count - others, bytes => Worker.Poller.Run(_ => greatest.CutForMemory(bytes)));
    }

    /// <summary>Number of connections that publish instead of consuming.</summary>
    public int Publishers { get => _table.Publishers; set => _table.Publishers = value; }

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
        int number = _table.Enter(session);
        _deliveries.Reserve(number);
        return number;
    }

    /// <summary>Begins to close the streams of a connection that has ended, or whose login has.</summary>
    public void BeginClosing(HubSession session) => _table.BeginClosing(session);

    /// <summary>Records that a connection has ended; its number is free once its streams are closed.</summary>
    public void CountLeft() => _table.CountLeft();

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
        _table.CloseSome(_links);
        _isBatching = _windows.HoldsUpdates || Settings.Tuning.Burst.IsOn;
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
        bool mayClose = _table.IsClosing && !SourceLink.IsAnyCrowded(_links);
        bool mayTell = _announcer.NextDueNanos < long.MaxValue && _announcer.HasWork(Worker.Time.NowNanos);
        return !Array.Exists(_links, link => link.HasWork()) && !mayClose && !mayTell;
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

    private void SetGauges()
    {
        if (Worker.IsEnding)
            return; // the last values stay
        Worker.Recording.Set(HubGauge.Consumers, _table.Consumers);
        if (Routes.Local is null)
            Worker.Recording.Set(HubGauge.Sources, Publishers);
        int watchers = 0;
        foreach (SourceLink link in _links)
            watchers += link.Watchers.Count;
        Worker.Recording.Set(HubGauge.Watchers, watchers);
        SetBurstGauge();
    }
}
