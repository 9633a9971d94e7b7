using System.Buffers.Binary;
using HubPerf.Cache;
using HubPerf.Rings;
using HubPerf.Services;
using HubPerf.Sources;
using PerfCommon.Codec;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <summary>One session thread: its consumers, who of them watches what, and what they get.</summary>
/// <remarks>
/// A run of records is gone through twice: first each is noted at the connections it is for, then each connection takes its own together.
/// So a message costs its bytes and a note, and a connection is flushed once.
/// </remarks>
internal sealed class SessionHost : IWorkerTask
{
    // Bytes of a ring that are gone through before they are delivered and given back.
    private const int MaxRunBytes = 256 * 1024;

    private readonly List<HubSession?> _sessions = [];
    private readonly Stack<int> _freeNumbers = new();
    private readonly List<HubSession> _noted = [];
    private readonly List<HubSession> _written = [];
    private readonly LatencyBook _through;
    private SourceLink[] _links = [];
    private ServiceSnapshot _announced = ServiceSnapshot.Empty;
    private uint _serial;
    private byte[] _room = new byte[4_096];

    public SessionHost(int number, Worker worker, HubSettings settings)
    {
        (Number, Worker, Settings) = (number, worker, settings);
        Flag = new SleepFlag(worker);
        _through = new LatencyBook(worker.Recording[Series.Through]);
        worker.Task = this;
    }

    public int Number { get; }

    public Worker Worker { get; }

    public HubSettings Settings { get; }

    public SleepFlag Flag { get; }

    /// <summary>Layouts of updates that wait for slow readers.</summary>
    public LayoutTable Layouts { get; } = new();

    /// <summary>Connections that are no consumers but publish.</summary>
    public int Publishers { get; set; }

    /// <summary>The services that consumers were told of last.</summary>
    public ServiceSnapshot Services => _announced;

    /// <summary>True while requests wait for room.</summary>
    public bool IsFull => Array.Exists(_links, link => link.IsFull);

    // More may come while a source thread runs, or lies in a ring.
    public bool DelaysEnd => Array.Exists(_links, link => !link.Host.Worker.HasEnded || link.FromSource.HasUnread);

    /// <summary>Gets its links; before the thread runs.</summary>
    public void Link(IEnumerable<SourceHost> hosts) => _links = [.. hosts.Select(host => new SourceLink(host, Number))];

    /// <summary>Enters a connection.</summary>
    /// <returns>Its number.</returns>
    public int Enter(HubSession session)
    {
        if (_freeNumbers.TryPop(out int number))
        {
            _sessions[number] = session;
            return number;
        }

        _sessions.Add(session);
        return _sessions.Count - 1;
    }

    /// <summary>Forgets a connection; its streams were closed.</summary>
    public void Leave(HubSession session)
    {
        _sessions[session.SlotNumber] = null;
        _freeNumbers.Push(session.SlotNumber);
    }

    /// <summary>Number for a request, by which its answer is known.</summary>
    public uint NextSerial() => ++_serial;

    /// <summary>Room for a record that is handed over at once.</summary>
    public byte[] Room(int bytes)
    {
        if (_room.Length < bytes)
            _room = new byte[bytes];
        return _room;
    }

    /// <summary>Hands something to a source thread.</summary>
    public void Send(int sourceHost, SessionRecord kind, int number, ReadOnlySpan<byte> bytes) => _links[sourceHost].Send(kind, number, bytes);

    /// <summary>Takes a stream out of the watchers of its item.</summary>
    /// <returns>True when it had no image yet.</returns>
    public bool Unwatch(StreamEntry entry)
    {
        SourceLink link = _links[entry.SourceHost];
        bool waited = link.Watchers.Of(entry.Slot)[entry.Place].Waits;
        if (link.Watchers.TryRemove(entry.Slot, entry.Place, out Watcher moved))
            _sessions[moved.Number]!.MoveTo(moved.StreamId, entry.Place);
        link.Send(SessionRecord.Unwatch, entry.Slot, default);
        return waited;
    }

    /// <summary>Notes how much waits for one connection.</summary>
    public void NoteQueued(int bytes)
    {
        if (bytes > Worker.Recording[Gauge.QueuedBytesMax])
            Worker.Recording.Set(Gauge.QueuedBytesMax, bytes);
    }

    /// <summary>Notes a connection that gets something in this run.</summary>
    public void Note(HubSession session) => _noted.Add(session);

    public void Work()
    {
        Flag.Clear();
        FollowServices();
        foreach (SourceLink link in _links)
            DeliverRun(link);
        foreach (HubSession session in _written)
            session.FlushWritten();
        _through.Settle(_written, Worker.Time.NowNanos);
        _written.Clear();
        foreach (SourceLink link in _links)
            link.Publish();
        SetGauges();
    }

    public void OnEnded()
    {
    }

    public bool TrySleep()
    {
        Flag.Announce();
        return !Array.Exists(_links, link => link.HasWork()) && Settings.Services.Current.Version == _announced.Version;
    }

    private void FollowServices()
    {
        ServiceSnapshot now = Settings.Services.Current;
        if (now.Version == _announced.Version)
            return;
        _announced = now;
        foreach (HubSession? session in _sessions)
            session?.TellServices(now);
    }

    private void DeliverRun(SourceLink link)
    {
        ByteRing ring = link.FromSource;
        while (ring.Unreleased < MaxRunBytes && ring.TryRead(out RingRecord record))
        {
            if (record.Array == ring.Bytes)
            {
                Take(link, record);
                continue;
            }

            // one that went beside the ring has bytes of its own
            DeliverNoted(ring.Bytes);
            Take(link, record);
            DeliverNoted(record.Array);
        }

        DeliverNoted(ring.Bytes);
        if (ring.Release())
            link.Host.Flag.WakeSleeper();
    }

