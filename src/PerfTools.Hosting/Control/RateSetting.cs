using System.Globalization;
using PerfCommon.Load;

namespace PerfTools.Hosting.Control;

/// <summary>The setting of senders of updates: their rate, which also replaces a profile.</summary>
internal static class RateSetting
{
    public static Setting<T> Create<T>(Func<T, int> read, Func<T, int, T> set)
        where T : class => new(
            "rate", "1/s", "a whole number, 0 or at least the tick rate", values => read(values).ToString(CultureInfo.InvariantCulture),
            (values, text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int rate) ? set(values, rate) : null)
        {
            Min = 0,
        };

    /// <summary>Applies the rate in every worker from its next tick on.</summary>
    public static void Apply(IEnumerable<BurstPlan> plans, int rate)
    {
        foreach (BurstPlan plan in plans)
            plan.ChangeRate(rate);
    }
}
