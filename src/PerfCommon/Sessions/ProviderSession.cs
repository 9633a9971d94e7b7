using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>One consumer's connection at an interactive provider: its login, its dictionaries, its items and their refreshes; a handler decides what they hold and sends the rest.</summary>
/// <remarks>Give it to a worker by <see cref="Worker.Serve"/>. It belongs to that worker's thread. Nothing here waits.</remarks>
public sealed partial class ProviderSession : Connection
{
    private const int MaxAnswerBytes = 8_192;

    private readonly ProviderSessionOptions _options;
    private readonly ProviderHandler _handler;
    private readonly LoginProvider _login;
    private readonly DirectoryProvider _directory;
    private readonly DictionaryProvider _dictionary;
    private readonly MarketPriceProvider _marketPrice;
    private readonly RefreshSender _refreshes;
    private byte[] _scratch = [];
    private ReplyQueue? _replies;
    private DictionaryReplies? _dictionaryReplies;

    /// <summary>Makes a session.</summary>
    /// <param name="options">What it offers.</param>
    /// <param name="handler">Decides and sends.</param>
    public ProviderSession(ProviderSessionOptions options, ProviderHandler handler)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(handler);
        _options = options;
        _handler = handler;
        _login = new LoginProvider(options.Offer ?? LoginOffer.OfThisProcess());
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

    private ReplyQueue Replies => _replies!;

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

    internal override void OnOpened(long nowNanos)
    {
        if (Packing.IsOn && Packing.BufferBytes > Channel.Info.MaxMessageBytes)
        {
            Recording.Notices.Add($"connection refused: -packBufSize {Packing.BufferBytes} is more than the agreed {Channel.Info.MaxMessageBytes} bytes");
            Channel.Close();
            return;
        }

        _scratch = new byte[MaxAnswerBytes];
        _replies = new ReplyQueue(Output);
        _dictionaryReplies = new DictionaryReplies(Output, Channel.Info.MaxFragmentBytes);
        Recording.Notices.Add($"Connected: {ChannelText.Describe(Channel)}");
        _handler.OnOpened();
    }

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
        if (Replies.TrySendWaiting() && _dictionaryReplies!.TrySend())
            _handler.OnContinue();
        Channel.HoldReading(!MayRead);
        Output.EndBurst();
    }

    internal override bool OnSpareTime() => IsOpen && (ContinueBatch() | _refreshes.SendSome(Output, Recording));

    internal override void OnFinishing()
    {
        _batch = null;
        if (_replies is not null)
            Channel.HoldReading(false); // what still comes is read and counted
        _replies?.GiveUp();
        _handler.OnFinishing();
    }

    internal override void OnClosed(CloseReason reason)
    {
        if (_replies is null)
            return; // refused when it was opened: it was said, and the handler never heard of it
        bool isOrderly = reason.Kind is CloseKind.PeerClosed or CloseKind.Local;
        Recording.Notices.Add(isOrderly ? "Connection closed." : $"Connection lost: {reason.Text}");
        if (!IsFinishing)
            OnFinishing();
        Counters.Add(Counter.RefreshesNotSent, Items.CountDueRefreshes());
        _handler.OnClosed(reason);
    }
}
