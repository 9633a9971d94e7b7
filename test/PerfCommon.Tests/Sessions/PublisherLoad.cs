using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;

namespace PerfCommon.Tests.Sessions;

/// <summary>A publisher's handler that sends the shipped refresh and the shipped updates at a rate.</summary>
internal sealed class PublisherLoad(BurstPlan updates) : PublisherHandler
{
    private readonly ServedLoad _load = new(SessionSamples.Messages, new UpdateSource(SessionSamples.Messages), updates);

    protected internal override int MaxRefreshBytes => _load.MaxRefreshBytes;

    protected internal override bool WantsTicks => _load.WantsTicks;

    protected internal override bool IsBlocked => _load.IsBlocked;

    protected internal override void OnOpened() => _load.Open(Session);

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => _load.EncodeRefresh(item, ref writer);

    protected internal override void OnRejected(string reason) => _load.Discard();

    protected internal override bool OnTick(in TickInfo tick) => _load.Begin(tick);

    protected internal override void OnContinue() => _load.Send();

    protected internal override void OnFinishing() => _load.Discard();
}
