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
/// <param name="dictionary">The fields in received messages.</param>
/// <param name="symbols">The items that the symbol list names; null for none.</param>
internal sealed class ProviderLoad(
    MessageData messages, UpdateSource updates, ProviderPlan plan, FieldDictionary dictionary, ItemList? symbols = null) : ProviderHandler
{
    private static readonly NoticeKind BadGeneric =
        NoticeKind.Warning(301, "BadGenericMessage", "Received a generic message that cannot be decoded; further ones are only counted.");

    private readonly ServedLoad _served = new(messages, updates, plan.Updates, plan.Generics);
    private FieldListDecoder? _decoder; // once there is anything to decode
    private StampRecorder? _genericLatency;

    protected override int MaxRefreshBytes => _served.MaxRefreshBytes;

    protected override bool WantsTicks => _served.WantsTicks;

    protected override int SymbolCount => symbols?.Count ?? 0;

    protected override ReadOnlySpan<byte> SymbolAt(int index) => symbols!.NameOf(index);

    protected override bool IsBlocked => _served.IsBlocked;

    protected override void OnOpened() => _served.Open(Session);

    protected override void EncodeRefresh(int item, ref RwfWriter writer) => _served.EncodeRefresh(item, ref writer);

    protected override bool OnTick(in TickInfo tick) => _served.Begin(tick);

    protected override void OnContinue() => _served.Send();

    protected override void OnPost(int item, scoped in RwfMsg post) => Session.Reflect(item, post);

    protected override void OnGeneric(int item, scoped in RwfMsg message)
    {
        if (_decoder is null)
            BeginMeasuring();
        if (Session.IsFinishing)
            Session.Counters.Add(Counter.DrainedGeneric, 1);
        if (message.ContainerType is not (DataType.FieldList or DataType.Map))
            return;
        if (_decoder!.Decode(message) is not (DecodeResult.Success or DecodeResult.NoData))
            CountBadList();
        else if (_decoder.Kept(StampFields.GenericIndex) is var stamp and not 0)
            RecordGeneric(stamp);
    }

    protected override void OnRoundTrip(long nanos) => Session.Recording[Series.RoundTrips].Record(nanos);

    protected override void OnFinishing() => _served.Discard();

    private void BeginMeasuring()
    {
        Session.Recording.RecordFirst(Moment.FirstGenericReceived, Clock.NowNanos);
        _decoder = dictionary.CreateDecoder();
        _genericLatency = new StampRecorder(Session.Recording, Session.Time, Series.Generic);
    }

    private void RecordGeneric(ulong stamp)
    {
        Session.Counters.Add(Counter.GenericStampsReceived, 1);
        _genericLatency!.Record(stamp);
    }

    private void CountBadList()
    {
        if (Session.Recording.Counters[Counter.MessagesDropped] == 0)
            Session.Recording.Report(BadGeneric);
        Session.Counters.Add(Counter.MessagesDropped, 1);
    }
}
