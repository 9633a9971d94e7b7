using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;

namespace PerfHub.Consumers;

/// <summary>
/// One consumer's connection at the hub: it answers login, directory and dictionary requests; items are requested from their source thread.
/// </summary>
internal sealed partial class HubSession : ServerSession
{
    // Requests without an answer, beyond which a connection is not read: so images never fill its queue.
    private const int MaxRequested = 2_000;
    private const int MinRequested = 32;
    private const int RequestShareBytes = 2_048; // of the queue for each of them
    private const int MaxImagesAtOnce = 64; // of the deferred ones
    private const int BatchItemsAtOnce = 1_000;
    internal const int StreamBytes = 48; // of one, and of its place among the watchers of the item

    private readonly ConsumerThread _host;
    private readonly DirectoryProvider _directory;
    private readonly StreamMap<StreamEntry> _streams = new();
    private readonly ItemNames _names = new();
    private readonly ConnectionViews _views;
    private readonly Queue<byte>?[] _viewsBefore = new Queue<byte>?[ThreadPlan.MaxThreads]; // by source thread: of its reissues without an answer
    private readonly int _maxRequested;
    private uint _connectionSerial;
    private int _requested;
    private bool _isPaused;
    private bool _hasPosted; // and requested an acknowledgement
    private bool _isDirectoryDue;
    private BatchCursor? _batch; // whose items are being opened
    private Queue<int>? _toClose; // streams of a batch that are still to be closed
    private HashSet<int>? _madePrivate; // streams that a reissue made private
    private IEnumerator<int>? _closing; // streams that are still to be closed

    public HubSession(ConsumerThread host)
        : base(host.Settings.Offer)
    {
        _host = host;
        _views = new ConnectionViews(host.Settings.Views);
        _maxRequested = Math.Clamp(host.Settings.MaxQueueBytes / RequestShareBytes, MinRequested, MaxRequested);
        _directory = new DirectoryProvider();
    }

    /// <summary>Its number in its session thread.</summary>
    public int SlotNumber { get; private set; } = -1;

    internal override Packing Packing => _host.Settings.Packing;

    internal override bool RunsOnDemand => true;

    // Waiting updates are flushed at their time.
    internal override bool IsBusy => HeldUntilNanos != 0 && !IsFinishing
        ? IsBusyBeside || IsDictionaryWaiting : base.IsBusy || IsBusyBeside || _pending is { Count: > 0 };

    private bool IsBusyBeside =>
        _isPaused || _batch is not null || _toClose is not null || IsSwitching || _isDirectoryDue || Replies.IsWaiting || IsConflating || HasImagesToAsk;

    // The thread need not be woken for a queue that was emptied in one call.
    internal override long NextDueNanos => IsOpen && (MayGoOn || HasNextPart) ? Time.NowNanos : base.NextDueNanos;

    // True while work remains that is done in parts.
    private bool HasNextPart =>
        _toClose is not null || (IsSwitching && !IsSwitchHeld) || (_batch is not null && !IsFullButForBatch);

    private bool MayGoOn => Channel.BytesQueued == 0 && (HasImagesToAsk || IsConflating || _isDirectoryDue);

    private bool HasDeferredImages => _deferred is { Count: > 0 };

    private bool HasImagesToAsk => _deferred is { HasToRequest: true } && MayQueueMore;

    // Half of the queue stays free for new messages.
    private bool MayQueueMore => Channel.BytesQueued <= _host.Settings.MaxQueueBytes / 2;

    private protected override bool IsFull =>
        _relay is not null ? IsPublishingFull : IsFullButForBatch || _batch is not null || _toClose is not null || _closing is not null || IsSwitching;

    private bool IsFullButForBatch =>
        base.IsFull || _requested >= _maxRequested || _host.IsFull || Channel.BytesQueued > _host.Settings.MaxQueueBytes / 4;

    /// <summary>True once its connection has ended: no more messages are delivered to it.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>Approximate bytes that the hub uses for it: queued messages, names, streams, and the items that it has opened.</summary>
    /// <param name="itemBytes">Average bytes of an item.</param>
    public long KeptBytes(long itemBytes) => _relay?.KeptBytes ?? (IsOpen ? Channel.BytesQueued : 0) + (_conflated?.HeldBytes ?? 0)
        + _names.KeptBytes + _views.KeptBytes + (_streams.Count * (StreamBytes + itemBytes));

    /// <summary>Sends the consumer the changed services, if it has subscribed to the directory.</summary>
    /// <returns>Bytes sent; 0 for a consumer without a directory stream, or one that receives them later.</returns>
    public int PublishServices(ServiceSnapshot services)
    {
        _directory.Services = services.Offers;
        if (!_directory.IsOpen || !IsOpen)
            return 0;
        _isDirectoryDue = true;
        return PublishDirectory();
    }

