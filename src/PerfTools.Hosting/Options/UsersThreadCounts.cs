namespace PerfTools.Hosting.Options;

/// <summary>Default number of threads of a process with users: that of UsersPerf, which perftools counts before it starts one.</summary>
internal static class UsersThreadCounts
{
    /// <summary>Returns half of the processors: sources and the hub need the others.</summary>
    /// <param name="processors">Processors of the machine.</param>
    public static int OfProcess(int processors) => Math.Clamp(processors / 2, 1, ThreadPlan.MaxThreads);
}
