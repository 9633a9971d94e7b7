using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Counts what <see cref="SizedSequence"/> says of updates that do not follow the one before.</summary>
internal static class SequenceCounts
{
    /// <summary>Counts one update.</summary>
    /// <param name="counters">Where.</param>
    /// <param name="step">How it follows those before it.</param>
    /// <param name="skipped">Counts that it passed over.</param>
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
