using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Transport;

namespace PerfCommon.Tests.Simulation;

/// <summary>A publisher that sends numbered updates.</summary>
internal sealed class NumberedPublisher(ConversationSettings settings) : PublisherHandler
{
    private readonly UpdateLoad _load = new(settings);

    protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

    protected internal override bool WantsTicks => true;

    protected internal override bool IsBlocked => _load.IsBlocked;

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
        SessionSamples.Messages.Refresh.EncodeList(ref writer);

    protected internal override void OnOpened() => _load.Open(Session, Session.Items.Rotation);

    protected internal override bool OnTick(in TickInfo tick) => _load.Begin(tick, Session.Number);

    protected internal override void OnContinue() => _load.Send();

    protected internal override void OnFinishing() => _load.GiveUp();

    protected internal override void OnClosed(CloseReason reason) => _load.GiveUp();

    /// <summary>Checks the counts once the connection is closed.</summary>
    public void Check() => _load.Check();
}
