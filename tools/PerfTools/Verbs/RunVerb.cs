using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Live;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary><c>perftools run scenario</c>: runs the roles together, once or several times, and reports the result.</summary>
/// <param name="screenColumns">Width of the screen; null when the output is no screen.</param>
/// <param name="error">The output for people when standard output is a program's.</param>
internal sealed class RunVerb(int? screenColumns, TextWriter error)
{
    /// <inheritdoc cref="ScenarioRun.CreateCommand"/>
    public Func<Role, IReadOnlyList<string>, RoleCommand>? CreateCommand { get; init; }

    /// <inheritdoc cref="UsersVerb.MakeRun"/>
    public Func<UsersVariant, UsersOptions, RunFolder, RunDocument>? MakeRamp { get; init; }

    public RunOutcome Run(Scenario scenario, ScenarioOptions options, RunHost host)
    {
        if (options.Outputs.Save is { } file)
            return Save(new PlannedScenario(null, scenario, options), file);
        RankedSeries? ranks = RankedSeries.Of([new PlannedScenario(null, scenario, options)]);
        List<FinishedRun[]> all = [];
        using LivePage? page = StartPage(options.Outputs, ranks, PeopleOf(options.Outputs, host));
        RunOutcome outcome = RunAll(scenario, options, host, new(all, page, ranks));
        return all.Count == 0 ? outcome : WriteOutputs(scenario.Name, outcome, options.Outputs, all, host); // the first rank writes for all
    }

    /// <summary>
    /// Carries out the runs of a scenario file, each in a separate folder, and writes one table of all; a signal ends the current run and the plan.
    /// </summary>
    public RunOutcome Run(ScenarioPlan plan, RunHost host)
    {
        (ResultOutputs outputs, string? asked) = (plan.Runs[0].Outputs, plan.Runs[0].Out);
        if (plan.Runs is [var only])
        {
            return only is PlannedRamps users
                ? VerbOf(users).Run(users.Given, host)
                : Run(((PlannedScenario)only).Arrangement, ((PlannedScenario)only).Given, host);
        }

        RankedSeries? ranks = RankedSeries.Of(plan.Runs);
        RunFolder folder = RunFolder.Open(asked, plan.Name, DateTime.UtcNow, ranks is null ? [PlanTable.FileName] : []);
        RunConsole people = PeopleOf(outputs, host);
        using LivePage? page = StartPage(outputs, ranks, people);
        List<FinishedRun[]> all = [];
        List<(PlannedRun Run, FinishedRun[] Made)> made = [];
        RunOutcome outcome = RunOutcome.Success;
        foreach (PlannedRun run in plan.Runs.TakeWhile(_ => ranks is null ? !host.Signals.StopRequested.IsCancellationRequested : !ranks.IsOver))
        {
            people.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Run {made.Count + 1} of {plan.Runs.Count}: {run.Title}"));
            int before = all.Count;
            RunOutcome one = RunPlanned(run, $"{folder}{run.Folder}", host, new(all, page, ranks));
            outcome = outcome.Code == ExitCode.Success ? one : outcome;
            made.Add((run, [.. all.Skip(before).SelectMany(runs => runs)]));
            people.WriteLine("");
        }

        if (ranks is not null && all.Count == 0)
            return outcome; // the first rank writes for all
        PlanTable table = new(plan, [.. made.SelectMany(entry => entry.Made.Select(run => new PlannedResult(entry.Run,
            entry.Run is PlannedRamps ? Path.GetRelativePath(folder.PathOf(entry.Run.Folder), run.Folder.FullPath) : null, run.Document)))]);
        foreach (string line in table.CreateText())
            people.WriteLine(line);
        people.WriteLine($"    files    {folder}");
        string? unwritten = WholeFile.TryWrite(folder.PathOf(PlanTable.FileName), table.WritePage);
        return WriteOutputs(plan.Name, outcome.WithUnwritten(unwritten), outputs, all, host, table);
    }

    /// <summary>Writes a scenario with its options as a file.</summary>
    public static RunOutcome Save(PlannedRun run, string file) =>
        RunOutcome.Success.WithUnwritten(WholeFile.TryWrite(file, writer => writer.Write(ScenarioFileWriter.CreateText(run))));

    private UsersVerb VerbOf(PlannedRamps users) => new(users.Suite, error) { MakeRun = MakeRamp };

    private RunOutcome RunPlanned(PlannedRun run, string place, RunHost host, Course course) => run is PlannedRamps users
        ? VerbOf(users).Run(users.Given with { Out = place }, host with { Console = PeopleOf(users.Outputs, host) }, course.Page, course.All)
        : RunAll(((PlannedScenario)run).Arrangement, ((PlannedScenario)run).Given with { Out = place }, host, course);

    private RunOutcome RunAll(Scenario scenario, ScenarioOptions options, RunHost host, Course course) =>
        scenario.Series?.Run(options, host, one => course.Ranks?.IsOver == true ? null : RunOne(scenario, one, host, course),
            course.Ranks?.IsFirst == false ? null : ReportFolder.TryWrite) ?? RunOne(scenario, options, host, course);

    // The first rank sees the lines of all.
    private static LivePage? StartPage(ResultOutputs outputs, RankedSeries? ranks, RunConsole people) =>
        ranks?.IsFirst == false ? null : LivePage.TryStart(outputs.LivePort, people);

