using Xunit;

namespace PerfCommon.Tests;

/// <summary>Measures the allocations of a thread.</summary>
internal static class Allocation
{
    private const int MostPasses = 5;

    /// <summary>
    /// Expects that warm code allocates nothing. A collection that another thread starts in the middle makes the runtime count the rest of
    /// this thread's allocation buffer (8 KB at most) as allocated, so one clean pass is enough; code that allocates does it in every pass.
    /// </summary>
    public static void None(Action pass)
    {
        long least = long.MaxValue;
        for (int i = 0; i < MostPasses && least > 0; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            pass();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, least);
    }
}
