using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// One consumer's connection at an interactive provider: its login, its dictionaries, its items and their refreshes; a handler supplies
/// their content and sends the other messages.
/// </summary>
/// <remarks>Add it to a worker by <see cref="Worker.Serve"/>. It belongs to that worker's thread. No call waits.</remarks>
public sealed partial class ProviderSession : ServerSession
{
    private readonly ProviderSessionOptions _options;
    private readonly ProviderHandler _handler;
    private readonly DirectoryProvider _directory;
    private readonly DictionaryProvider _dictionary;
    private readonly MarketPriceProvider _marketPrice;
    private readonly RefreshSender _refreshes;
    private readonly bool _offersViews;
    private bool _isStandbyOfLogin;
    private bool _isStandbyOfService;

    /// <summary>Creates a session.</summary>
    /// <param name="options">The service and settings.</param>
    /// <param name="handler">Handles the events and sends messages.</param>
    public ProviderSession(ProviderSessionOptions options, ProviderHandler handler)
        : base(OfferOf(options))
    {
        ArgumentNullException.ThrowIfNull(handler);
        _options = options;
        _handler = handler;
        _offersViews = options.Offer is not { SupportViewRequests: false };
        _directory = new DirectoryProvider(options.Service);
        _dictionary = new DictionaryProvider(options.Dictionary);
        _marketPrice = new MarketPriceProvider(options.Service);
        _refreshes = new RefreshSender(Items, options.Service, options.RefreshBurstSize, handler);
        handler.Join(this);
    }

    /// <summary>Number of open item streams.</summary>
    public int OpenItems => Items.OpenCount;

    /// <summary>Number of items that receive updates: streaming, and their refresh was sent.</summary>
    public int UpdatingItems => Items.Rotation.Count;

    internal ProviderItems Items { get; } = new();

    internal override Packing Packing => _options.Packing;

    internal override bool WantsTicks => IsOpen && _handler.WantsTicks;

    internal override bool IsBlocked => _handler.IsBlocked;

    /// <summary>
    /// True while the consumer receives its data from another provider: its items get refreshes without content, and no updates.
    /// </summary>
    // wire/domains 5.11
    public bool IsStandby => _isStandbyOfLogin || _isStandbyOfService;

    /// <summary>Returns the number of one of the items that receive updates.</summary>
    /// <param name="position">0 to <see cref="UpdatingItems"/> - 1; items move when one is closed.</param>
    public int UpdatingItemAt(int position) => Items.Rotation.Items[position].Slot;

    /// <summary>Returns the name of an open item; valid until the next request.</summary>
    public ReadOnlySpan<byte> NameOf(int item) => Items.NameOf(item);

    /// <summary>Sends an update of an open item.</summary>
    /// <param name="item">The item.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, or when the connection is closed.</returns>
    public bool TrySendUpdate(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        return IsOpen && UpdateMessage.TrySend(Output, Items.StreamIdOf(item), fields, stamp, Items.Views.Of(item));
    }

    /// <summary>Sends the next update of an item: of an exact size, with the item's count, by which a consumer detects what is missing.</summary>
    /// <param name="item">The item.</param>
    /// <param name="messages">The messages; those of the item's refresh, too.</param>
    /// <param name="count">The item's count, which its refresh had, too; <see cref="SizedMessages.FirstCount"/> before its first update.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, or when the connection is closed; the count is then unchanged.</returns>
    public bool TrySendSizedUpdate(int item, SizedMessages messages, ref int count, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(messages);
        return IsOpen && messages.TrySend(Output, Items.StreamIdOf(item), ref count, stamp);
    }

    /// <summary>Sends a name that was added to the end of the symbol list to the streams of that list.</summary>
    /// <param name="name">The name, 1 to 255 bytes.</param>
    /// <returns>False while no output buffer is free: the other streams receive it with the next refresh only.</returns>
    // wire/domains 5.10
    public bool TryAddSymbol(ReadOnlySpan<byte> name)
    {
        foreach (int slot in Items.SymbolLists)
        {
            int maxBytes = MarketPriceHeaders.UpdateHeaderBytes + SymbolList.MaxUpdateBytes(name.Length);
            if (!IsOpen || !Output.TryBegin(maxBytes, out Span<byte> room))
                return false;
            UpdateHeader.Write(room, DomainType.SymbolList, Items.StreamIdOf(slot), DataType.Map, UpdateType.Unspecified);
            RwfWriter writer = new(room[MarketPriceHeaders.UpdateHeaderBytes..]);
            SymbolList.WriteChange(ref writer, MapAction.Add, name);
            Output.End(MarketPriceHeaders.UpdateHeaderBytes + writer.Written, MessageKind.Other);
        }

        return true;
    }

    /// <summary>Sends a generic message on an open item's stream.</summary>
    /// <param name="item">The item.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, or when the connection is closed.</returns>
    public bool TrySendGeneric(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        if (!IsOpen || !Output.TryBegin(default(GenericMessage).MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(default(GenericMessage).Encode(room, Items.StreamIdOf(item), fields, stamp), MessageKind.Generic);
        return true;
    }

    private protected override void OnServed() => _handler.OnOpened();

    private protected override void OnRoundTrip(long nanos) => _handler.OnRoundTrip(nanos);

    internal override bool OnTick(in TickInfo tick) => _handler.OnTick(tick);

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        if (TrySendReplies())
            _handler.OnContinue();
        Channel.HoldReading(!MayRead);
        Output.EndBurst();
    }

    internal override bool OnIdle() => IsOpen && (base.OnIdle() | ContinueBatch() | SendRefreshes());

    // A provider that becomes active sends everything anew; one that becomes the standby sends nothing more.
    private void SetStandby(bool ofService, bool ofLogin)
    {
        if (_options.Offer is { SupportStandby: false })
            return;
        bool wasStandby = IsStandby;
        (_isStandbyOfService, _isStandbyOfLogin) = (ofService, ofLogin);
        if (IsStandby == wasStandby)
            return;
        Recording.Notices.Add(IsStandby ? SessionNotices.StandingBy : SessionNotices.Active);
        Items.IsStandby = IsStandby;
    }

    private bool SendRefreshes()
    {
        bool wasFull = Items.IsFull;
        bool canSendMore = _refreshes.SendSome(Output, Recording, Channel.Info.MaxFragmentBytes);
        if (wasFull)
            Channel.HoldReading(!MayRead);
        return canSendMore;
    }

    internal override void OnFinishing()
    {
        _batch = null;
        base.OnFinishing();
        if (IsServed)
            _handler.OnFinishing();
    }

    internal override void OnClosed(CloseReason reason)
    {
        base.OnClosed(reason);
        if (!IsServed)
            return; // the handler was never notified of it
        Counters.Add(Counter.RefreshesNotSent, Items.CountDueRefreshes());
        _handler.OnClosed(reason);
    }

    private static LoginOffer OfferOf(ProviderSessionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Offer ?? LoginOffer.OfThisProcess();
    }
}
