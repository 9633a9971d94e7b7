using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>The rings from one source thread to every session thread: sends messages of items to the threads that watch them.</summary>
/// <remarks>
/// While one ring is full nothing is read from the sources, which slows them down; a slow consumer never fills a ring. One owner thread.
/// </remarks>
internal sealed class Broadcaster
{
    private readonly CounterSet _counters;
    private readonly ItemTable _table;
    private readonly ItemForms _forms;
    private readonly ItemImages _images;
    private readonly SleepFlag[] _sessionFlags;
    private readonly bool[] _isStamped;
    private long _receivedNanos;

    /// <param name="counters">The counters of the thread.</param>
    /// <param name="items">The items of the thread.</param>
    /// <param name="images">Encodes the images of their forms.</param>
    /// <param name="sessionFlags">The sleep flags of the session threads.</param>
    public Broadcaster(CounterSet counters, ItemCache items, ItemImages images, SleepFlag[] sessionFlags)
    {
        (_counters, _table, _forms, _images, _sessionFlags) = (counters, items.Table, items.Forms, images, sessionFlags);
        Rings = [.. sessionFlags.Select(_ => new ByteRing(UpstreamThread.RingBytes))];
        _isStamped = new bool[sessionFlags.Length];
    }

    /// <summary>The rings to the session threads, by their numbers.</summary>
    public ByteRing[] Rings { get; }

    /// <summary>True while a message of maximum length fits into the ring to every session thread.</summary>
    public bool HasRoom()
    {
        foreach (ByteRing ring in Rings)
        {
            if (!ring.HasRoom())
                return false;
        }

        return true;
    }

    /// <summary>The same, asked before the thread sleeps: the readers of full rings wake it.</summary>
    public bool AwaitRoom()
    {
        bool hasRoom = true;
        foreach (ByteRing ring in Rings)
        {
            if (ring.HasRoom())
                continue;
            ring.AwaitRoom();
            hasRoom &= ring.HasRoom();
        }

        return hasRoom;
    }

    /// <summary>Records the time at which the following messages were received, which is sent before them.</summary>
    public void RecordReceived(long nowNanos)
    {
        if (nowNanos == _receivedNanos)
            return;
        _receivedNanos = nowNanos;
        Array.Clear(_isStamped);
    }

    /// <summary>Sends a message to every session thread with watchers of the item.</summary>
    public void Broadcast(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message) =>
        Broadcast(_table.StateOf(item.Slot), item.Slot, kind, message);

    /// <inheritdoc cref="Broadcast(CachedItem, SourceRecord, ReadOnlySpan{byte})"/>
    public void Broadcast(in ItemState state, int slot, SourceRecord kind, ReadOnlySpan<byte> message)
    {
        int rings = AddToRings(state, slot, kind, message);
        if (state.HasForms)
            rings += BroadcastForms(_table[slot]!, kind, message);
        if (rings > 1)
            _counters.Add(kind.Copies(), rings - 1);
        else if (rings == 0 && kind == SourceRecord.Update && state.IsWatched)
            _counters.Add(HubCounter.UpdatesUnwatched, 1); // none of its fields is in any view
    }

    /// <summary>Sends a message, which counts as not delivered where the item has no watchers and stays in the cache.</summary>
    public void BroadcastOrCount(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message, Counter unused)
    {
        if (item.Watchers == 0)
            _counters.Add(unused, 1);
        Broadcast(item, kind, message);
    }

    /// <summary>Sends a message for one stream, which the session knows by the address before the message.</summary>
    public void Send(int session, SourceRecord kind, int slot, StreamAddress address, ReadOnlySpan<byte> message)
    {
        if (!_isStamped[session])
            Stamp(session);
        ByteRing ring = Rings[session];
        int bytes = StreamAddress.Bytes + message.Length;
        Span<byte> room = bytes <= ByteRing.MaxRecordBytes ? ring.Begin(bytes) : new byte[bytes];
        address.Write(room);
        message.CopyTo(room[StreamAddress.Bytes..]);
        if (bytes <= ByteRing.MaxRecordBytes)
            ring.End((byte)kind, slot, bytes);
        else
            ring.Add((byte)kind, slot, room);
    }

    /// <summary>Sends a record that has its address already.</summary>
    public void SendAddressed(int session, SourceRecord kind, int slot, ReadOnlySpan<byte> record)
    {
        if (!_isStamped[session])
            Stamp(session);
        Rings[session].Add((byte)kind, slot, record);
    }

    /// <summary>Makes the added records visible to the session threads.</summary>
    public void Publish()
    {
        for (int session = 0; session < Rings.Length; session++)
        {
            if (!Rings[session].HasUnpublished)
                continue;
            Rings[session].Publish();
            _sessionFlags[session].WakeSleeper();
        }
    }

    /// <summary>Marks the end: nothing more is sent.</summary>
    public void Finish()
    {
        for (int session = 0; session < Rings.Length; session++)
        {
            Rings[session].Finish();
            _sessionFlags[session].Wake();
        }
    }

    // Encoded once for each form. An image is for the item itself: each form has its own.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int BroadcastForms(CachedItem item, SourceRecord kind, ReadOnlySpan<byte> message)
    {
        int rings = 0;
        foreach (CachedItem form in item.Forms!)
        {
            ReadOnlySpan<byte> shaped = kind == SourceRecord.Image && item.PassThrough is null
                ? _images.EncodeImage(form, 0, StreamState.Open, isSolicited: false, item.Terms.HasNameType) : _forms.Shape(form, message);
            if (!shaped.IsEmpty)
                rings += AddToRings(_table.StateOf(form.Slot), form.Slot, kind, shaped);
        }

        return rings;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int AddToRings(in ItemState state, int slot, SourceRecord kind, ReadOnlySpan<byte> message)
    {
        int rings = 0;
        for (int session = 0; session < Rings.Length; session++)
        {
            if (!state.IsWatchedAt(session))
                continue;
            rings++;
            ByteRing ring = Rings[session];
            if (!_isStamped[session])
                Stamp(session);
            ring.Add((byte)kind, slot, message);
        }

        return rings;
    }

    private void Stamp(int session)
    {
        _isStamped[session] = true;
        BinaryPrimitives.WriteInt64LittleEndian(Rings[session].Begin(sizeof(long)), _receivedNanos);
        Rings[session].End((byte)SourceRecord.Received, 0, sizeof(long));
    }
}
