using PerfCommon.Load;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;

namespace TransportPerf;

/// <summary>The setting of a running side that may be changed: the rate of its messages.</summary>
internal static class TransportPerfSettings
{
    public static RoleSettings Create(TransportPerfOptions options, IReadOnlyList<BurstPlan> plans)
    {
        Setting<TransportPerfOptions> rate = RateSetting.Create<TransportPerfOptions>(
            o => o.MsgRate, (o, v) => o with { MsgRate = v, Run = o.Run with { RateProfile = null } });
        return new RoleSettings<TransportPerfOptions>(options, FindProblem, Apply, [rate]);

        TransportPerfOptions Apply(TransportPerfOptions changed)
        {
            if (changed.Run.RateProfile is null)
                RateSetting.Apply(plans, changed.MsgRate);
            return changed;
        }
    }

    // At a low rate there are fewer stamps; no more are required than at the start.
    private static string? FindProblem(TransportPerfOptions changed) => changed.LatencyMsgRate.Exceeds(changed.MsgRate)
        ? (changed with { LatencyMsgRate = LatencyRate.Of(changed.MsgRate) }).FindProblem() : changed.FindProblem();
}
