using PerfCommon.Load;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;

namespace NIProvPerf;

/// <summary>The settings of a running publisher that may be changed: its update rate and, for generated updates, their size.</summary>
internal static class NIProvPerfSettings
{
    public static RoleSettings Create(NIProvPerfOptions options, IReadOnlyList<BurstPlan> plans, UpdateSource updates)
    {
        Setting<NIProvPerfOptions> rate = RateSetting.Create<NIProvPerfOptions>(
            o => o.UpdateRate, (o, v) => o with { UpdateRate = v, Run = o.Run with { RateProfile = null } });
        Setting<NIProvPerfOptions> size = Setting<NIProvPerfOptions>.Of(NIProvPerfOptionTable.Instance, "-updateSize", "size", "bytes");
        return new RoleSettings<NIProvPerfOptions>(options, FindProblem, Apply, options.UpdateSize is null ? [rate] : [rate, size]);

        NIProvPerfOptions Apply(NIProvPerfOptions changed)
        {
            if (changed.Run.RateProfile is null)
                RateSetting.Apply(plans, changed.UpdateRate);
            if (changed.UpdateSize is { } wanted)
                updates.Sized = new SizedMessages(wanted.Bytes, wanted.Fields);
            return changed;
        }
    }

    // At a low rate there are fewer stamps; no more are required than at the start.
    private static string? FindProblem(NIProvPerfOptions changed) => changed.LatencyUpdateRate.Exceeds(changed.UpdateRate)
        ? (changed with { LatencyUpdateRate = LatencyRate.Of(changed.UpdateRate) }).FindProblem() : changed.FindProblem();
}
