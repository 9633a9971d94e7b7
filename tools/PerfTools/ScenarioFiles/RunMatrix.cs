using System.Text.Json;
using PerfCommon;

namespace PerfTools.ScenarioFiles;

/// <summary>The matrix of a scenario file: options with several values, of which every combination is a run.</summary>
internal sealed class RunMatrix
{
    private readonly FileProblems _problems;
    private readonly JsonMember[] _dimensions = [];

    /// <param name="problems">Receives the mistakes.</param>
    /// <param name="matrix">The member; null where the file has none.</param>
    public RunMatrix(FileProblems problems, JsonNode? matrix)
    {
        _problems = problems;
        if (matrix is null)
            return;
        if (matrix.Kind != JsonValueKind.Object)
            problems.Add(matrix.Line, $"{FileNames.Matrix} must be an object");
        foreach (JsonMember twice in matrix.Members.Except(matrix.Members.DistinctBy(member => member.Name)))
            problems.Add(twice.Line, $"{PrintableText.From(twice.Name)} is given twice");
        foreach (JsonMember wrong in matrix.Members.Where(member => member.Value.Kind != JsonValueKind.Array || member.Value.Items.Count == 0))
            problems.Add(wrong.Line, $"{FileNames.Matrix}: {PrintableText.From(wrong.Name)} must be a list of values, at least one");
        foreach (JsonNode twice in matrix.Members.SelectMany(member => member.Value.Items.Except(member.Value.Items.DistinctBy(value => value.Text))))
            problems.Add(twice.Line, $"{FileNames.Matrix}: {PrintableText.From(twice.Text)} is given twice");
        _dimensions = [.. matrix.Members.Where(member => member.Value.Kind == JsonValueKind.Array && member.Value.Items.Count > 0)];
    }

    /// <summary>The number of combinations; 1 without a matrix, and capped slightly above what a file may have.</summary>
    public int Count => (int)_dimensions.Aggregate(1L, (count, dimension) => Math.Min(count * dimension.Value.Items.Count, ScenarioFile.MaxRuns + 1));

    /// <summary>Creates a run for every combination of values; the last dimension changes fastest.</summary>
    public IEnumerable<PlannedRun> Vary(PlannedRun run)
    {
        IEnumerable<PlannedRun> runs = [run];
        foreach (JsonMember dimension in _dimensions)
        {
            // Each value is tried once alone, so that a mistake is reported once.
            JsonNode[] values = [.. dimension.Value.Items.Where(value => run.WithOption(_problems, dimension.Name, dimension.Line, value) is not null)];
            runs =
            [
                .. from one in runs
                   from value in values
                   select one.WithOption(_problems, dimension.Name, dimension.Line, value)! with { Varied = [.. one.Varied, (dimension.Name, value.Text)] },
            ];
        }

        return runs;
    }
}
