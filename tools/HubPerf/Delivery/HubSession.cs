using HubPerf.Rings;
using HubPerf.Services;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <summary>
/// One consumer's connection at the hub: login, directory and dictionary are answered here; items are asked of their source thread.
/// </summary>
internal sealed partial class HubSession : ServingSession
{
    // Requests without an answer, beyond which a connection is not read: so images never fill its queue.
    private const int MaxRequested = 2_000;
    private const int MinRequested = 32;
    private const int RequestShareBytes = 2_048; // of the queue for each of them
    private const int MaxImagesAtOnce = 64; // of those that were put off

    private readonly SessionHost _host;
    private readonly DirectoryProvider _directory;
    private readonly StreamMap<StreamEntry> _streams = new();
    private readonly int _maxRequested;
    private uint _connectionSerial;
    private int _requested;
    private bool _isPaused;

    public HubSession(SessionHost host)
        : base(host.Settings.Offer)
    {
        _host = host;
        _maxRequested = Math.Clamp(host.Settings.MaxQueueBytes / RequestShareBytes, MinRequested, MaxRequested);
        _directory = new DirectoryProvider();
    }

    /// <summary>Its number at its session thread.</summary>
    public int SlotNumber { get; private set; } = -1;

    internal override Packing Packing => _host.Settings.Packing;

    internal override bool AsksForTurns => true;

    // What waits for others is flushed at its time.
    internal override bool IsBusy => HeldUntilNanos != 0 && !IsFinishing
        ? _isPaused || Replies.IsWaiting || IsConflating || HasImagesToAsk || IsDictionaryWaiting
        : base.IsBusy || _isPaused || Replies.IsWaiting || IsConflating || HasImagesToAsk || _pending is { Count: > 0 };

    // A queue that has become empty in one go wakes nobody.
    internal override long NextDueNanos =>
        IsOpen && Channel.BytesQueued == 0 && (HasImagesToAsk || IsConflating) ? Time.NowNanos : base.NextDueNanos;

    private bool IsOwingImages => _putOff is { Count: > 0 };

    private bool HasImagesToAsk => _putOff is { HasToAsk: true } && MayQueueMore;

    // Half of the queue stays free for what is new.
    private bool MayQueueMore => Channel.BytesQueued <= _host.Settings.MaxQueueBytes / 2;

    private protected override bool IsFull => _relay is not null ? IsPublishingFull :
        base.IsFull || _requested >= _maxRequested || _host.IsFull || Channel.BytesQueued > _host.Settings.MaxQueueBytes / 4;

    /// <summary>Tells the consumer what has changed of the services, if it listens.</summary>
    public void TellServices(ServiceSnapshot services)
    {
        _directory.Services = services.Offers;
        if (!_directory.IsOpen || !IsOpen)
            return;
        Replies.End(_directory.EncodeChange(Replies.Begin(_directory.MaxRefreshBytes)), MessageKind.Other);
        Output.EndBurst(); // nobody attends to a pack that stays open
        Worker.Attend(this);
    }

    /// <summary>True when the request that an answer is for still waits for it.</summary>
    public bool IsRequested(StreamAddress address) =>
        _streams.Find(address.StreamId) is { State: StreamUse.Requested } entry && entry.Place == (int)address.Serial;

    /// <summary>True when a message for a stream of this very connection is still of use.</summary>
    public bool Expects(StreamAddress address) =>
        address.Serial == _connectionSerial && (_streams.Find(address.StreamId).State == StreamUse.Open || IsLoginOn(address.StreamId));

    /// <summary>A request has become a stream of an item.</summary>
    public void OpenStream(int streamId, StreamEntry entry) => _streams.Set(streamId, entry);

    /// <summary>A stream of this connection has another place among the watchers of its item.</summary>
    public void MoveTo(int streamId, int place) => _streams.Set(streamId, _streams.Find(streamId) with { Place = place });

    /// <summary>A request has its image, or its refusal.</summary>
    public void EndWait() => _requested--;

    /// <summary>Closes a stream, whatever it is used for.</summary>
    public void CloseStream(int streamId)
    {
        StreamEntry entry = _streams.Find(streamId);
        _streams.Remove(streamId);
        _putOff?.Remove(streamId);
        if (_conflated?.Remove(streamId) == true)
            Count(Counter.UpdatesNotSent);
        if (entry.State == StreamUse.Open && _host.Unwatch(entry))
            EndWait();
    }

    internal override void OnReadable(long untilNanos)
    {
        base.OnReadable(untilNanos);
        if (IsPublishingHere)
            _host.Routes.HoldWhileFull(Channel);
        else if (IsServed && IsFull && !IsFinishing)
            Pause();
    }

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        TrySendReplies();
        if (IsConflating)
            SendConflated();
        if (HasImagesToAsk)
            AskForImages();
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
            _host.HandOverKept(this);
    }

    internal override void OnFinishing()
    {
        base.OnFinishing();
        Release();
        Resume(); // to its end
    }

    internal override void OnClosed(CloseReason reason)
    {
        base.OnClosed(reason);
        Release();
        if (SlotNumber < 0)
            return;
        EndPublishing();
        CloseStreams();
        Counters.Add(Counter.UpdatesNotSent, _host.DropKept(this));
        GiveUpPending();
        _host.Leave(this);
    }

    private protected override void OnServed()
    {
        SlotNumber = _host.Enter(this);
        _connectionSerial = _host.NextSerial();
        _directory.Services = _host.Services.Offers;
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
        CloseStreams();
    }

    private protected override void HandleDirectory(scoped in RwfMsg msg)
    {
        if (_relay is not null)
        {
            Publish(_relay, msg);
            return;
        }

        ConversationResult result = _directory.Take(msg);
        if (result.Step == ConversationStep.Send)
            Replies.End(_directory.EncodeRefresh(Replies.Begin(_directory.MaxRefreshBytes)), MessageKind.Other);
        Conclude(result);
    }

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) =>
        _host.Services.ById.TryGetValue(key.ServiceId, out HubService? service) ? service.Dictionary : _host.Settings.OwnDictionary;

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

    private void CloseStreams()
    {
        foreach (int streamId in _streams.PositiveIds())
        {
            if (_streams.Find(streamId).State != StreamUse.None)
                CloseStream(streamId);
        }

        _requested = 0;
    }
}
