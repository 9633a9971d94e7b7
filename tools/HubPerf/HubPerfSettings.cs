using PerfHub.FanOut;
using PerfTools.Hosting.Control;

namespace HubPerf;

/// <summary>
/// The settings of a running hub that may be changed: how long updates wait to be sent together, and how long they may wait for slow consumers.
/// Applied with the next window.
/// </summary>
internal static class HubPerfSettings
{
    private const string Seconds = "s";

    public static RoleSettings Create(HubPerfOptions options, HubTuning tuning)
    {
        Setting<HubPerfOptions>[] settings =
        [
            OfTime("burstMin"), OfTime("burstMax"), OfTime("burstIncrement"),
            Setting<HubPerfOptions>.Of(HubPerfOptionTable.Instance, "-burstScope", "burstScope", unit: null),
            OfTime("throttle"),
        ];
        return new RoleSettings<HubPerfOptions>(options, o => o.FindProblem(), Apply, settings);

        HubPerfOptions Apply(HubPerfOptions changed)
        {
            HubTuning wanted = changed.CreateTuning();
            (tuning.Burst, tuning.ThrottleNanos) = (wanted.Burst, wanted.ThrottleNanos);
            return changed;
        }
    }

    private static Setting<HubPerfOptions> OfTime(string name) =>
        Setting<HubPerfOptions>.Of(HubPerfOptionTable.Instance, "-" + name, name, Seconds) with
        {
            Min = 0,
            Max = HubPerfOptionTable.MaxSeconds
        };
}
