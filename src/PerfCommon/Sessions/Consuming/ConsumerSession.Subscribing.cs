using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Subscribes to items by name and releases their handles.</content>
public sealed partial class ConsumerSession
{
    // Maximum bytes of names in one batch request, so that it fits an output buffer of the usual size.
    private const int MaxBatchNameBytes = 4_096;

    private const int MaxBatchCloses = 1_000;

    private WatchedItems Watchlist =>
        _watched ?? throw new InvalidOperationException(
            "Items are subscribed to by a session of a reactor whose RecoveryOptions.Watchlist is true, which is the default.");

    /// <summary>
    /// Subscribes to an item across losses of the connection: all handles of an item share one stream. For sessions of a reactor with a
    /// watchlist.
    /// </summary>
    /// <remarks>
    /// Events of the item carry the handle's number; the image is the first. If the image has already arrived it is requested once more (a
    /// reissue), and all handles of the item receive it. Call it on the worker's thread, or before its first turn; a connection that replaces
    /// this one keeps the handle.
    /// </remarks>
    /// <param name="name">The item, 1 to 255 bytes of UTF-8.</param>
    /// <param name="domain">Its domain; one name may be an item in several.</param>
    /// <param name="isPrivate">True for a private stream, which is another item than the common one of that name.</param>
    /// <param name="view">
    /// The requested fields; null for those of <see cref="ConsumerSessionOptions.View"/>. All handles of one item receive the fields of
    /// all of their views.
    /// </param>
    /// <returns>
    /// The handle; for an item of <see cref="ConsumerSessionOptions.Items"/> its index there. Numbers of released handles are reused.
    /// </returns>
    /// <exception cref="ArgumentException">The name is empty or too long.</exception>
    /// <exception cref="InvalidOperationException">The session has no watchlist.</exception>
    public int Subscribe(string name, DomainType domain = DomainType.MarketPrice, bool isPrivate = false, FieldView? view = null)
    {
        int handle = AddHandle(name, out int item, domain, isPrivate, view);
        if (handle == item)
            Watchlist.Watch(item);
        RecordStreams();
        return handle;
    }

    /// <summary>
    /// Subscribes to many items: those without a subscription are requested in one batch, if the provider accepts batches and items can be
    /// requested now; else one by one.
    /// </summary>
    /// <param name="names">The items, 1 to 255 bytes of UTF-8 each.</param>
    /// <returns>Their handles, in the same order.</returns>
    /// <exception cref="ArgumentException">A name is empty or too long; the items before it are subscribed.</exception>
    /// <exception cref="InvalidOperationException">The session has no watchlist.</exception>
    public int[] Subscribe(IEnumerable<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        List<int> handles = [], batch = [];
        int bytes = 0;
        foreach (string name in names)
        {
            int handle = AddHandle(name, out int item);
            handles.Add(handle);
            if (handle != item)
                continue;
            int length = NameOf(handle).Length;
            if (bytes + length > MaxBatchNameBytes)
                WatchTogether(batch, ref bytes);
            batch.Add(item);
            bytes += length;
        }

        WatchTogether(batch, ref bytes);
        return [.. handles];
    }

    /// <summary>Closes a handle: it receives no further events. With the last handle of an item its stream is closed.</summary>
    /// <param name="handle">The result of <see cref="Subscribe(string, DomainType, bool, FieldView?)"/>, or an item's index in the list.</param>
    /// <returns>False for a number that is no handle, or was released.</returns>
    /// <exception cref="InvalidOperationException">The session has no watchlist.</exception>
    public bool Release(int handle)
    {
        ItemHandles handles = Watchlist.Handles;
        if (handles.ItemOf(handle) < 0)
            return false;
        handles.Release(handle);
        RemoveUnwanted();
        return true;
    }

    private int AddHandle(
        string name, out int item, DomainType domain = DomainType.MarketPrice, bool isPrivate = false, FieldView? view = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        Span<byte> room = stackalloc byte[ItemList.MaxNameBytes];
        if (!Encoding.UTF8.TryGetBytes(name, room, out int length) || length == 0)
            throw new ArgumentException($"name \"{PrintableText.From(name)}\" must be 1 to {ItemList.MaxNameBytes} bytes", nameof(name));
        ItemHandles handles = Watchlist.Handles;
        ItemFlags flags = (isPrivate ? ItemFlags.PrivateStream : 0) | (domain == DomainType.MarketByOrder ? ItemFlags.MarketByOrder : 0);
        int handle = handles.Add(room[..length], flags, out item, domain);
        AddView(handle, item, view ?? _options.View);
        if (handle != item && Watchlist.RequestImage(item))
            handles.Wait(handle);
        return handle;
    }

