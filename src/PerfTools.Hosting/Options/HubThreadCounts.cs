namespace PerfTools.Hosting.Options;

/// <summary>Default numbers of a hub's threads: HubPerf's own defaults, and those with which perftools starts it.</summary>
internal static class HubThreadCounts
{
    private const int Max = ThreadPlan.MaxThreads;
    private const int ProcessorsOfOthers = 4;
    private const int FewProcessors = 2;

    /// <summary>
    /// Returns the number of threads that serve consumers: all processors but four, which sources, the kernel and other processes need.
    /// </summary>
    /// <param name="processors">Processors of the machine.</param>
    public static int Sessions(int processors) => Math.Clamp(processors - ProcessorsOfOthers, 1, Max);

    /// <summary>
    /// Returns the number of threads that read sources; 0: the session threads read them. With too few processors for both, passing messages between
    /// threads costs more than it gains.
    /// </summary>
    /// <param name="processors">Processors of the machine.</param>
    public static int Sources(int processors) => processors <= FewProcessors ? 0 : Math.Min(processors / 2, Max);
}
