using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ProvPerf;

/// <summary>
/// ProvPerf's load on one connection: sends the message file's refresh to every item, its updates and generic messages at their rates, and posts
/// back; measures the consumer's generic messages.
/// </summary>
/// <param name="messages">The message file.</param>
/// <param name="updates">The updates of the message file.</param>
/// <param name="plan">How many messages of each kind are sent, and which of them carry a stamp; of the connection's worker.</param>
/// <param name="types">The types of the fields in received messages.</param>
/// <param name="symbols">The items that the symbol list names; null for none.</param>
internal sealed class ProviderLoad(
    MessageData messages, UpdateSource updates, ProviderPlan plan, FieldTypeTable types, ItemList? symbols = null) : ProviderHandler
{
    private static readonly NoticeKind BadGeneric =
        NoticeKind.Warning(301, "BadGenericMessage", "Received a generic message that cannot be decoded; further ones are only counted.");

    private readonly FieldListTemplate _refresh = messages.Refresh.AppendBlanks(StampFields.Blanks);
    private readonly SizedCounts _counts = new();
    private Burst? _updates;
    private Burst<RotatingEncoder<GenericMessage>>? _generics;
    private FieldListDecoder? _decoder; // once there is anything to decode
    private StampRecorder? _genericLatency;
    private SizedMessages? _sized = updates.Sized; // as of the last tick

    protected internal override int MaxRefreshBytes =>
        _sized?.MaxRefreshBytes ?? Math.Max(_refresh.EncodedBytes, messages.OrderBooks?.Refresh.MaxBytes ?? 0);

    protected internal override bool WantsTicks => plan.IsOn;

    protected internal override int SymbolCount => symbols?.Count ?? 0;

    protected internal override ReadOnlySpan<byte> SymbolAt(int index) => symbols!.NameOf(index);

    protected internal override bool IsBlocked => _updates is { IsBlocked: true } || _generics is { IsBlocked: true };

    protected internal override void OnOpened()
    {
        ItemRotation items = Session.Items.Rotation;
        if (plan.Updates.IsOn)
            _updates = updates.CreateBurst(plan.Updates, Session.Recording, Session.Output, Session.Items.Rotation, Session.Items.Views, _counts);
        if (plan.Generics.IsOn)
        {
            _generics = new(plan.Generics, Session.Recording, Session.Output,
                new RotatingEncoder<GenericMessage>(default, items, [.. messages.Generics], [.. messages.OrderBooks?.Generics ?? []]));
        }
    }

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer)
    {
        if (_sized is { } sized)
            sized.EncodeRefresh(ref writer, _counts.Of(item));
        else if (Session.Items.IsOrderBook(item))
            messages.OrderBooks!.Refresh.Encode(ref writer);
        else
            _refresh.EncodeList(ref writer);
    }

    protected internal override bool OnTick(in TickInfo tick)
    {
        if (updates.Sized != _sized)
            ApplySize(updates.Sized!);
        bool sends = _updates is not null && _updates.Begin(tick, Session.Number);
        return (_generics is not null && BeginGenerics(tick)) | sends;
    }

    protected internal override void OnContinue()
    {
        if (_updates is { Left: > 0 })
            _updates.Send();
        if (_generics is { Left: > 0 })
            _generics.Send();
    }

    protected internal override void OnPost(int item, scoped in RwfMsg post) => Session.Reflect(item, post);

    protected internal override void OnGeneric(int item, scoped in RwfMsg message)
    {
        if (_decoder is null)
            BeginMeasuring();
        if (Session.IsFinishing)
            Session.Counters.Add(Counter.DrainedGeneric, 1);
        if (message.ContainerType is not (DataType.FieldList or DataType.Map))
            return;
        if (Decode(message) is not (DecodeResult.Success or DecodeResult.NoData))
            CountBadList();
        else if (_decoder!.Kept(StampFields.GenericIndex) is var stamp and not 0)
            RecordGeneric(stamp);
    }

    protected internal override void OnRoundTrip(long nanos) => Session.Recording[Series.RoundTrips].Record(nanos);

    protected internal override void OnFinishing()
    {
        _updates?.Discard();
        _generics?.Discard();
    }

    private DecodeResult Decode(scoped in RwfMsg message) => message.ContainerType == DataType.Map
        ? _decoder!.DecodeMap(message.Message, message.PayloadStart)
        : _decoder!.Decode(message.Message, message.PayloadStart);

    private void ApplySize(SizedMessages sized)
    {
        _sized = sized;
        if (_updates is Burst<SizedUpdateEncoder> burst)
            burst.Encoder.Messages = sized;
    }

    private bool BeginGenerics(in TickInfo tick)
    {
        bool sends = _generics!.Begin(tick, Session.Number);
        if (sends)
            Session.Recording.RecordFirst(Moment.FirstGenericSent, tick.DueNanos + tick.LagNanos);
        return sends;
    }

    private void BeginMeasuring()
    {
        Session.Recording.RecordFirst(Moment.FirstGenericReceived, Clock.NowNanos);
        _decoder = new FieldListDecoder(types, StampFields.First, StampFields.Count);
        _genericLatency = new StampRecorder(Session.Recording, Session.Time, Series.Generic, StampedKind.Generic);
    }

    private void RecordGeneric(ulong stamp)
    {
        Session.Counters.Add(Counter.GenericStampsReceived, 1);
        _genericLatency!.Record(stamp);
    }

    private void CountBadList()
    {
        if (Session.Recording.Counters[Counter.MessagesDropped] == 0)
            Session.Recording.Notices.Add(BadGeneric);
        Session.Counters.Add(Counter.MessagesDropped, 1);
    }
}
