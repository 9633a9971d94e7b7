using System.Runtime.InteropServices;

namespace PerfCommon.Workers;

/// <summary>Pins threads to processors.</summary>
internal static partial class ThreadBinding
{
    private const int BitsPerWord = 64;
    private const int MaxProcessors = 1024;
    private const int CallingThread = 0;

    /// <summary>Pins the calling thread; <see cref="ThreadPlan.Unbound"/> does nothing.</summary>
    /// <param name="processor">The processor's index from 0.</param>
    /// <returns>False when the machine lacks it, the process may not use it, or the system does not support pinning.</returns>
    public static bool TryBindCurrentThread(int processor)
    {
        if (processor == ThreadPlan.Unbound)
            return true;
        if (processor is < 0 or >= MaxProcessors)
            return false;
        if (OperatingSystem.IsLinux())
        {
            Span<ulong> mask = stackalloc ulong[MaxProcessors / BitsPerWord];
            mask.Clear();
            mask[processor / BitsPerWord] = 1UL << (processor % BitsPerWord);
            return SchedSetAffinity(CallingThread, MaxProcessors / 8, ref mask[0]) == 0;
        }

        return OperatingSystem.IsWindows() && processor < BitsPerWord
            && SetThreadAffinityMask(GetCurrentThread(), (nuint)1 << processor) != 0;
    }

    /// <summary>Tests every processor of a plan on a separate thread, so that an invalid one is known before the run starts.</summary>
    /// <returns>A sentence that names the processor, or null when every thread can be pinned.</returns>
    public static string? FindProblem(ThreadPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        string? problem = null;
        Thread trial = new(() =>
        {
            int missing = plan.Processors.FirstOrDefault(processor => !TryBindCurrentThread(processor), ThreadPlan.Unbound);
            if (missing != ThreadPlan.Unbound)
                problem = $"a thread cannot be bound to CPU {missing} here";
        });
        trial.Start();
        trial.Join();
        return problem;
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity")]
    private static partial int SchedSetAffinity(int thread, nint maskBytes, ref ulong mask);

    [LibraryImport("kernel32")]
    private static partial nint GetCurrentThread();

    [LibraryImport("kernel32")]
    private static partial nuint SetThreadAffinityMask(nint thread, nuint mask);
}
