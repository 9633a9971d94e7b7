using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// The refreshes, updates and generic messages of one connection that provides items: those of a message file, or messages of an exact size. The
/// handler of a <see cref="ProviderSession"/> or <see cref="PublisherSession"/> calls it from its members of the same purpose.
/// </summary>
/// <remarks>One owner thread: that of the session's worker. Sending allocates nothing.</remarks>
/// <param name="messages">The message file.</param>
/// <param name="updates">Its updates, shared by all connections.</param>
/// <param name="plan">How many updates are sent, and which of them carry a stamp; of the connection's worker.</param>
/// <param name="genericPlan">The same of generic messages, which only a provider sends; null for none.</param>
public sealed class ServedLoad(MessageData messages, UpdateSource updates, BurstPlan plan, BurstPlan? genericPlan = null)
{
    private readonly FieldListTemplate _refresh = messages.Refresh.AppendBlanks(StampFields.Blanks);
    private readonly SizedCounts _counts = new();
    private Connection? _session; // null until it is open
    private ProviderItems? _items;
    private Burst? _burst; // null where no updates are planned
    private Burst? _generics;
    private SizedMessages? _sized = updates.Sized; // as of the last tick

    /// <summary>Maximum bytes of the content of a refresh.</summary>
    public int MaxRefreshBytes =>
        _sized?.MaxRefreshBytes ?? Math.Max(_refresh.EncodedBytes, messages.OrderBooks?.Refresh.MaxBytes ?? 0);

    /// <summary>True when messages are planned: the session needs ticks.</summary>
    public bool WantsTicks => plan.IsOn || genericPlan is { IsOn: true };

    /// <summary>True while messages wait for output buffers.</summary>
    public bool IsBlocked => _burst is { IsBlocked: true } || _generics is { IsBlocked: true };

    /// <summary>Messages that are due and not sent yet.</summary>
    public int Left => (_burst?.Left ?? 0) + (_generics?.Left ?? 0);

    /// <summary>Begins on an open session.</summary>
    public void Open(ProviderSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        Open(session, session.Items);
        if (genericPlan is { IsOn: true })
        {
            _generics = new Burst<RotatingEncoder<GenericMessage>>(genericPlan, session.Recording, session.Output,
                new(default, session.Items.Rotation, [.. messages.Generics], [.. messages.OrderBooks?.Generics ?? []]));
        }
    }

    /// <inheritdoc cref="Open(ProviderSession)"/>
    public void Open(PublisherSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        Open(session, session.Items);
    }

    /// <summary>Encodes the content of an item's refresh.</summary>
    /// <param name="item">Number of the item in its session.</param>
    /// <param name="writer">Writes it; with room for <see cref="MaxRefreshBytes"/>.</param>
    /// <exception cref="InvalidOperationException">The item is an order book, and the message file has no messages of them.</exception>
    public void EncodeRefresh(int item, ref RwfWriter writer)
    {
        if (_sized is { } sized)
            sized.EncodeRefresh(ref writer, _counts.Of(item));
        else if (_items!.IsOrderBook(item))
            OrderBooks.Refresh.Encode(ref writer);
        else
            _refresh.EncodeList(ref writer);
    }

    /// <summary>Adds the messages that are due in a tick.</summary>
    /// <returns>True when there are any.</returns>
    public bool Begin(in TickInfo tick)
    {
        if (updates.Sized != _sized)
            ApplySize(updates.Sized!);
        bool sends = _burst is not null && _burst.Begin(tick, _session!.Number);
        return (_generics is not null && BeginGenerics(tick)) | sends;
    }

    /// <summary>Sends the messages left, as far as output buffers allow.</summary>
    public void Send()
    {
        if (_burst is { Left: > 0 })
            _burst.Send();
        if (_generics is { Left: > 0 })
            _generics.Send();
    }

    /// <summary>Discards the messages left: they count as not sent.</summary>
    public void Discard()
    {
        _burst?.Discard();
        _generics?.Discard();
    }

    private MessageList<FieldMapTemplate> OrderBooks => messages.OrderBooks
        ?? throw new InvalidOperationException("A service with order books needs a message file with messages of market by order.");

    private void Open(Connection session, ProviderItems items)
    {
        (_session, _items) = (session, items);
        if (plan.IsOn)
            _burst = updates.CreateBurst(plan, session.Recording, session.Output, items.Rotation, items.Views, _counts);
    }

    private bool BeginGenerics(in TickInfo tick)
    {
        bool sends = _generics!.Begin(tick, _session!.Number);
        if (sends)
            _session.Recording.RecordFirst(Moment.FirstGenericSent, tick.DueNanos + tick.LagNanos);
        return sends;
    }

    private void ApplySize(SizedMessages sized)
    {
        _sized = sized;
        if (_burst is Burst<SizedUpdateEncoder> burst)
            burst.Encoder.Messages = sized;
    }
}
