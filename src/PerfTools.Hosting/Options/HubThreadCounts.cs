using PerfCommon.Workers;

namespace PerfTools.Hosting.Options;

/// <summary>How many threads a hub has where nobody says: HubPerf's own defaults, and what perftools starts it with.</summary>
internal static class HubThreadCounts
{
    private const int Max = ThreadPlan.MaxThreads;
    private const int ProcessorsOfOthers = 4;
    private const int FewProcessors = 2;

    /// <summary>Threads that serve consumers: all processors but four, which sources, the kernel and others need.</summary>
    /// <param name="processors">Processors of the machine.</param>
    public static int Sessions(int processors) => Math.Clamp(processors - ProcessorsOfOthers, 1, Max);

    /// <summary>
    /// Threads that read sources; 0: the session threads read them. Where there are no processors for both, handing over costs more than it
    /// brings.
    /// </summary>
    /// <param name="processors">Processors of the machine.</param>
    public static int Sources(int processors) => processors <= FewProcessors ? 0 : Math.Min(processors / 2, Max);
}
