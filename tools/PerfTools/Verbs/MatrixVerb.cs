using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Matrix;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary><c>perftools matrix scenario</c>: runs every combination of programs, of this and other editions, and writes one table.</summary>
/// <remarks>
/// All combinations run once, then once more in the opposite order, and so on, so that a machine that changes slowly favours none. A failed
/// combination is shown as such in the table; the others continue.
/// </remarks>
internal sealed class MatrixVerb(TextWriter error)
{
    public const string Name = "matrix";
    public const string Summary = "Runs every combination of programs, of any edition, in turn and shows them in one table";

    private const string FileStem = "matrix";

    public static OptionTable<MatrixOptions> Options { get; } = MatrixOptions.CreateTable();

    /// <summary>The scenarios that it can run: those whose roles other editions have.</summary>
    public static IEnumerable<Scenario> Scenarios => ScenarioList.All.Where(scenario => scenario.Roles.Any(role => !role.HasOwnFiles));

    public RunOutcome Run(Scenario scenario, ScenarioOptions common, MatrixOptions matrix, RunHost host)
    {
        RunConsole people = common.Outputs.UsesConsole ? new RunConsole(error) : host.Console;
        IReadOnlyList<MatrixCell> cells = matrix.CreateCells(scenario, common);
        RankedSeries? ranks = RankedSeries.Of(scenario, cells.Select(cell => cell.Options), matrix.Rounds);
        RunFolder folder = RunFolder.Open(common.Out, $"{Name}-{scenario.Name}", DateTime.UtcNow, ranks?.IsFirst == false ? [] : [$"{FileStem}.*"]);
        people.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Matrix of {scenario.Name}: {cells.Count} combinations, {matrix.Rounds} rounds"));
        Dictionary<MatrixCell, List<FinishedRun>> runs = RunAll(scenario, matrix, cells, folder, host, people, ranks);
        if (ranks?.IsFirst == false)
            return FindFailure(runs); // the first rank writes the table

        MatrixResult result = new(scenario.Name, matrix.RolesOf(scenario),
            MatrixFigure.Of([.. scenario.RolesOf(common).Select(role => role.Name)], scenario.Links[0].What.TrimEnd('s')),
            [.. cells.Where(cell => runs[cell].Count > 0).Select(cell => (cell, (IReadOnlyList<RunDocument>)[.. runs[cell].Select(run => run.Document)]))]);
        people.WriteLine("");
        foreach (string line in MatrixText.CreateLines(result))
            people.WriteLine(line);
        string? unwritten = WriteFiles(folder, result);
        people.WriteLine($"    files    {folder}");
        people.WriteLine($"    report   {folder}{FileStem}.html");
        return FindFailure(runs).WithUnwritten(unwritten).WithUnwritten(common.Outputs.Write(host.Console,
            markdown: writer => MatrixText.WriteMarkdown(writer, result),
            junit: writer => JUnitFile.Write(writer, Name,
                [.. result.Cells.Select((cell, i) => new JUnitCase(cell.Title, result.ReasonsOf(i).FirstOrDefault()))]),
            json: writer => MatrixText.WriteJson(writer, result)));
    }

    private static RunOutcome FindFailure(Dictionary<MatrixCell, List<FinishedRun>> runs) =>
        runs.Values.SelectMany(all => all).FirstOrDefault(run => run.Outcome.Code != ExitCode.Success)?.Outcome ?? RunOutcome.Success;

    // Over several machines a combination that fails is the last: no rank can tell whether the others could go on.
    private static Dictionary<MatrixCell, List<FinishedRun>> RunAll(Scenario scenario, MatrixOptions matrix, IReadOnlyList<MatrixCell> cells,
        RunFolder folder, RunHost host, RunConsole people, RankedSeries? ranks)
    {
        ScenarioRunner maker = new(new RunConsole(TextWriter.Null), null, host.Signals) { People = new(people) };
        Dictionary<MatrixCell, List<FinishedRun>> runs = cells.ToDictionary(cell => cell, _ => new List<FinishedRun>());
        for (int round = 1; round <= matrix.Rounds; round++)
        {
            foreach (MatrixCell cell in round % 2 == 1 ? cells : cells.Reverse())
            {
                if (ranks?.IsOver ?? host.Signals.StopRequested.IsCancellationRequested)
                    return runs;
                string path = $"{folder}{cell.Folder}/{RunSet.RepeatPrefix}{round}";
                FinishedRun run = ranks?.RunNext(maker, scenario, cell.Options, path, people, host.Signals.StopRequested)
                    ?? maker.Make(scenario, cell.Options, ScenarioRunner.OpenFolder(scenario, path));
                runs[cell].Add(run);
                people.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {round} {cell.Title}  {Describe(run.Document)}"));
            }
        }

        return runs;
    }

    private static string Describe(RunDocument run) => run.Figures is not { } figures || run.Verdict == RunVerdict.Failed
        ? run.Reason is null ? run.Verdict : $"{run.Verdict}: {run.Reason}" : string.Create(CultureInfo.InvariantCulture,
            $"{run.Verdict}   {figures.RateReached:N0}/s   p50 {Figure.Micros(figures.LatencyMicros?.P50)}   p99 {Figure.Micros(figures.LatencyMicros?.P99)}");

    private static string? WriteFiles(RunFolder folder, MatrixResult result) =>
        WholeFile.TryWrite(folder.PathOf($"{FileStem}.json"), writer => MatrixText.WriteJson(writer, result))
            ?? WholeFile.TryWrite(folder.PathOf($"{FileStem}.md"), writer => MatrixText.WriteMarkdown(writer, result))
            ?? WholeFile.TryWrite(folder.PathOf($"{FileStem}.html"), writer => ReportPage.Write(writer, MatrixText.CreatePage(result)));
}
