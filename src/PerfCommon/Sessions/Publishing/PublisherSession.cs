using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// A non-interactive provider's connection to a hub: logs in, announces its service, sends a refresh of every item; a handler supplies
/// their content and sends the other messages.
/// </summary>
/// <remarks>
/// Add it to a worker by <see cref="Worker.Connect(Connection, ConnectOptions)"/>. It belongs to that worker's thread unless stated
/// otherwise. It answers no requests; when its login is refused it stays connected and sends nothing.
/// </remarks>
// wire/domains 10
public sealed class PublisherSession : Connection
{
    private const int MaxStartMessageBytes = 4_096;

    private readonly PublisherSessionOptions _options;
    private readonly PublisherHandler _handler;
    private readonly LoginConsumer _login;
    private readonly RefreshSender _refreshes;
    private readonly byte[] _scratch = new byte[MaxStartMessageBytes];
    private ReplyQueue? _announcements;
    private volatile int _stage;
    private volatile string? _failure;
    private volatile string? _refusal;
    private bool _hasDropped; // a message: there is one notice
    private volatile bool _isHopeless; // another connection would fail in the same way

    /// <summary>Creates a session.</summary>
    /// <param name="options">Service and items that it publishes.</param>
    /// <param name="handler">Supplies the content of its messages.</param>
    public PublisherSession(PublisherSessionOptions options, PublisherHandler handler)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(handler);
        _options = options;
        _handler = handler;
        _login = new LoginConsumer(options.Identity ?? LoginIdentity.OfThisProcess() with { Role = LoginRole.Provider });
        _refreshes = new RefreshSender(Items, options.Service, options.RefreshBurstSize, handler);
        for (int item = 0; item < options.ItemCount; item++)
            // wire/domains 10
            Items.Open(StreamIds.FirstPublishedItem - item, NameInList(item), TraitsInList(item));
        handler.Join(this);
    }

    /// <summary>The stage of the connection. Any thread.</summary>
    public PublisherStage Stage => (PublisherStage)_stage;

    /// <summary>The reason why the connection cannot continue, as a sentence; null otherwise. Any thread.</summary>
    public string? Failure => _failure;

    /// <summary>The reason why the hub refused the login, as a sentence; null otherwise. Any thread.</summary>
    public string? Refusal => _refusal;

    /// <summary>Number of items of this session.</summary>
    public int ItemCount => _options.ItemCount;

    /// <summary>Number of items that receive updates: their refresh was sent.</summary>
    public int UpdatingItems => Items.Rotation.Count;

    internal ProviderItems Items { get; } = new();

    internal override string Role => "publisher";

    internal override Packing Packing => _options.Packing;

    internal override bool WantsTicks => MaySend && _handler.WantsTicks;

    internal override bool IsBlocked => _handler.IsBlocked;

    /// <summary>True when another connection will replace this one: its items are published again.</summary>
    internal bool WillBeFollowed => Successor is not null && !Worker.IsEndRequested && !_isHopeless;

    private bool MaySend => IsOpen && Stage == PublisherStage.Publishing;

    /// <summary>Returns the number of one of the items that receive updates.</summary>
    /// <param name="position">0 to <see cref="UpdatingItems"/> - 1.</param>
    public int UpdatingItemAt(int position) => Items.Rotation.Items[position].Slot;

    /// <summary>Returns the name of an item.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1.</param>
    public ReadOnlySpan<byte> NameOf(int item) => Items.NameOf(item);

    /// <summary>Sends an update of an item whose refresh was sent.</summary>
    /// <param name="item">The item.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, and while nothing may be sent.</returns>
    public bool TrySendUpdate(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        return MaySend && UpdateMessage.TrySend(Output, Items.StreamIdOf(item), fields, stamp);
    }

    /// <summary>Sends the next update of an item: of an exact size, with the item's count, by which a consumer detects what is missing.</summary>
    /// <param name="item">The item.</param>
    /// <param name="messages">The messages; those of the item's refresh, too.</param>
    /// <param name="count">The item's count, which its refresh had, too; <see cref="SizedMessages.FirstCount"/> before its first update.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, and while nothing may be sent; the count is then unchanged.</returns>
    public bool TrySendSizedUpdate(int item, SizedMessages messages, ref int count, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(messages);
        return MaySend && messages.TrySend(Output, Items.StreamIdOf(item), ref count, stamp);
    }

    internal override void OnOpened(long nowNanos)
    {
        Recording.Notices.Add(SessionNotices.Connected);
        Recording.Notices.Add(ConnectionNotices.Channel, ChannelText.Describe(Channel));
        if (Packing.IsOn && Packing.BufferBytes > Channel.Info.MaxMessageBytes)
        {
            _isHopeless = true;
            Recording.Notices.Add(ConnectionNotices.PackTooLarge, Packing.BufferBytes, Channel.Info.MaxMessageBytes);
            Fail($"packs of {Packing.BufferBytes} bytes are more than the agreed {Channel.Info.MaxMessageBytes} bytes");
            return;
        }

        _announcements = new ReplyQueue(Output);
        Enter(PublisherStage.Login);
        Announce(_login.EncodeRequest(_scratch));
        _handler.OnOpened();
    }

    internal override void OnReadable(long untilNanos)
    {
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
    }

    internal override bool OnTick(in TickInfo tick) => _handler.OnTick(tick);

    internal override void OnContinue()
    {
        if (!IsOpen || !_announcements!.TrySendWaiting())
            return;
        if (MaySend)
            _handler.OnContinue();
        Output.EndBurst();
    }

    internal override bool OnIdle() => MaySend && _announcements!.TrySendWaiting() && _refreshes.SendSome(Output, Recording, Channel.Info.MaxFragmentBytes);

    internal override void OnFinishing()
    {
        if (!WillBeFollowed)
            Recording.RecordFirst(Moment.End, Time.NowNanos);
        _handler.OnFinishing();
    }

    internal override void OnClosed(CloseReason reason)
    {
        if (!IsFinishing)
            Fail($"connection lost: {reason.Text}");
        else if (reason.Kind is not (CloseKind.PeerClosed or CloseKind.Local))
            Fail($"connection lost at the end: {reason.Text}");
        if (!WillBeFollowed)
            Counters.Add(Counter.RefreshesNotSent, Items.CountDueRefreshes());
        _handler.OnClosed(reason);
    }

    private ReadOnlySpan<byte> NameInList(int item) => _options.Items.NameOf(_options.ListIndexOf(item));

    private ItemTraits TraitsInList(int item)
    {
        bool isOrderBook = (_options.Items.FlagsOf(_options.ListIndexOf(item)) & ItemFlags.MarketByOrder) != 0;
        return ItemTraits.Streaming | ItemTraits.NameTypeGiven | (isOrderBook ? ItemTraits.OrderBook : 0);
    }

    private void Enter(PublisherStage stage) => _stage = (int)stage;

    private void Announce(int bytes) => _announcements!.Send(_scratch.AsSpan(0, bytes));

    // Ends sending because of a received message; the first failure is kept.
    private void Fail(string text)
    {
        _failure ??= text;
        Finish(Time.NowNanos);
    }

    private bool Handle(ReadOnlySpan<byte> message)
    {
        if (IsFinishing)
            return true; // read to its end, without any effect
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
            // wire/domains 12
            Fail("the hub sent a message that cannot be decoded");
        else if (msg.DomainType == DomainType.Login)
            HandleLogin(msg);
        else
            Drop(msg);
        return true;
    }

    private void HandleLogin(scoped in RwfMsg msg)
    {
        ConversationResult result = _login.Receive(msg);
        switch (result.Step)
        {
            case ConversationStep.Ready when Stage != PublisherStage.Publishing:
                Publish();
                break;
            case ConversationStep.Refused or ConversationStep.Closed:
                Reject(result.Reason ?? "the hub refused the login");
                break;
            case ConversationStep.Disconnect:
                Fail(result.Reason ?? "the hub broke the protocol");
                break;
            default:
                if (result.Reason is { } reason)
                    Report(SessionNotices.Message, reason);
                break;
        }
    }

    private void Publish()
    {
        Recording.Notices.Add(SessionNotices.Publishing, ItemCount);
        _refusal = null;
        Enter(PublisherStage.Publishing);
        Announce(DirectoryProvider.EncodeAnnouncement(_scratch, _options.Service));
        for (int item = 0; item < ItemCount; item++)
            Items.EnqueueRefresh(item, solicited: false);
        _handler.OnReady();
    }

    // wire/domains 10
    private void Reject(string reason)
    {
        Recording.Notices.Add(SessionNotices.Silent, reason);
        _refusal = reason;
        Enter(PublisherStage.Rejected);
        _handler.OnRejected(reason);
    }

    // wire/domains 10
    private void Drop(scoped in RwfMsg msg)
    {
        if (!_hasDropped)
            Recording.Notices.Add(SessionNotices.MessageIgnored, msg.MsgClass, (byte)msg.DomainType);
        _hasDropped = true;
        Counters.Add(Counter.MessagesDropped, 1);
    }

    private readonly struct Receiver(PublisherSession session) : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message) => session.Handle(message);
    }
}
