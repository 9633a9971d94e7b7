using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;

namespace PerfCommon.Tests.Sessions;

/// <summary>A provider's handler with a load, usually of the shipped refresh, and the shipped updates and generic messages at a rate.</summary>
internal sealed class SampleLoad(ServedLoad load) : ProviderHandler
{
    public SampleLoad(BurstPlan updates, BurstPlan? generics = null)
        : this(new ServedLoad(SessionSamples.Messages, new UpdateSource(SessionSamples.Messages), updates, generics))
    {
    }

    public ServedLoad Load => load;

    protected internal override int MaxRefreshBytes => Load.MaxRefreshBytes;

    protected internal override bool WantsTicks => Load.WantsTicks;

    protected internal override bool IsBlocked => Load.IsBlocked;

    protected internal override void OnOpened() => Load.Open(Session);

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => Load.EncodeRefresh(item, ref writer);

    protected internal override bool OnTick(in TickInfo tick) => Load.Begin(tick);

    protected internal override void OnContinue() => Load.Send();

    protected internal override void OnFinishing() => Load.Discard();
}
