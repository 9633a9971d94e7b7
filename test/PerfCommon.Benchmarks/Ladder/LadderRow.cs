namespace PerfCommon.Benchmarks.Ladder;

/// <summary>One line of the table.</summary>
/// <param name="What">The measured quantity.</param>
/// <param name="Figure">The result, with its unit.</param>
/// <param name="OfLimit">The result as a part of the machine's limit; empty where that has no meaning.</param>
/// <param name="Cost">Cost of the two processes.</param>
/// <param name="State">State of the machine meanwhile: its reference loop, the load of other programs.</param>
/// <param name="Note">Reliability of the figure, or the reason why there is none.</param>
internal sealed record LadderRow(string What, string Figure, string OfLimit = "", string Cost = "", string State = "", string Note = "")
{
    public IReadOnlyList<string> Cells => [What, Figure, OfLimit, Cost, State, Note];
}

/// <summary>A row that is not measured yet.</summary>
/// <param name="What">The quantity to measure.</param>
/// <param name="Measure">Measures it.</param>
internal sealed record LadderStep(string What, Func<string, LadderRow> Measure);