    private void DeliverNoted(byte[] bytes)
    {
        foreach (HubSession session in _noted)
        {
            session.DeliverNoted(bytes);
            if (session.IsWritten)
                continue;
            session.IsWritten = true;
            _written.Add(session);
        }

        _noted.Clear();
    }

    private void Take(SourceLink link, in RingRecord record)
    {
        switch ((SourceRecord)record.Kind)
        {
            case SourceRecord.Received:
                _through.Begin(BinaryPrimitives.ReadInt64LittleEndian(record.Bytes));
                break;
            case SourceRecord.Update:
                _through.Count();
                NoteAll(link, record, MessageKind.Update);
                break;
            case SourceRecord.Reflection:
                NoteAll(link, record, MessageKind.Reflection);
                break;
            case SourceRecord.Generic:
                NoteAll(link, record, MessageKind.Generic);
                break;
            case SourceRecord.Status:
                NoteStatus(link, record);
                break;
            case SourceRecord.Image:
                NoteImage(link, record);
                break;
            case SourceRecord.Final:
                NoteFinal(link, record);
                break;
            default:
                TakeAddressed(link, record);
                break;
        }
    }

    private void NoteAll(SourceLink link, in RingRecord record, MessageKind kind)
    {
        int noted = 0;
        foreach (Watcher watcher in link.Watchers.Of(record.Number))
        {
            if (watcher.Waits)
                continue;
            _sessions[watcher.Session]!.Note(new Delivery(record.At, record.Length, watcher.StreamId, kind, IsAnswer: false));
            noted++;
        }

        if (noted == 0 && kind == MessageKind.Update)
            Worker.Recording.Counters.Add(Counter.UpdatesUnwatched, 1);
    }

    // Also for those that wait for their image: it says why it does not come.
    private void NoteStatus(SourceLink link, in RingRecord record)
    {
        foreach (Watcher watcher in link.Watchers.Of(record.Number))
            _sessions[watcher.Number]!.Note(new Delivery(record.At, record.Length, watcher.StreamId, MessageKind.Other, IsAnswer: false));
    }

    private void NoteImage(SourceLink link, in RingRecord record)
    {
        foreach (ref Watcher watcher in link.Watchers.Of(record.Number))
        {
            HubSession session = _sessions[watcher.Number]!;
            session.Note(new Delivery(record.At, record.Length, watcher.StreamId, MessageKind.Refresh, watcher.Waits));
            if (!watcher.Waits)
                continue;
            session.EndWait();
            watcher = Watcher.Of(watcher.Number, watcher.StreamId, waits: false);
        }
    }

    private void NoteFinal(SourceLink link, in RingRecord record)
    {
        MessageKind kind = MsgPatch.ClassOf(record.Bytes) == MsgClass.Refresh ? MessageKind.Refresh : MessageKind.Other;
        while (link.Watchers.Of(record.Number) is [.., var watcher])
        {
            HubSession session = _sessions[watcher.Number]!;
            session.Note(new Delivery(record.At, record.Length, watcher.StreamId, kind, watcher.Waits));
            session.CloseStream(watcher.StreamId);
        }
    }

    // A connection that is gone, or a stream that was closed meanwhile: its request has another number, or none.
    private void TakeAddressed(SourceLink link, in RingRecord record)
    {
        StreamAddress address = StreamAddress.Read(record.Bytes);
        HubSession? session = address.Session < _sessions.Count ? _sessions[address.Session] : null;
        SourceRecord kind = (SourceRecord)record.Kind;
        Delivery message = new(record.At + StreamAddress.Bytes, record.Length - StreamAddress.Bytes, address.StreamId, MessageKind.Other, IsAnswer: false);
        switch (kind)
        {
            case SourceRecord.Watch or SourceRecord.WatchWithAnswer when session is null || !session.IsRequested(address):
                link.Send(SessionRecord.Unwatch, record.Number, default);
                break;
            case SourceRecord.Watch or SourceRecord.WatchWithAnswer:
                Watcher watcher = Watcher.Of(address.Session, address.StreamId, waits: kind == SourceRecord.Watch);
                session.OpenStream(address.StreamId, new StreamEntry(StreamUse.Open, (byte)link.Host.Number, record.Number, link.Watchers.Add(record.Number, watcher)));
                if (kind == SourceRecord.Watch)
                    break;
                session.Note(message with { Kind = KindOf(record) });
                session.EndWait();
                break;
            case SourceRecord.Answer when session?.IsRequested(address) == true:
                session.Note(message with { Kind = KindOf(record) });
                session.EndWait();
                session.CloseStream(address.StreamId);
                break;
            case SourceRecord.Direct when session?.Expects(address) == true:
                session.Note(message with { Kind = KindOf(record) });
                break;
        }
    }

    private static MessageKind KindOf(in RingRecord addressed) =>
        MsgPatch.ClassOf(addressed.Bytes[StreamAddress.Bytes..]) == MsgClass.Refresh ? MessageKind.Refresh : MessageKind.Other;

    private void SetGauges()
    {
        if (Worker.IsEnding)
            return; // what there was before stands
        Worker.Recording.Set(Gauge.Consumers, _sessions.Count - _freeNumbers.Count - Publishers);
        Worker.Recording.Set(Gauge.Watchers, _links.Sum(link => link.Watchers.Count));
    }
}
