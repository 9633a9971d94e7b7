using LatencyPerf.Links;
using PerfCommon.Measurement;

namespace Tools.Tests.LatencyTests;

/// <summary>One side of a word that two sides count up in turn, asleep while it is the other's turn.</summary>
internal static class SharedHandover
{
    public const int RegionBytes = 256;
    private const int SleepersAt = 64;
    private const long LimitNanos = 10 * Clock.NanosPerSecond;

    /// <summary>Adds one whenever the number is its own kind, odd or even.</summary>
    /// <param name="region">The word at 0, its sleepers at 64.</param>
    /// <param name="wake">How it sleeps and wakes.</param>
    /// <param name="first">0 or 1: its own kind.</param>
    /// <param name="handovers">How often.</param>
    /// <param name="random">Of pauses before its turns, so that the other is met awake, asleep, and on the way; null for none.</param>
    /// <returns>Sleeps that went on to their limit: wake-ups that were lost.</returns>
    public static int Run(SharedRegion region, SharedWake wake, uint first, uint handovers, Random? random = null)
    {
        int lost = 0;
        for (uint done = 0; done < handovers;)
        {
            uint seen = Volatile.Read(ref region.Word(0));
            if (seen % 2 != first)
            {
                long start = Clock.NowNanos;
                wake.Sleep(ref region.Word(0), seen, ref region.Word(SleepersAt), LimitNanos);
                lost += Clock.NowNanos - start >= LimitNanos ? 1 : 0;
                continue;
            }

            if (random is not null)
                Thread.SpinWait(random.Next(8) == 0 ? random.Next(2_000) : random.Next(40));
            Volatile.Write(ref region.Word(0), seen + 1);
            wake.WakeAll(ref region.Word(0), ref region.Word(SleepersAt));
            done++;
        }

        return lost;
    }
}
