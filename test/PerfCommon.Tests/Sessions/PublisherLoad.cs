using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Sessions;

/// <summary>A publisher's handler that sends the shipped refresh and the shipped updates at a rate.</summary>
internal sealed class PublisherLoad(BurstPlan updates) : PublisherHandler
{
    private Burst<RotatingEncoder<UpdateMessage>>? _updates;

    protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

    protected internal override bool WantsTicks => updates.IsOn;

    protected internal override bool IsBlocked => _updates is { IsBlocked: true };

    protected internal override void OnOpened() => _updates =
        new(updates, Session.Recording, Session.Output,
            new RotatingEncoder<UpdateMessage>(default, Session.Items.Rotation, [.. SessionSamples.Messages.Updates]));

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
        SessionSamples.Messages.Refresh.EncodeList(ref writer);

    protected internal override void OnRejected(string reason) => _updates!.Discard();

    protected internal override bool OnTick(in TickInfo tick) => _updates!.Begin(tick, Session.Number);

    protected internal override void OnContinue() => _updates!.Send();

    protected internal override void OnFinishing() => _updates?.Discard();
}
