using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary>The runs of both sides of a duel in turn, their comparison, and its files.</summary>
/// <remarks>
/// The order is A B, B A, A B, ..., so that a machine that changes slowly favours neither. The first run of each is a warm-up.
/// </remarks>
/// <param name="scenario">What is run.</param>
/// <param name="duel">The two sides.</param>
/// <param name="outputs">The outputs in addition to the console.</param>
/// <param name="folder">The folder of the duel, of <see cref="OpenFolder"/>.</param>
/// <param name="error">The output for people when the console is a program's.</param>
internal sealed class Duel(string scenario, DuelOptions duel, ResultOutputs outputs, RunFolder folder, TextWriter error)
{
    private const string WarmUp = "warm-up";
    private const string FileStem = "comparison";

    /// <summary>The other machines; null for this one alone.</summary>
    public RankedSeries? Ranks { get; init; }

    /// <summary>Opens the folder, and removes the comparison of an earlier duel.</summary>
    public static RunFolder OpenFolder(string? path, string scenario, bool isFirst = true) =>
        RunFolder.Open(path, $"{DuelVerb.Name}-{scenario}", DateTime.UtcNow, isFirst ? [$"{FileStem}.*"] : []);

    /// <summary>The console for people.</summary>
    public static RunConsole PeopleOf(ResultOutputs outputs, RunHost host, TextWriter error) => outputs.UsesConsole ? new RunConsole(error) : host.Console;

    /// <summary>Carries out all runs and compares them.</summary>
    /// <param name="makerOf">Finds what carries out a run of a side in a folder of a name.</param>
    /// <param name="host">The host of the runs.</param>
    public RunOutcome Run(Func<DuelSide, Func<string, FinishedRun>> makerOf, RunHost host)
    {
        RunConsole people = PeopleOf(outputs, host, error);
        people.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"Duel of {scenario}, {duel.Pairs} runs each: A {duel.A.Shown}, B {duel.B.Shown}"));
        Dictionary<ComparedBuild, SideRuns> sides = new()
        {
            [ComparedBuild.Reference] = new(duel.A, folder, makerOf(duel.A)),
            [ComparedBuild.Candidate] = new(duel.B, folder, makerOf(duel.B)),
        };
        foreach (ComparedBuild build in Enumerable.Range(-1, duel.Pairs + 1).SelectMany(PairOrder.Of))
        {
            if (sides[build].RunNext(people, Ranks) is { } failure)
                return failure;
        }

        return Ranks?.IsFirst == false ? RunOutcome.Success // the first rank compares
            : Compare(sides[ComparedBuild.Reference].Read(), sides[ComparedBuild.Candidate].Read(), people, host);
    }

    private RunOutcome Compare(RunSet a, RunSet b, RunConsole people, RunHost host)
    {
        RunComparison comparison = RunComparison.OfConfigurations(a, b, [.. duel.Limits.Select(limit => limit.Figure)]);
        people.WriteLine("");
        RunOutcome outcome = CompareVerb.Report(DuelVerb.Name, comparison, duel.Limits, outputs, host, error);
        string? unwritten = WriteFiles(folder, comparison, duel.Limits);
        people.WriteLine($"    files    {folder}");
        people.WriteLine($"    report   {folder}{FileStem}.html");
        return outcome.WithUnwritten(unwritten);
    }

    private static string? WriteFiles(RunFolder folder, RunComparison comparison, IReadOnlyList<ChangeLimit> limits)
    {
        ChangeLimitResult[] results = [.. limits.Select(limit => limit.Compare(comparison))];
        return WholeFile.TryWrite(folder.PathOf($"{FileStem}.json"), writer => ComparisonFile.Write(writer, comparison, results))
            ?? WholeFile.TryWrite(folder.PathOf($"{FileStem}.md"), writer => ComparisonMarkdown.Write(writer, comparison, results))
            ?? WholeFile.TryWrite(folder.PathOf($"{FileStem}.html"),
                writer => ReportPage.Write(writer, ComparisonPage.Create(comparison, results)));
    }

    // The runs of one side, one after the other.
    private sealed class SideRuns(DuelSide side, RunFolder folder, Func<string, FinishedRun> make)
    {
        private readonly List<FinishedRun> _runs = [];
        private int _number; // 0 warms up

        private string Letter => side.Name.ToLowerInvariant();

        /// <summary>Carries out the next run; null when it ended normally.</summary>
        /// <param name="people">Receives messages for people.</param>
        /// <param name="ranks">The other machines; null for none.</param>
        public RunOutcome? RunNext(RunConsole people, RankedSeries? ranks)
        {
            FinishedRun run = make(_number == 0 ? $"{folder}{WarmUp}/{Letter}" : $"{folder}{Letter}/{RunSet.RepeatPrefix}{_number}");
            people.WriteLine(
                $"  {side.Name} {(_number == 0 ? WarmUp : _number.ToString(CultureInfo.InvariantCulture)),-7}  {Describe(run.Document)}");
            if (_number++ > 0)
                _runs.Add(run);
            return run.Document.Verdict is RunVerdict.Failed or RunVerdict.Interrupted || ranks?.HasEndedEarly == true
                || (ranks is null && run.Outcome.Code == ExitCode.OutputFile)
                ? run.Outcome with { Reason = $"{DuelVerb.Name}: {side.Name}: {run.Outcome.Reason}" } : null;
        }

        public RunSet Read() => RunSet.Of(side.Name, side.Shown, [.. _runs.Select(run => RecordedRun.Read(run.Folder.FullPath))]);

        private static string Describe(RunDocument run) => run.Figures is not { } figures ? run.Verdict : string.Create(
            CultureInfo.InvariantCulture,
            $"{run.Verdict,-6}  {figures.RateReached:N0}/s   p50 {Figure.Micros(figures.LatencyMicros?.P50)}   p99 "
                + $"{Figure.Micros(figures.LatencyMicros?.P99)}   CPU {run.Roles.Sum(role => role.CpuCorePercent):0.0} %");
    }
}
