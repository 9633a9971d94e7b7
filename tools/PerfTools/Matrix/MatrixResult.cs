using PerfTools.Editions;
using PerfTools.Results.Documents;

namespace PerfTools.Matrix;

/// <summary>The figures of all combinations, each over its rounds.</summary>
internal sealed class MatrixResult
{
    private readonly IReadOnlyList<(MatrixCell Cell, IReadOnlyList<RunDocument> Runs)> _cells;
    private readonly MatrixColumn[] _columns;

    /// <param name="scenario">The scenario's name.</param>
    /// <param name="roles">The roles whose programs change.</param>
    /// <param name="figures">The figures.</param>
    /// <param name="cells">The combinations with their runs, without those that have none.</param>
    public MatrixResult(
        string scenario, IReadOnlyList<string> roles, IReadOnlyList<MatrixFigure> figures, IReadOnlyList<(MatrixCell, IReadOnlyList<RunDocument>)> cells)
    {
        (Scenario, Roles, Figures, _cells) = (scenario, roles, figures, cells);
        _columns = [.. figures.Select(
            figure => new MatrixColumn(cells.Select(cell => cell.Item2.Where(IsMeasured).Select(figure.Read)), figure.IsLowerBetter))];
    }

    public string Scenario { get; }
    public IReadOnlyList<string> Roles { get; }
    public IReadOnlyList<MatrixFigure> Figures { get; }

    /// <summary>The combinations, in order.</summary>
    public IReadOnlyList<MatrixCell> Cells => [.. _cells.Select(cell => cell.Cell)];

    /// <summary>The figures that any combination has.</summary>
    public IEnumerable<int> KnownFigures => Enumerable.Range(0, Figures.Count).Where(i => _columns[i].Values.Any(value => value is not null));

    /// <summary>All runs of a combination.</summary>
    public IReadOnlyList<RunDocument> RunsOf(int cell) => _cells[cell].Runs;

    /// <summary>A figure of a combination, without its failed runs; null where none of its runs has it.</summary>
    public MatrixValue? Value(int figure, int cell) => _columns[figure].Values[cell];

    /// <summary>The verdict of a combination: that of its worst run, and the number of runs that were OK.</summary>
    public string VerdictOf(int cell)
    {
        IReadOnlyList<RunDocument> runs = RunsOf(cell);
        RunDocument worst = runs.MaxBy(run => run.ExitCode == 0 ? 0 : run.Verdict == RunVerdict.Slow ? 1 : 2)!;
        int good = runs.Count(run => run.ExitCode == 0);
        return good == runs.Count ? RunVerdict.Ok : good == 0 ? worst.Verdict : $"{worst.Verdict} {runs.Count - good} of {runs.Count}";
    }

    /// <summary>Why runs of a combination were not OK, each reason once.</summary>
    public IEnumerable<string> ReasonsOf(int cell) => RunsOf(cell).Select(run => run.Reason).OfType<string>().Distinct();

    /// <summary>The notes that a reader needs about the figures of an edition.</summary>
    public IEnumerable<string> Notes =>
        _cells.SelectMany(cell => cell.Runs).SelectMany(run => run.Roles).Select(role => role.Edition).OfType<string>().Distinct()
        .Where(word => EditionFacts.Find(word) is { } edition && EditionFacts.Of(edition).KeepsCoreBusy)
        .Select(word => $"{word}: keeps a processor busy at any rate; its ns per message are not what a message costs");

    /// <summary>The mark of a combination in a figure: best, worst, or neither beyond noise.</summary>
    public MatrixMark MarkOf(int figure, int cell) =>
        _columns[figure].Best == cell ? MatrixMark.Best : _columns[figure].Worst == cell ? MatrixMark.Worst : MatrixMark.None;

    /// <inheritdoc cref="MatrixColumn.Heat"/>
    public double? HeatOf(int figure, int cell) => _columns[figure].Heat[cell];

    // The figures of a failed run measure something else.
    private static bool IsMeasured(RunDocument run) => run.Verdict is not (RunVerdict.Failed or RunVerdict.Interrupted);
}

/// <summary>The mark of a combination in a figure.</summary>
internal enum MatrixMark
{
    /// <summary>Neither, or unknown.</summary>
    None,

    /// <summary>Better than every other beyond noise.</summary>
    Best,

    /// <summary>Worse than every other beyond noise.</summary>
    Worst,
}