    // Only one directory waits for a slow consumer: the last one contains all changes.
    private int PublishDirectory()
    {
        if (Replies.IsWaiting || !MayQueueMore)
        {
            Worker.Activate(this);
            return 0;
        }

        _isDirectoryDue = false;
        int bytes = _directory.EncodeChange(Replies.Begin(_directory.MaxRefreshBytes));
        Replies.End(bytes, MessageKind.Other);
        Output.EndBurst(); // nothing else would end an open pack
        Worker.Activate(this);
        return bytes;
    }

    /// <summary>True when the request that an answer belongs to still waits for it.</summary>
    public bool IsRequested(StreamAddress address) =>
        _streams.Find(address.StreamId) is { State: StreamUse.Requested } entry && entry.Place == (int)address.Serial;

    /// <summary>True when a message for a stream of this connection is still of use.</summary>
    public bool Expects(StreamAddress address) =>
        address.Serial == _connectionSerial && (_streams.Find(address.StreamId).State == StreamUse.Open || IsLoginOn(address.StreamId));

    /// <summary>Turns a request into a stream of an item.</summary>
    /// <param name="streamId">Its stream.</param>
    /// <param name="upstreamIndex">Number of the source thread.</param>
    /// <param name="slot">Slot of the item there.</param>
    /// <param name="place">Its place among the watchers of the item.</param>
    public void OpenStream(int streamId, int upstreamIndex, int slot, int place) => _streams.Set(streamId,
        _streams.Find(streamId) with { State = StreamUse.Open, UpstreamIndex = (byte)upstreamIndex, Slot = slot, Place = place });

    /// <summary>True for an open stream that watches this item.</summary>
    public bool Watches(int streamId, int upstreamIndex, int slot) =>
        _streams.Find(streamId) is { State: StreamUse.Open } entry && entry.UpstreamIndex == upstreamIndex && entry.Slot == slot;

    /// <summary>Moves a stream to another form of its item.</summary>
    public void MoveTo(int streamId, SourceLink link, int slot)
    {
        StreamEntry entry = _streams.Find(streamId);
        bool waits = _host.Unwatch(entry);
        int place = link.Watchers.Add(slot, Watcher.Of(SlotNumber, streamId, waits));
        _streams.Set(streamId, entry with { Slot = slot, Place = place });
    }

    /// <summary>Records that a request will get its only answer later, from the item in this slot.</summary>
    public void Await(int streamId, int slot) => _streams.Set(streamId, _streams.Find(streamId) with { Slot = slot + 1 });

    /// <summary>Sets a stream's new place among the watchers of its item.</summary>
    public void MoveTo(int streamId, int place) => _streams.Set(streamId, _streams.Find(streamId) with { Place = place });

    /// <summary>Counts a request as answered, by an image or a refusal.</summary>
    public void EndWait() => _requested--;

    /// <summary>Counts a request on an open stream as answered, whether the stream still exists or not.</summary>
    public void EndReissue(StreamAddress address, int upstreamIndex)
    {
        if (address.Serial != _connectionSerial)
            return;
        EndWait();
        if (_viewsBefore[upstreamIndex]!.TryDequeue(out byte view))
            _views.Leave(view);
    }

    /// <summary>Closes a stream, whatever it is used for.</summary>
    /// <param name="streamId">The stream.</param>
    /// <param name="isAnswered">True for a request that has its only answer: it no longer waits.</param>
    public void CloseStream(int streamId, bool isAnswered = false)
    {
        StreamEntry entry = _streams.Find(streamId);
        _streams.Remove(streamId);
        _names.Remove(entry.NameBytes);
        _views.Leave(entry.View);
        _madePrivate?.Remove(streamId);
        _deferred?.Remove(streamId);
        if (_conflated?.Remove(streamId) == true)
            Count(Counter.UpdatesNotSent);
        if (entry.State == StreamUse.Open && _host.Unwatch(entry))
            EndWait();
        if (entry is { State: StreamUse.Requested, Slot: > 0 } && !isAnswered)
            Withdraw(entry, streamId);
    }

    /// <summary>Closes some streams of a connection that has ended, or whose login has.</summary>
    /// <param name="max">Maximum number of streams to visit.</param>
    /// <returns>False when none is left.</returns>
    public bool CloseSome(int max)
    {
        for (int i = 0; i < max; i++)
        {
            if (!_closing!.MoveNext())
            {
                _closing = null;
                _requested = 0;
                foreach (Queue<byte>? before in _viewsBefore)
                {
                    while (before?.TryDequeue(out byte view) == true)
                        _views.Leave(view);
                }

                _connectionSerial = _host.NextSerial(); // late answers are no longer for it
                return false;
            }

            if (_streams.Find(_closing.Current).State != StreamUse.None)
                CloseStream(_closing.Current);
        }

        return true;
    }