    private RunConsole PeopleOf(ResultOutputs outputs, RunHost host) => outputs.UsesConsole ? new RunConsole(error) : host.Console;

    /// <summary>Writes the further outputs of all runs.</summary>
    public static RunOutcome WriteOutputs(string name, RunOutcome outcome, ResultOutputs outputs, List<FinishedRun[]> all, RunHost host,
        PlanTable? table = null)
    {
        IReadOnlyList<string> folders = [.. all.SelectMany(runs => runs).Select(run => run.Folder.FullPath)];
        return outcome.WithUnwritten(outputs.Write(
            host.Console,
            markdown: writer =>
            {
                table?.WriteMarkdown(writer);
                WriteTables(writer, all, folders);
            },
            junit: writer => JUnitFile.Write(writer, $"run {name}",
                [.. all.SelectMany(runs => runs).SelectMany(run => CreateCases(run.Document, PrefixOf(run, folders)))],
                [.. all.SelectMany(runs => runs).SelectMany(run => ReadNumbers(run.Document, PrefixOf(run, folders)))]),
            json: writer => writer.Write(string.Concat(all.SelectMany(runs => runs).Select(run => RunFile.CreateText(run.Document))))));
    }

    // Runs one configuration the requested number of times.
    private RunOutcome RunOne(Scenario scenario, ScenarioOptions options, RunHost host, Course course)
    {
        RunConsole console = PeopleOf(options.Outputs, host);
        ScenarioRunner maker = new(console, options.Outputs.UsesConsole ? null : screenColumns, host.Signals)
        { CreateCommand = CreateCommand, Page = course.Page };
        FinishedRun[] runs = course.Ranks?.Run(maker, scenario, options, console, host.Signals.StopRequested) ?? (options.Repeat == 1
            ? [maker.Make(scenario, options, ScenarioRunner.OpenFolder(scenario, options.Out))] : Repeat(maker, scenario, options, host));
        bool isFirst = course.Ranks?.IsFirst != false;
        if (options.Repeat > 1 && isFirst)
            ShowSum(console, runs.Select(run => run.Folder.FullPath));
        if (isFirst)
            course.All.Add(runs);
        return (Array.Find(runs, run => run.Outcome.Code != ExitCode.Success) ?? runs[0]).Outcome;
    }

    private static void WriteTables(TextWriter writer, List<FinishedRun[]> all, IReadOnlyList<string> folders)
    {
        foreach (FinishedRun[] runs in all)
        {
            if (runs != all[0])
                writer.Write('\n');
            RunMarkdown.Write(writer, [.. runs.Select(run => (PrefixOf(run, folders), run.Document))], Read(runs.Select(run => run.Folder.FullPath)));
        }
    }

    // Where there are several, the name of a run is its folder within that of all.
    private static string PrefixOf(FinishedRun run, IReadOnlyList<string> folders)
    {
        if (folders.Count == 1)
            return "";
        string common = folders[0];
        while (!folders.All(folder => folder.StartsWith(common + Path.DirectorySeparatorChar, StringComparison.Ordinal)))
            common = Path.GetDirectoryName(common) ?? "";
        return Path.GetRelativePath(common, run.Folder.FullPath).Replace(Path.DirectorySeparatorChar, '/') + ": ";
    }

    // Carries out each run in a separate folder within that of all; a signal ends the current run and the rest.
    private static FinishedRun[] Repeat(ScenarioRunner maker, Scenario scenario, ScenarioOptions options, RunHost host)
    {
        RunFolder all = ScenarioRunner.OpenFolder(scenario, options.Out);
        ScenarioRunner.RemoveRepeats(all);
        List<FinishedRun> runs = [];
        for (int i = 1; i <= options.Repeat && !host.Signals.StopRequested.IsCancellationRequested; i++)
            runs.Add(maker.Make(scenario, options, ScenarioRunner.OpenFolder(scenario, $"{all}{RunSet.RepeatPrefix}{i}")));
        return [.. runs];
    }

    private static RunSet? Read(IEnumerable<string> folders)
    {
        try
        {
            return RunSet.Of("", "", [.. folders.Select(RecordedRun.Read)]);
        }
        catch (SetupException)
        {
            return null; // the failed run has reported that its file could not be written
        }
    }

    /// <summary>Shows what repeated runs come to together.</summary>
    /// <param name="console">The console.</param>
    /// <param name="folders">Their folders.</param>
    public static void ShowSum(RunConsole console, IEnumerable<string> folders)
    {
        if (Read(folders) is not { } all)
            return;
        foreach (string line in RepeatText.Create(all))
            console.WriteLine(line);
    }

    private static IEnumerable<(string, double)> ReadNumbers(RunDocument run, string prefix) =>
        from role in run.Roles
        from figure in role.Figures
        from number in figure.Numbers()
        select ($"{prefix}{role.Name}.{number.Name}", number.Value);

    // A good verdict is a case, too: without it a run without assertions could not fail.
    private static IEnumerable<JUnitCase> CreateCases(RunDocument run, string prefix) => run.Assertions
        .Select(assertion => new JUnitCase(prefix + assertion.Assertion, assertion.Kept ? null : assertion.Line))
        .Prepend(new(prefix + "verdict", run.Verdict is RunVerdict.Ok or RunVerdict.Missed ? null : run.Reason ?? run.Verdict));

    // The runs of one call.
    private sealed record Course(List<FinishedRun[]> All, LivePage? Page, RankedSeries? Ranks);
}
