using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Notices;

namespace PerfHub.Upstream;

/// <summary>
/// One connection to an interactive source: logs in as a consumer, subscribes to every service, downloads the dictionary, and requests items on
/// demand.
/// </summary>
internal sealed partial class UpstreamSession : ClientSession
{
    // wire/domains 4
    private const long DictionaryLimitNanos = 5 * Clock.NanosPerSecond;

    // Requests without an answer while the source sends more than is read: their images must not cost updates.
    private const int MaxUnansweredBehind = 250;

    private readonly UpstreamOptions _options;
    private readonly UpstreamSource _source;
    private readonly UpstreamThread _host;
    private readonly ItemReceiver _receiver;
    private readonly DirectoryListing _directory = new();
    private readonly StreamMap<ItemRef> _items = new();
    private readonly HashSet<int> _unanswered = [];
    private FieldDictionary? _dictionary;
    private DictionaryConsumer? _download;
    private ReplyQueue? _requests;
    private bool _isLoggedIn;
    private int _nextStreamId = StreamIds.FirstItem;
    private long _dictionaryDueNanos = long.MaxValue;
    private long _lastAnswerNanos;
    private long _bytesSeen;
    private bool _isBehind;

    /// <param name="options">The source.</param>
    /// <param name="source">Receives the messages and events.</param>
    /// <param name="host">Its thread.</param>
    /// <param name="dictionary">The dictionary of an earlier connection; null downloads it.</param>
    public UpstreamSession(UpstreamOptions options, UpstreamSource source, UpstreamThread host, FieldDictionary? dictionary)
        : base(options.Identity) => (_options, _source, _host, _receiver, _dictionary) = (options, source, host, host.Receiver, dictionary);

    /// <summary>True while items may be requested.</summary>
    public bool IsReady { get; private set; }

    internal override bool EndsFirst => true;

    public bool IsFull => _requests is { IsFull: true } || (_isBehind && _unanswered.Count >= MaxUnansweredBehind);

    internal override long NextDueNanos => IsFinishing
        ? long.MaxValue
        : Math.Min(_dictionaryDueNanos, _unanswered.Count > 0 ? _lastAnswerNanos + AnswerLimitNanos : long.MaxValue);

    private protected override bool IsLoggingIn => !_isLoggedIn;

    /// <summary>Requests an item.</summary>
    public void Request(CachedItem item)
    {
        item.StreamId = _nextStreamId++;
        _items.Add(item.StreamId, ItemRef.To(item));
        if (_unanswered.Count == 0)
            _lastAnswerNanos = Time.NowNanos;
        _unanswered.Add(item.StreamId);
        if (item.PassThrough is not null)
        {
            Reissue(item);
            return;
        }

        Span<byte> room = _requests!.Begin(MarketPriceHeaders.MaxRequestBytes(item.Name.Length));
        int bytes = MarketPriceConsumer.EncodeRequest(room, item.StreamId, item.Service.AtSource!, item.Name, isStreaming: !item.Terms.IsSnapshot,
            isPrivate: item.Terms.IsPrivate, domain: item.Domain);
        _requests.End(bytes, MessageKind.Request);
    }

    /// <summary>Requests an item that is passed on as its consumer did, also on its present stream.</summary>
    public void Reissue(CachedItem item)
    {
        PassThroughStream passed = item.PassThrough!;
        Span<byte> room = _requests!.Begin(passed.Request.Length + PassThroughStream.RoomBeyond);
        _requests.End(passed.EncodeRequest(room, item.StreamId, item.Service.AtSource!.Id), MessageKind.Request);
    }

    /// <summary>Closes the stream of an item.</summary>
    public void CloseItem(CachedItem item)
    {
        if (!Knows(item))
            return;
        Span<byte> room = _requests!.Begin(MarketPriceHeaders.MaxRequestBytes(0));
        _requests.End(item.Terms.IsSnapshot ? 0 : MarketPriceConsumer.EncodeClose(room, item.StreamId, item.Domain), MessageKind.Other);
        Remove(item);
    }

    /// <summary>Ignores all later messages for an item.</summary>
    public void Remove(CachedItem item)
    {
        if (!Knows(item))
            return;
        _items.Remove(item.StreamId);
        _unanswered.Remove(item.StreamId);
        RejectPosts(item.StreamId);
        item.StreamId = 0;
    }

    public override void Fail(ConsumerFailureKind kind, string text, bool isBroken = false)
    {
        Recording.Notices.Add(HubNotices.SourceFailed, _options.Connect.Host, _options.Connect.Port, text);
        Finish(Time.NowNanos);
    }

