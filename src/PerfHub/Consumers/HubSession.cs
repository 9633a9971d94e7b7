using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Consumers;

/// <summary>
/// One consumer's connection at the hub: it answers login, directory and dictionary requests; items are requested from their source thread.
/// </summary>
/// <remarks>Its streams, requests, posts and standby are separate types; here are its turns, the delivery and the slow consumer.</remarks>
internal sealed partial class HubSession : ServerSession
{
    /// <summary>How long its updates wait to be sent together.</summary>
    public FlushWait Wait;

    private readonly ConsumerThread _host;
    private readonly DirectoryProvider _directory = new();
    private readonly ConsumerRequests _requests;
    private readonly ConsumerPosts _posts;
    private bool _isPaused;
    private bool _isDirectoryDue;

    public HubSession(ConsumerThread host)
        : base(host.Settings.Offer)
    {
        _host = host;
        Streams = new ConsumerStreams(host);
        Standby = new StandbySwitch(this, host);
        _requests = new ConsumerRequests(this, host);
        _posts = new ConsumerPosts(this, host);
    }

    /// <summary>Its number in its session thread.</summary>
    public int SlotNumber { get; private set; } = -1;

    /// <summary>Its streams.</summary>
    public ConsumerStreams Streams { get; }

    /// <summary>Whether another server is the consumer's active one.</summary>
    public StandbySwitch Standby { get; }

    /// <summary>The answers that are sent as space allows.</summary>
    public ReplyQueue Answers => Replies;

    internal override Packing Packing => _host.Settings.Packing;

    internal override bool RunsOnDemand => true;

    // Waiting updates are flushed at their time.
    internal override bool IsBusy => Wait.UntilNanos != 0 && !IsFinishing
        ? IsBusyBeside || IsDictionaryWaiting : base.IsBusy || IsBusyBeside || _pending is { Count: > 0 };

    private bool IsBusyBeside =>
        _isPaused || _requests.HasBatch || Standby.IsOn || _isDirectoryDue || Replies.IsWaiting || IsConflating || HasImagesToAsk;

    // The thread need not be woken for a queue that was emptied in one call.
    internal override long NextDueNanos => IsOpen && (MayGoOn || HasNextPart) ? Time.NowNanos : base.NextDueNanos;

    // True while work remains that is done in parts.
    private bool HasNextPart => _requests.HasNextPart || (Standby.IsOn && !Standby.IsHeld);

    private bool MayGoOn => Channel.BytesQueued == 0 && (HasImagesToAsk || IsConflating || _isDirectoryDue);

    private bool HasDeferredImages => _deferred is { Count: > 0 };

    private bool HasImagesToAsk => _deferred is { HasToRequest: true } && MayQueueMore;

    // Half of the queue stays free for new messages.
    private bool MayQueueMore => Channel.BytesQueued <= _host.Settings.MaxQueueBytes / 2;

    private protected override bool IsFull =>
        _relay is not null ? IsPublishingFull : IsFullButForBatch || _requests.HasBatch || Streams.IsClosing || Standby.IsOn;

    /// <summary>True while no further request should be handled, whatever remains of a batch.</summary>
    public bool IsFullButForBatch =>
        base.IsFull || _requests.IsFull || _host.IsFull || Channel.BytesQueued > _host.Settings.MaxQueueBytes / 4;

    /// <summary>True once its connection has ended: no more messages are delivered to it.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>Approximate bytes that the hub uses for it: queued messages, names, streams, and the items that it has opened.</summary>
    /// <param name="itemBytes">Average bytes of an item.</param>
    public long KeptBytes(long itemBytes) => _relay?.KeptBytes ?? (IsOpen ? Channel.BytesQueued : 0) + (_conflated?.HeldBytes ?? 0)
        + Streams.KeptBytes(itemBytes);

    /// <summary>Sends an answer that was encoded into the scratch buffer of its worker.</summary>
    public void Answer(int bytes) => Reply(bytes);

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

    /// <summary>True when a message for a stream of this connection is still of use.</summary>
    /// <param name="address">The stream.</param>
    /// <param name="upstreamIndex">Number of the source thread that sent it.</param>
    public bool Expects(StreamAddress address, int upstreamIndex) =>
        Streams.IsOpen(address, upstreamIndex) || (Streams.IsOfConnection(address) && IsLoginOn(address.StreamId));

    /// <summary>Closes a stream, whatever it is used for.</summary>
    /// <param name="streamId">The stream.</param>
    /// <param name="isAnswered">True for a request that has its only answer: it no longer waits.</param>
    public void CloseStream(int streamId, bool isAnswered = false)
    {
        _deferred?.Remove(streamId);
        if (_conflated?.Remove(streamId) == true)
            Count(Counter.UpdatesNotSent);
        Streams.Close(streamId, isAnswered);
    }

    /// <summary>Closes some streams of a connection that has ended, or whose login has.</summary>
    /// <param name="max">Maximum number of streams to visit.</param>
    /// <returns>False when none is left.</returns>
    public bool CloseSome(int max)
    {
        for (int i = 0; i < max; i++)
        {
            if (!Streams.TryGetNextToClose(out int streamId))
                return false;
            if (Streams.Find(streamId).State != StreamUse.None)
                CloseStream(streamId);
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
        _requests.ContinueCloses();
        Standby.Continue();
        _requests.ContinueBatch();
        if (IsConflating)
            SendConflated();
        if (HasImagesToAsk)
            RequestImages();
        Output.EndBurst();
        SettlePending();
        if (_isPaused && !IsFull && _requests.MayResume)
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
        Wait.Release();
        Resume(); // until all is sent
    }

    internal override void OnClosed(CloseReason reason)
    {
        base.OnClosed(reason);
        Wait.Release();
        if (SlotNumber < 0)
            return;
        HasLeft = true;
        _host.CountLeft();
        EndPublishing();
        int kept = _host.DropKept(this);
        if (reason.Kind == CloseKind.PeerClosed)
            CountUnwatched(MessageKind.Update, kept);
        else
            Counters.Add(Counter.UpdatesNotSent, kept);
        DiscardPending();
        BeginClosing();
    }

    private protected override void OnServed()
    {
        SlotNumber = _host.Enter(this);
        Streams.Identify(SlotNumber, _host.NextSerial());
        _directory.Services = _host.Announced.Offers;
    }

    private protected override void OnLoggedIn()
    {
        if (Peer!.Role == LoginRole.Provider)
            BeginPublishing();
    }

    private protected override void OnStandby(bool isStandby)
    {
        if (_relay is null)
            Standby.SetLogin(isStandby);
    }

    private protected override void OnRoundTrip(long nanos) => Recording[Series.RoundTrips].Record(nanos);

    private protected override void OnLoginClosed()
    {
        EndPublishing();
        BeginClosing();
    }

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) =>
        _host.Settings.Services.Find(key.ServiceId)?.Dictionary ?? _host.Settings.OwnDictionary;

    // Messages that came for it once it had left: no update and no post is lost with them.
    private void CountUnwatched(MessageKind kind, int copies)
    {
        Counters.Add(kind == MessageKind.Update ? HubCounter.UpdatesUnwatched : kind.NotSent(), copies);
        Counters.Add(kind.Unwatched(), copies);
    }

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
        _requests.Discard();
        Standby.End();
        _posts.Discard();
        if (Streams.IsClosing)
            return; // its login was closed before
        Streams.BeginClosing();
        _host.BeginClosing(this);
    }
}
