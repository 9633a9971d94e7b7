using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace NIProvPerf;

/// <summary>NIProvPerf's load on one connection: sends the message file's refresh for every item, and its updates at a rate.</summary>
/// <param name="messages">The message file.</param>
/// <param name="updates">The updates of the message file.</param>
/// <param name="plan">How many updates are sent, and which of them carry a stamp; of the connection's worker.</param>
internal sealed class PublisherLoad(MessageData messages, UpdateSource updates, BurstPlan plan) : PublisherHandler
{
    private readonly FieldListTemplate _refresh = messages.Refresh.AppendBlanks(StampFields.Blanks);
    private readonly SizedCounts _counts = new();
    private Burst? _updates;
    private SizedMessages? _sized = updates.Sized; // as of the last tick

    protected internal override int MaxRefreshBytes =>
        _sized?.MaxRefreshBytes ?? Math.Max(_refresh.EncodedBytes, messages.OrderBooks?.Refresh.MaxBytes ?? 0);

    protected internal override bool WantsTicks => plan.IsOn;

    protected internal override bool IsBlocked => _updates is { IsBlocked: true };

    protected internal override void OnOpened() =>
        _updates = updates.CreateBurst(plan, Session.Recording, Session.Output, Session.Items.Rotation, Session.Items.Views, _counts);

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer)
    {
        if (_sized is { } sized)
            sized.EncodeRefresh(ref writer, _counts.Of(item));
        else if (Session.Items.IsOrderBook(item))
            messages.OrderBooks!.Refresh.Encode(ref writer);
        else
            _refresh.EncodeList(ref writer);
    }

    protected internal override void OnRejected(string reason) => _updates!.Discard();

    protected internal override bool OnTick(in TickInfo tick)
    {
        if (updates.Sized != _sized)
            ApplySize(updates.Sized!);
        return _updates!.Begin(tick, Session.Number);
    }

    protected internal override void OnContinue()
    {
        if (_updates!.Left > 0)
            _updates.Send();
    }

    protected internal override void OnFinishing() => _updates?.Discard();

    private void ApplySize(SizedMessages sized)
    {
        _sized = sized;
        ((Burst<SizedUpdateEncoder>)_updates!).Encoder.Messages = sized;
    }
}
