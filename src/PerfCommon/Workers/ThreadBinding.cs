using System.Runtime.InteropServices;

namespace PerfCommon.Workers;

/// <summary>Pins threads to processors.</summary>
internal static partial class ThreadBinding
{
    /// <summary>Stands for a processor where the system may run the thread on any.</summary>
    public const int Unbound = -1;

    private const int BitsPerWord = 64;
    private const int MaxProcessors = 1024;
    private const int CallingThread = 0;

    /// <summary>Pins the calling thread; <see cref="Unbound"/> does nothing.</summary>
    /// <param name="processor">The processor's index from 0.</param>
    /// <returns>False when the machine lacks it, the process may not use it, or the system does not support pinning.</returns>
    public static bool TryBindCurrentThread(int processor)
    {
        if (processor == Unbound)
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

    /// <summary>Tests processors on a separate thread, so that an invalid one is known before threads are started.</summary>
    /// <param name="processors">Their indexes from 0; or <see cref="Unbound"/>.</param>
    /// <returns>A sentence that names the processor, or null when a thread can be pinned to each.</returns>
    public static string? FindProblem(IEnumerable<int> processors)
    {
        string? problem = null;
        Thread trial = new(() =>
        {
            int missing = processors.FirstOrDefault(processor => !TryBindCurrentThread(processor), Unbound);
            if (missing != Unbound)
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
