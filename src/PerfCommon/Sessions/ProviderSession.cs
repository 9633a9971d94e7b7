using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// One consumer's connection at an interactive provider: its login, its dictionaries, its items and their refreshes; a handler decides what
/// they hold and sends the rest.
/// </summary>
/// <remarks>Give it to a worker by <see cref="Worker.Serve"/>. It belongs to that worker's thread. Nothing here waits.</remarks>
public sealed partial class ProviderSession : ServingSession
{
    private readonly ProviderSessionOptions _options;
    private readonly ProviderHandler _handler;
    private readonly DirectoryProvider _directory;
    private readonly DictionaryProvider _dictionary;
    private readonly MarketPriceProvider _marketPrice;
    private readonly RefreshSender _refreshes;

    /// <summary>Makes a session.</summary>
    /// <param name="options">What it offers.</param>
    /// <param name="handler">Decides and sends.</param>
    public ProviderSession(ProviderSessionOptions options, ProviderHandler handler)
        : base(OfferOf(options))
    {
        ArgumentNullException.ThrowIfNull(handler);
        _options = options;
        _handler = handler;
        _directory = new DirectoryProvider(options.Service);
        _dictionary = new DictionaryProvider(options.Dictionary);
        _marketPrice = new MarketPriceProvider(options.Service);
        _refreshes = new RefreshSender(Items, options.Service, options.RefreshBurstSize, handler);
        handler.Join(this);
    }

    /// <summary>Item streams open now.</summary>
    public int OpenItems => Items.OpenCount;

    /// <summary>Items that get updates: streaming, and their refresh was sent.</summary>
    public int UpdatingItems => Items.Rotation.Count;

    internal ProviderItems Items { get; } = new();

    internal override Packing Packing => _options.Packing;

    internal override bool WantsTicks => IsOpen && _handler.WantsTicks;

    internal override bool IsBlocked => _handler.IsBlocked;

    /// <summary>The number of one of the items that get updates.</summary>
    /// <param name="position">0 to <see cref="UpdatingItems"/> - 1; items move when one is closed.</param>
    public int UpdatingItemAt(int position) => Items.Rotation.Items[position].Slot;

    /// <summary>Name of an open item; valid until the next request.</summary>
    public ReadOnlySpan<byte> NameOf(int item) => Items.NameOf(item);

    /// <summary>Sends an update of an open item.</summary>
    /// <param name="item">The item.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, or when the connection is over.</returns>
    public bool TrySendUpdate(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        return IsOpen && UpdateMessage.TrySend(Output, Items.StreamIdOf(item), fields, stamp);
    }

    /// <summary>Sends a generic message on an open item's stream.</summary>
    /// <param name="item">The item.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, or when the connection is over.</returns>
    public bool TrySendGeneric(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        if (!IsOpen || !Output.TryBegin(GenericMessage.MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(GenericMessage.Encode(room, Items.StreamIdOf(item), fields, stamp), MessageKind.Generic);
        return true;
    }

    private protected override void OnServed() => _handler.OnOpened();

    private protected override void OnRoundTrip(long nanos) => _handler.OnRoundTrip(nanos);

    internal override bool OnTick(in TickInfo tick)
    {
        if (!IsOpen || !_handler.WantsTicks)
            return false;
        bool wasBlocked = _handler.IsBlocked;
        bool sends = _handler.OnTick(tick);
        if (!wasBlocked)
            OnContinue();
        return sends;
    }

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        if (TrySendReplies())
            _handler.OnContinue();
        Channel.HoldReading(!MayRead);
        Output.EndBurst();
    }

    internal override bool OnSpareTime() => IsOpen && (base.OnSpareTime() | ContinueBatch() | SendRefreshes());

    private bool SendRefreshes()
    {
        bool wasFull = Items.IsFull;
        bool canSendMore = _refreshes.SendSome(Output, Recording);
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
            return; // the handler never heard of it
        Counters.Add(Counter.RefreshesNotSent, Items.CountDueRefreshes());
        _handler.OnClosed(reason);
    }

    private static LoginOffer OfferOf(ProviderSessionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Offer ?? LoginOffer.OfThisProcess();
    }
}