    // All handles share the stream: the fields of all their views are requested.
    private void AddView(int handle, int item, FieldView? wanted)
    {
        ItemHandles handles = Watchlist.Handles;
        if (handle == item)
        {
            handles.SetView(item, wanted);
            return;
        }

        if (handles.ViewOf(item) is not { } view || (wanted is not null && view.Includes(wanted)))
            return;
        handles.SetView(item, wanted is null ? null : view.With(wanted));
        Watchlist.RequestAnew(item);
    }

    private void WatchTogether(List<int> items, ref int nameBytes)
    {
        bool takesBatches = IsAtItems && IsOpen && _directory.IsReady && AcceptsBatches;
        if (takesBatches && items.Count > 1)
            Watchlist.WatchTogether([.. items]);
        else
            items.ForEach(Watchlist.Watch);
        items.Clear();
        nameBytes = 0;
        RecordStreams();
    }

    // Reserves memory for the states of items, and for their streams.
    private void RecordStreams()
    {
        _answers.Grow(Watchlist.Count);
        _groups.Grow(_answers.Room);
        _requested = IsAtItems ? Watchlist.Streams : 0;
    }

    private void RemoveUnwanted()
    {
        while (_watched!.Handles.TryDequeueUnwanted(out int item))
        {
            if (_watched.IsOpen(item))
                _answers.Forget(item);
            _answers.Remove(item);
            _groups.Join(item, default);
            _watched.Remove(item);
        }
    }

    private void SendPendingRequests()
    {
        while (_watched!.TryPeekClose(out int streamId, out DomainType domain) && TrySendClose(streamId, domain))
        {
        }

        if (!_directory.IsReady)
            return;
        while (_watched.TryPeekReissue(out int item) && TrySendReissue(item))
            _watched.DequeueReissue();
        while (_watched.TryPeekBatch(out int stream, out int count) && TrySendBatch(stream, count))
            RecordBatch(count);
    }

    // Later ones of the same domain are closed by the same message, where the provider accepts that.
    private bool TrySendClose(int streamId, DomainType domain)
    {
        Span<int> streamIds = stackalloc int[MaxBatchCloses];
        int count = AcceptsBatchCloses ? _watched!.PeekCloses(streamIds) : 1;
        int maxBytes = count > 1 ? BatchClose.MaxBytes(count) : MarketPriceHeaders.MaxRequestBytes(0);
        if (!Output.TryBegin(maxBytes, out Span<byte> room))
            return false;
        int bytes = count > 1
            ? BatchClose.Encode(room, domain, streamIds[..count]) : MarketPriceConsumer.EncodeClose(room, streamId, domain);
        Output.End(bytes, MessageKind.Other);
        for (int i = 0; i < count; i++)
            _watched!.DequeueClose();
        return true;
    }

    private bool TrySendReissue(int item)
    {
        ItemHandles handles = _watched!.Handles;
        FieldView? view = AcceptsViews ? handles.ViewOf(item) : null;
        if (!Output.TryBegin(MarketPriceConsumer.MaxRequestBytes(ItemList.MaxNameBytes, view), out Span<byte> room))
            return false;
        ItemFlags flags = handles.FlagsOf(item);
        int bytes = MarketPriceConsumer.EncodeRequest(
            room, _watched.StreamIdOf(item), _directory.Service!, handles.NameOfItem(item), _options.Streams(flags),
            isPrivate: (flags & ItemFlags.PrivateStream) != 0, domain: handles.DomainOf(item), view: view);
        Output.End(bytes, MessageKind.Request);
        return true;
    }

    private bool TrySendBatch(int stream, int count)
    {
        FieldView? view = AcceptsViews ? _options.View : null; // items of a batch have no other view
        if (!Output.TryBegin(BatchRequest.MaxBytes(MaxBatchNameBytes, count, view), out Span<byte> room))
            return false;
        RwfWriter writer = new(room);
        BatchRequest.Begin(
            ref writer, StreamIds.FirstItem + stream, _directory.Service!, _options.Streams(ItemFlags.None), isPrivate: false, view);
        for (int i = 1; i <= count; i++)
            writer.WriteItem(_watched!.Handles.NameOfItem(_watched.ItemOf(stream + i)));
        Output.End(BatchRequest.End(ref writer), MessageKind.Request);
        return true;
    }

    private void RecordBatch(int count)
    {
        bool beginsToWait = !_answers.IsWaiting;
        _watched!.DequeueBatch();
        _answers.AddBatch(count);
        if (beginsToWait)
            _lastAnswerNanos = Time.NowNanos;
    }

    // wire/domains 5.6
    private bool TryEndBatch(scoped in RwfMsg msg)
    {
        if (_watched is null || !IsAtItems || msg.MsgClass != MsgClass.Status
            || !_watched.TryEndBatch(msg.StreamId - StreamIds.FirstItem, out int[] items))
        {
            return false;
        }

        if (msg.State.Code != StateCode.UnableToRequestAsBatch)
            return true;
        foreach (int item in items)
        {
            _answers.Forget(item);
            _watched.RequestAgain(item);
        }

        RecordStreams();
        return true;
    }
}
