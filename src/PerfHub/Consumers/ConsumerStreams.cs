using PerfCommon.Sessions;
using PerfHub.FanOut;
using PerfHub.Memory;

namespace PerfHub.Consumers;

/// <summary>The streams of one consumer's connection: what each is used for, its view and its name, and the requests without an answer.</summary>
/// <param name="host">The thread of the connection.</param>
internal sealed class ConsumerStreams(ConsumerThread host)
{
    /// <summary>Bytes of one stream, and of its place among the watchers of the item.</summary>
    public const int StreamBytes = 48;

    private readonly StreamMap<StreamEntry> _entries = new();
    private readonly ItemNames _names = new();
    private readonly Queue<byte>?[] _viewsBefore = new Queue<byte>?[ThreadLimits.MaxThreads]; // by source thread: of reissues without an answer
    private int _session = -1;
    private uint _serial;
    private HashSet<int>? _madePrivate; // streams that a reissue made private
    private IEnumerator<int>? _closing; // streams that are still to be closed

    /// <summary>The views of the streams.</summary>
    public ConnectionViews Views { get; } = new(host.Settings.Views);

    /// <summary>Number of requests without an answer.</summary>
    public int Requested { get; private set; }

    /// <summary>Number of streams.</summary>
    public int Count => _entries.Count;

    /// <summary>The ids of all streams.</summary>
    public IEnumerable<int> Ids => _entries.PositiveIds();

    /// <summary>True while its streams are being closed.</summary>
    public bool IsClosing => _closing is not null;

    /// <summary>Approximate bytes that the hub uses for them, and the items that they have opened.</summary>
    /// <param name="itemBytes">Average bytes of an item.</param>
    public long KeptBytes(long itemBytes) => _names.KeptBytes + Views.KeptBytes + (_entries.Count * (StreamBytes + itemBytes));

    /// <summary>Sets the number of the connection in its thread, and the number by which late answers are recognized.</summary>
    public void Identify(int session, uint serial) => (_session, _serial) = (session, serial);

    /// <summary>Returns the address of a stream for messages to the source threads.</summary>
    public StreamAddress AddressOf(int streamId) => new(_session, streamId, _serial);

    /// <summary>Returns the use of a stream.</summary>
    public StreamEntry Find(int streamId) => _entries.Find(streamId);

    /// <summary>True when an address has the number of the connection.</summary>
    public bool IsOfConnection(StreamAddress address) => address.Serial == _serial;

    /// <summary>True when the request that an answer belongs to still waits for it.</summary>
    public bool IsRequested(StreamAddress address) =>
        _entries.Find(address.StreamId) is { State: StreamUse.Requested } entry && entry.Place == (int)address.Serial;

    /// <summary>True when an address is that of an open stream of an item of a source thread; it may have had an item of another thread before.</summary>
    public bool IsOpen(StreamAddress address, int upstreamIndex) => IsOfConnection(address)
        && _entries.Find(address.StreamId) is { State: StreamUse.Open } entry && entry.UpstreamIndex == upstreamIndex;

    /// <summary>True for an open stream that watches this item.</summary>
    public bool Watches(int streamId, int upstreamIndex, int slot) =>
        _entries.Find(streamId) is { State: StreamUse.Open } entry && entry.UpstreamIndex == upstreamIndex && entry.Slot == slot;

    /// <summary>Reserves the name of an item.</summary>
    /// <returns>False when a limit is reached.</returns>
    public bool TryAddName(int nameBytes) => _names.TryAdd(nameBytes);

    /// <summary>Adds a stream for a request.</summary>
    /// <returns>The address of the answer.</returns>
    public StreamAddress Request(int streamId, int upstreamIndex, int nameBytes, byte view)
    {
        uint serial = host.NextSerial();
        _entries.Add(streamId, new StreamEntry(StreamUse.Requested, (byte)upstreamIndex, (byte)nameBytes, view, 0, (int)serial));
        Requested++;
        return new StreamAddress(_session, streamId, serial);
    }

