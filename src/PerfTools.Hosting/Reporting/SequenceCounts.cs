using PerfCommon.Load;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>Counts the updates for which <see cref="SizedSequence"/> reports that they do not follow the one before.</summary>
internal static class SequenceCounts
{
    /// <summary>Counts one update.</summary>
    /// <param name="counters">The counters.</param>
    /// <param name="step">Position of the update in the sequence.</param>
    /// <param name="skipped">Number of skipped counts.</param>
    public static void Add(CounterSet counters, SequenceStep step, int skipped)
    {
        switch (step)
        {
            case SequenceStep.Next:
                break;
            case SequenceStep.Skipped:
                counters.Add(Counter.UpdatesSkipped, skipped);
                break;
            case SequenceStep.Repeated:
                counters.Add(Counter.UpdatesRepeated, 1);
                break;
            case SequenceStep.Late:
                counters.Add(Counter.UpdatesLate, 1);
                counters.Add(Counter.UpdatesOutOfOrder, 1);
                break;
            case SequenceStep.FarBack:
                counters.Add(Counter.UpdatesOutOfOrder, 1);
                break;
        }
    }
}
