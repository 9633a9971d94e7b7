using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;

namespace ProvPerf;

/// <summary>What of a running provider may be changed: its rate of updates.</summary>
internal static class ProvPerfSettings
{
    public static RoleSettings Create(ProvPerfOptions options, IReadOnlyList<BurstPlan> updates)
    {
        Setting<ProvPerfOptions> rate = RateSetting.Create<ProvPerfOptions>(
            o => o.UpdateRate, (o, v) => o with { UpdateRate = v, Run = o.Run with { RateProfile = null } });
        return new RoleSettings<ProvPerfOptions>(options, FindProblem, Apply, [rate]);

        ProvPerfOptions Apply(ProvPerfOptions changed)
        {
            if (changed.Run.RateProfile is null)
                RateSetting.Apply(updates, changed.UpdateRate);
            return changed;
        }
    }

    // At a low rate there are fewer stamps; more are not asked for than at the start.
    private static string? FindProblem(ProvPerfOptions changed) => changed.LatencyUpdateRate.Exceeds(changed.UpdateRate)
        ? (changed with { LatencyUpdateRate = LatencyRate.Of(changed.UpdateRate) }).FindProblem() : changed.FindProblem();
}