    /// <summary>Turns a request into a stream of an item.</summary>
    /// <param name="streamId">Its stream.</param>
    /// <param name="upstreamIndex">Number of the source thread.</param>
    /// <param name="slot">Slot of the item there.</param>
    /// <param name="place">Its place among the watchers of the item.</param>
    public void Open(int streamId, int upstreamIndex, int slot, int place) => _entries.Set(streamId,
        _entries.Find(streamId) with { State = StreamUse.Open, UpstreamIndex = (byte)upstreamIndex, Slot = slot, Place = place });

    /// <summary>Moves a stream to another form of its item.</summary>
    public void MoveTo(int streamId, SourceLink link, int slot)
    {
        StreamEntry entry = _entries.Find(streamId);
        bool waits = host.Unwatch(entry);
        int place = link.Watchers.Add(slot, Watcher.Of(_session, streamId, waits));
        _entries.Set(streamId, entry with { Slot = slot, Place = place });
    }

    /// <summary>Sets a stream's new place among the watchers of its item.</summary>
    public void MoveTo(int streamId, int place) => _entries.Set(streamId, _entries.Find(streamId) with { Place = place });

    /// <summary>Sets the view of a stream.</summary>
    public void SetView(int streamId, byte view) => _entries.Set(streamId, _entries.Find(streamId) with { View = view });

    /// <summary>Records that a request will get its only answer later, from the item in this slot.</summary>
    public void Await(int streamId, int slot) => _entries.Set(streamId, _entries.Find(streamId) with { Slot = slot + 1 });

    /// <summary>Records that a reissue has made a stream private; it stays so.</summary>
    public void MakePrivate(int streamId) => (_madePrivate ??= []).Add(streamId);

    /// <summary>True when a reissue has made a stream private.</summary>
    public bool IsMadePrivate(int streamId) => _madePrivate?.Contains(streamId) == true;

    /// <summary>Counts a request as answered, by an image or a refusal.</summary>
    public void EndWait() => Requested--;

    /// <summary>Counts a request on an open stream.</summary>
    // The old view stays until the source thread has handled requests made with it.
    public void RecordReissue(int upstreamIndex, byte viewBefore)
    {
        Requested++;
        (_viewsBefore[upstreamIndex] ??= new()).Enqueue(viewBefore);
    }

    /// <summary>Counts a request on an open stream as answered, whether the stream still exists or not.</summary>
    public void EndReissue(StreamAddress address, int upstreamIndex)
    {
        if (!IsOfConnection(address))
            return;
        EndWait();
        if (_viewsBefore[upstreamIndex]!.TryDequeue(out byte view))
            Views.Leave(view);
    }

    /// <summary>Removes a stream, whatever it is used for.</summary>
    /// <param name="streamId">The stream.</param>
    /// <param name="isAnswered">True for a request that has its only answer: it no longer waits.</param>
    public void Close(int streamId, bool isAnswered)
    {
        StreamEntry entry = _entries.Find(streamId);
        _entries.Remove(streamId);
        _names.Remove(entry.NameBytes);
        Views.Leave(entry.View);
        _madePrivate?.Remove(streamId);
        if (entry.State == StreamUse.Open && host.Unwatch(entry))
            EndWait();
        if (entry is { State: StreamUse.Requested, Slot: > 0 } && !isAnswered)
            Withdraw(entry, streamId);
    }

    /// <summary>Begins to close all streams.</summary>
    public void BeginClosing() => _closing = _entries.PositiveIds().GetEnumerator();

    /// <summary>Finds the next stream that is to be closed.</summary>
    /// <returns>False when none is left; late answers are no longer for the connection then.</returns>
    public bool TryGetNextToClose(out int streamId)
    {
        if (_closing!.MoveNext())
        {
            streamId = _closing.Current;
            return true;
        }

        streamId = 0;
        _closing = null;
        Requested = 0;
        foreach (Queue<byte>? before in _viewsBefore)
        {
            while (before?.TryDequeue(out byte view) == true)
                Views.Leave(view);
        }

        _serial = host.NextSerial();
        return false;
    }

    private void Withdraw(StreamEntry entry, int streamId)
    {
        Span<byte> address = stackalloc byte[StreamAddress.Bytes];
        new StreamAddress(_session, streamId, (uint)entry.Place).Write(address);
        host.To(entry.UpstreamIndex).Send(SessionRecord.Withdraw, entry.Slot - 1, address);
    }
}
