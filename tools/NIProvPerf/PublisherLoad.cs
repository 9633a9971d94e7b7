using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;

namespace NIProvPerf;

/// <summary>NIProvPerf's load on one connection: sends the message file's refresh for every item, and its updates at a rate.</summary>
/// <param name="messages">The message file.</param>
/// <param name="updates">The updates of the message file.</param>
/// <param name="plan">How many updates are sent, and which of them carry a stamp; of the connection's worker.</param>
internal sealed class PublisherLoad(MessageData messages, UpdateSource updates, BurstPlan plan) : PublisherHandler
{
    private readonly ServedLoad _served = new(messages, updates, plan);

    protected override int MaxRefreshBytes => _served.MaxRefreshBytes;

    protected override bool WantsTicks => _served.WantsTicks;

    protected override bool IsBlocked => _served.IsBlocked;

    protected override void OnOpened() => _served.Open(Session);

    protected override void EncodeRefresh(int item, ref RwfWriter writer) => _served.EncodeRefresh(item, ref writer);

    protected override void OnRejected(string reason) => _served.Discard();

    protected override bool OnTick(in TickInfo tick) => _served.Begin(tick);

    protected override void OnContinue() => _served.Send();

    protected override void OnFinishing() => _served.Discard();
}