    internal override void OnReadable(long untilNanos)
    {
        Receiver receiver = new(this);
        if (_host.MayRead())
            Receive(ref receiver, untilNanos);
        bool mustHold = !_host.MayRead();
        _isBehind = mustHold || Channel.MayHaveMore;
        if (mustHold)
            _host.Hold(Channel);
        _host.Publish();
    }

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        _requests!.TrySendWaiting();
        Output.EndBurst();
    }

    internal override void OnDue(long nowNanos)
    {
        if (nowNanos >= _dictionaryDueNanos)
            UseDictionary(_options.OwnDictionary, "the source sent no dictionary within 5 s");
        if (_unanswered.Count == 0 || nowNanos - _lastAnswerNanos < AnswerLimitNanos)
            return;
        _lastAnswerNanos = nowNanos;
        // wire/domains 16
        Channel.SendPing();
    }

    internal override void OnFinishing() => _requests?.Discard();

    internal override void OnClosed(CloseReason reason)
    {
        Recording.Notices.Add(HubNotices.SourceGone, _options.Connect.Host, _options.Connect.Port, reason.Text);
        bool wasReady = IsReady;
        IsReady = false;
        foreach (PendingPost waiting in _posts.RemoveAll())
            _source.Reject(waiting, PostRefusal.SourceDown);
        _source.OnLost(wasReady, Worker.IsEndRequested);
    }

    private protected override void OnAsking(long nowNanos) => _requests = new ReplyQueue(Output);

    private protected override void OnLoggedIn() => _isLoggedIn = true;

    private protected override void OnLoginAck(scoped in RwfMsg ack)
    {
    }

    private bool Knows(CachedItem item) => item.StreamId != 0 && _items.Find(item.StreamId).Item == item;

    private bool Handle(ReadOnlySpan<byte> message)
    {
        if (Channel.BytesRead != _bytesSeen)
        {
            _bytesSeen = Channel.BytesRead;
            _host.Broadcaster.RecordReceived(Time.NowNanos);
        }

        if (UpdateHeader.TryRead(message, out UpdateHeader update) && HubDomain.IsItem(update.DomainType))
        {
            ItemRef updated = _items.Find(update.StreamId);
            return updated.Item is null ? CountUnused(update.StreamId, MsgClass.Update) : _receiver.Receive(updated, update);
        }

        return HandleWhole(message);
    }

    // A separate method: the locals of a whole message are cleared whenever its method begins.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool HandleWhole(ReadOnlySpan<byte> message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success)
            return HandleOther(msg, message);
        // wire/domains 12
        Fail(ConsumerFailureKind.BadMessage, "it sent a message that cannot be decoded");
        return false;
    }

    private bool HandleOther(scoped in RwfMsg msg, ReadOnlySpan<byte> message)
    {
        // A status is matched by its stream: providers differ in the domain they put on it.
        // wire/domains 16
        if (msg.StreamId >= StreamIds.FirstItem)
            return HandleItem(msg);
        if (msg.DomainType == DomainType.Login || msg.StreamId == StreamIds.Login)
            HandleLogin(msg, message);
        else if (msg.DomainType == DomainType.Dictionary || msg.StreamId is StreamIds.FieldDictionary or StreamIds.EnumDictionary)
            HandleDictionary(msg);
        else if (msg.DomainType == DomainType.Source || msg.StreamId == StreamIds.Directory)
            HandleDirectory(msg);
        else
            return DropUnknown();
        return true;
    }

    private bool HandleItem(scoped in RwfMsg msg)
    {
        if (_items.Find(msg.StreamId).Item is not { } item)
            return CountUnused(msg.StreamId, msg.MsgClass);
        if (msg.MsgClass is MsgClass.Refresh or MsgClass.Status && _unanswered.Remove(msg.StreamId))
            _lastAnswerNanos = Time.NowNanos;
        if (msg.MsgClass != MsgClass.Ack)
            return _receiver.Receive(item, msg);
        Acknowledge(msg);
        return _host.Broadcaster.HasRoom();
    }

    // Counts a message that was under way when its item was closed.
    private bool CountUnused(int streamId, MsgClass msgClass)
    {
        if (streamId < StreamIds.FirstItem || streamId >= _nextStreamId)
            return DropUnknown();
        _receiver.CountUnused(msgClass);
        return true;
    }

    private bool DropUnknown()
    {
        _receiver.Drop("a message for a stream that is not open");
        return true;
    }

    private readonly struct Receiver(UpstreamSession session) : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message) => session.Handle(message);
    }
}
