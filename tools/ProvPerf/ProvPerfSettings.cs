using PerfCommon.Load;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;

namespace ProvPerf;

/// <summary>The settings of a running provider that may be changed: its update rate and, for generated updates, their size.</summary>
internal static class ProvPerfSettings
{
    public static RoleSettings Create(ProvPerfOptions options, IReadOnlyList<BurstPlan> plans, UpdateSource updates)
    {
        Setting<ProvPerfOptions> rate = RateSetting.Create<ProvPerfOptions>(
            o => o.UpdateRate, (o, v) => o with { UpdateRate = v, Run = o.Run with { RateProfile = null } });
        Setting<ProvPerfOptions> size = Setting<ProvPerfOptions>.Of(ProvPerfOptionTable.Instance, "-updateSize", "size", "bytes");
        return new RoleSettings<ProvPerfOptions>(options, FindProblem, Apply, options.UpdateSize is null ? [rate] : [rate, size]);

        ProvPerfOptions Apply(ProvPerfOptions changed)
        {
            if (changed.Run.RateProfile is null)
                RateSetting.Apply(plans, changed.UpdateRate);
            if (changed.UpdateSize is { } wanted)
                updates.Sized = new SizedMessages(wanted.Bytes, wanted.Fields);
            return changed;
        }
    }

    // At a low rate there are fewer stamps; no more are required than at the start.
    private static string? FindProblem(ProvPerfOptions changed) => changed.LatencyUpdateRate.Exceeds(changed.UpdateRate)
        ? (changed with { LatencyUpdateRate = LatencyRate.Of(changed.UpdateRate) }).FindProblem() : changed.FindProblem();
}
