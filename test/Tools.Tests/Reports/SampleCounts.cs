using PerfCommon.Workers;
using PerfHub.Counting;

namespace Tools.Tests.Reports;

internal static class SampleCounts
{
    extension(CounterSnapshot)
    {
        /// <summary>Makes a snapshot of a few counts, the others 0.</summary>
        public static CounterSnapshot Of(params ReadOnlySpan<(Counter Counter, long Value)> counts)
        {
            CounterSet set = new(HubCounter.Schema); // that of the most counters
            foreach ((Counter counter, long value) in counts)
                set.Add(counter, value);
            return set.Snapshot();
        }
    }
}
