using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary><c>perftools duel scenario</c>: runs two configurations, or two builds, alternately and compares them.</summary>
/// <remarks>
/// The order is A B, B A, A B, ..., so that a machine that changes slowly favours neither. The first run of each is a warm-up.
/// </remarks>
internal sealed class DuelVerb(TextWriter error)
{
    public const string Name = "duel";
    public const string Summary = "Runs two configurations or two builds in turn and compares them";

    private const string WarmUp = "warm-up";
    private const string FileStem = "comparison";

    public static OptionTable<DuelOptions> Options { get; } = DuelOptions.CreateTable();

    /// <summary>Finds what is wrong with the options of both, as a sentence that names them; null when nothing is.</summary>
    public static string? FindProblem(Scenario scenario, ScenarioOptions common, DuelOptions duel) =>
        common.Repeat != 1 ? "--repeat: --pairs says how many runs a duel has"
        : FindProblem(duel.A, scenario, common) ?? FindProblem(duel.B, scenario, common);

    private static string? FindProblem(DuelSide side, Scenario scenario, ScenarioOptions common) => side.Read(scenario, common) switch
    {
        (_, { } problem) => problem,
        ({ } options, _) when scenario.FindSeveralRuns(options) is { } several => $"--{side.Name.ToLowerInvariant()}: {several}",
        _ => null,
    };

    /// <inheritdoc cref="ScenarioRun.CreateCommand"/>
    public Func<Role, IReadOnlyList<string>, RoleCommand>? CreateCommand { get; init; }

    public RunOutcome Run(Scenario scenario, ScenarioOptions common, DuelOptions duel, RunHost host)
    {
        RunConsole people = common.Outputs.UsesConsole ? new RunConsole(error) : host.Console;
        RankedSeries? ranks = RankedSeries.Of(scenario, [duel.A.Read(scenario, common).Options!, duel.B.Read(scenario, common).Options!], duel.Pairs + 1);
        RunFolder folder = RunFolder.Open(common.Out, $"{Name}-{scenario.Name}", DateTime.UtcNow, ranks?.IsFirst == false ? [] : [$"{FileStem}.*"]);
        ShownOnce shown = new(people);
        Dictionary<ComparedBuild, SideRuns> sides = new()
        {
            [ComparedBuild.Reference] = new(duel.A, scenario, common, folder, CreateMaker(duel.A, host, shown), ranks),
            [ComparedBuild.Candidate] = new(duel.B, scenario, common, folder, CreateMaker(duel.B, host, shown), ranks),
        };
        people.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"Duel of {scenario.Name}, {duel.Pairs} runs each: A {duel.A.Shown}, B {duel.B.Shown}"));
        foreach (ComparedBuild build in Enumerable.Range(-1, duel.Pairs + 1).SelectMany(PairOrder.Of))
        {
            if (sides[build].RunNext(people, host.Signals.StopRequested) is { } failure)
                return failure;
        }

        if (ranks?.IsFirst == false)
            return RunOutcome.Success; // the first rank compares
        RunComparison comparison = RunComparison.OfConfigurations(sides[ComparedBuild.Reference].Read(),
            sides[ComparedBuild.Candidate].Read(), [.. duel.Limits.Select(limit => limit.Figure)]);
        people.WriteLine("");
        RunOutcome outcome = CompareVerb.Report(Name, comparison, duel.Limits, common.Outputs, host, error);
        string? unwritten = WriteFiles(folder, comparison, duel.Limits);
        people.WriteLine($"    files    {folder}");
        people.WriteLine($"    report   {folder}{FileStem}.html");
        return outcome.WithUnwritten(unwritten);
    }

    // The output of a single run is not shown.
    private ScenarioRunner CreateMaker(DuelSide side, RunHost host, ShownOnce people) => new(new RunConsole(TextWriter.Null), null, host.Signals)
    {
        ToolsFolder = side.ToolsFolder,
        People = people,
        CreateCommand = CreateCommand,
    };

    private static string? WriteFiles(RunFolder folder, RunComparison comparison, IReadOnlyList<ChangeLimit> limits)
    {
        ChangeLimitResult[] results = [.. limits.Select(limit => limit.Compare(comparison))];
        return WholeFile.TryWrite(folder.PathOf($"{FileStem}.json"), writer => ComparisonFile.Write(writer, comparison, results))
            ?? WholeFile.TryWrite(folder.PathOf($"{FileStem}.md"), writer => ComparisonMarkdown.Write(writer, comparison, results))
            ?? WholeFile.TryWrite(folder.PathOf($"{FileStem}.html"),
                writer => ReportPage.Write(writer, ComparisonPage.Create(comparison, results)));
    }

    // The runs of one side, one after the other.
    private sealed class SideRuns(DuelSide side, Scenario scenario, ScenarioOptions common, RunFolder folder, ScenarioRunner maker,
        RankedSeries? ranks)
    {
        private readonly ScenarioOptions _options = side.Read(scenario, common).Options!;
        private readonly List<FinishedRun> _runs = [];
        private int _number; // 0 warms up

        private string Letter => side.Name.ToLowerInvariant();

        /// <summary>Carries out the next run; null when it ended normally.</summary>
        /// <param name="people">Receives messages for people.</param>
        /// <param name="stop">Cancels the wait for other ranks.</param>
        public RunOutcome? RunNext(RunConsole people, CancellationToken stop)
        {
            string place = _number == 0 ? $"{WarmUp}/{Letter}" : $"{Letter}/{RunSet.RepeatPrefix}{_number}";
            FinishedRun run = ranks?.RunNext(maker, scenario, _options, $"{folder}{place}", people, stop)
                ?? maker.Make(scenario, _options, ScenarioRunner.OpenFolder(scenario, $"{folder}{place}"));
            people.WriteLine(
                $"  {side.Name} {(_number == 0 ? WarmUp : _number.ToString(CultureInfo.InvariantCulture)),-7}  {Describe(run.Document)}");
            if (_number++ > 0)
                _runs.Add(run);
            return run.Document.Verdict is RunVerdict.Failed or RunVerdict.Interrupted || ranks?.HasEndedEarly == true
                || (ranks is null && run.Outcome.Code == ExitCode.OutputFile)
                ? run.Outcome with { Reason = $"{Name}: {side.Name}: {run.Outcome.Reason}" } : null;
        }

        public RunSet Read() => RunSet.Of(side.Name, side.Shown, [.. _runs.Select(run => RecordedRun.Read(run.Folder.FullPath))]);

        private static string Describe(RunDocument run) => run.Figures is not { } figures ? run.Verdict : string.Create(
            CultureInfo.InvariantCulture,
            $"{run.Verdict,-6}  {figures.RateReached:N0}/s   p50 {Figure.Micros(figures.LatencyMicros?.P50)}   p99 "
                + $"{Figure.Micros(figures.LatencyMicros?.P99)}   CPU {run.Roles.Sum(role => role.CpuCorePercent):0.0} %");
    }
}