    internal override void OnReadable(long untilNanos)
    {
        base.OnReadable(untilNanos);
        if (IsPublishingHere)
            _host.Routes.HoldWhileFull(Channel);
        else if (IsServed && IsFull && !IsFinishing && !Channel.HasFailedSending)
            Pause();
    }

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        if (Channel.HasFailedSending)
        {
            Resume(); // until all is sent
            return;
        }

        TrySendReplies();
        if (_isDirectoryDue)
            PublishDirectory();
        if (_toClose is not null)
            CloseListed(_toClose);
        if (IsSwitching)
            ContinueSwitch();
        if (_batch is { } batch)
            ContinueBatch(batch);
        if (IsConflating)
            SendConflated();
        if (HasImagesToAsk)
            RequestImages();
        Output.EndBurst();
        SettlePending();
        if (_isPaused && !IsFull && _requested <= _maxRequested / 2)
            Resume();
    }

    internal override void OnDue(long nowNanos)
    {
        if (nowNanos >= base.NextDueNanos)
            base.OnDue(nowNanos);
    }

    internal override void OnLastToQueue()
    {
        if (SlotNumber >= 0)
            _host.DeliverPending(this);
    }

    internal override void OnFinishing()
    {
        base.OnFinishing();
        Release();
        Resume(); // until all is sent
    }

    internal override void OnClosed(CloseReason reason)
    {
        base.OnClosed(reason);
        Release();
        if (SlotNumber < 0)
            return;
        HasLeft = true;
        _host.CountLeft();
        EndPublishing();
        Counters.Add(Counter.UpdatesNotSent, _host.DropKept(this));
        DiscardPending();
        BeginClosing();
    }

    private protected override void OnServed()
    {
        SlotNumber = _host.Enter(this);
        _connectionSerial = _host.NextSerial();
        _directory.Services = _host.Announced.Offers;
    }

    private protected override void OnLoggedIn()
    {
        if (Peer!.Role == LoginRole.Provider)
            BeginPublishing();
    }

    private protected override void OnRoundTrip(long nanos) => Recording[Series.RoundTrips].Record(nanos);

    private protected override void OnLoginClosed()
    {
        EndPublishing();
        BeginClosing();
    }

    private protected override void HandleDirectory(scoped in RwfMsg msg)
    {
        if (_relay is not null)
        {
            Publish(_relay, msg);
            return;
        }

        if (ConsumerStatus.Is(msg)) // wire/domains 3.5
        {
            ReceiveConsumerStatus(msg);
            return;
        }

        ConversationResult result = _directory.Receive(msg);
        if (result.Step == ConversationStep.Send && MayAnswer)
        {
            int bytes = _directory.EncodeRefresh(Replies.Begin(_directory.MaxRefreshBytes));
            Replies.End(bytes, MessageKind.Other);
            CountAnswer(bytes);
        }

        Conclude(result);
    }

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) =>
        _host.Settings.Services.Find(key.ServiceId)?.Dictionary ?? _host.Settings.OwnDictionary;

    private void Pause()
    {
        if (_isPaused)
            return;
        _isPaused = true;
        Channel.HoldReading(holds: true);
    }

    private void Resume()
    {
        if (!_isPaused)
            return;
        _isPaused = false;
        Channel.HoldReading(holds: false);
    }

    // Some in each turn: a connection may have many streams, and other connections need their turns.
    private void BeginClosing()
    {
        (_batch, _toClose) = (null, null);
        _standby?.End();
        if (_hasPosted)
            DiscardPosts();
        if (_closing is not null)
            return; // its login was closed before
        _closing = _streams.PositiveIds().GetEnumerator();
        _host.BeginClosing(this);
    }

    private void Withdraw(StreamEntry entry, int streamId)
    {
        Span<byte> address = stackalloc byte[StreamAddress.Bytes];
        new StreamAddress(SlotNumber, streamId, (uint)entry.Place).Write(address);
        _host.To(entry.UpstreamIndex).Send(SessionRecord.Withdraw, entry.Slot - 1, address);
    }

    private void DiscardPosts()
    {
        Span<byte> address = stackalloc byte[StreamAddress.Bytes];
        new StreamAddress(SlotNumber, 0, _connectionSerial).Write(address);
        foreach (RingSender source in _host.ToSources)
            source.Send(SessionRecord.PosterLeft, 0, address);
        _hasPosted = false;
    }
}
