namespace PerfCommon.Benchmarks.Ladder;

/// <summary>One line of the table.</summary>
/// <param name="What">What was measured.</param>
/// <param name="Figure">What came out, with its unit.</param>
/// <param name="OfLimit">The same as a part of what the machine can do; empty where that says nothing.</param>
/// <param name="Cost">What the two processes needed for it.</param>
/// <param name="State">How the machine was meanwhile: its reference loop, what others used of it.</param>
/// <param name="Note">How sure it is, or why there is no figure.</param>
internal sealed record LadderRow(string What, string Figure, string OfLimit = "", string Cost = "", string State = "", string Note = "")
{
    public IReadOnlyList<string> Cells => [What, Figure, OfLimit, Cost, State, Note];
}

/// <summary>A row that is still to be measured.</summary>
/// <param name="What">What is measured.</param>
/// <param name="Measure">Measures it.</param>
internal sealed record LadderStep(string What, Func<string, LadderRow> Measure);
