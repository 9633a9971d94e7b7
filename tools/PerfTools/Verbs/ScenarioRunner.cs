using PerfTools.History;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Live;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Telemetry;

namespace PerfTools.Verbs;

/// <summary>A completed run.</summary>
internal sealed record FinishedRun(RunFolder Folder, RunDocument Document, RunOutcome Outcome);

/// <summary>Carries out runs, and writes everything that belongs into their folders.</summary>
/// <param name="console">The console for the progress.</param>
/// <param name="screenColumns">Width of the screen; null when the output is no screen.</param>
/// <param name="signals">The signals that end a run.</param>
internal sealed class ScenarioRunner(RunConsole console, int? screenColumns, RunSignals signals)
{
    /// <summary>The folder with the programs of the roles; null for that of this program.</summary>
    public string? ToolsFolder { get; init; }

    /// <summary>Shows that workers are not pinned, where the console of the runs is not shown; null for their console.</summary>
    public ShownOnce? People { get; init; }

    /// <inheritdoc cref="ScenarioRun.CreateCommand"/>
    public Func<Role, IReadOnlyList<string>, RoleCommand>? CreateCommand { get; init; }

    /// <summary>The page that shows the runs in progress; null for none.</summary>
    public LivePage? Page { get; init; }

    /// <summary>Opens the folder for a run, and removes files of an earlier run that would be read as its results.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="path">The folder; null for a new one.</param>
    public static RunFolder OpenFolder(Scenario scenario, string? path) => RunFolder.Open(
        path, scenario.Name, DateTime.UtcNow,
        [.. scenario.Roles.SelectMany(role => (string[])[role.JsonFile, $"{role.Files.Histograms}-*.h*"]), MergedSamples.Files, RunFile.Name,
            IntervalTable.Name, ReportFolder.FileName]);

    /// <summary>Removes earlier repeated runs from a folder.</summary>
    public static void RemoveRepeats(RunFolder folder)
    {
        foreach (string earlier in Directory.GetDirectories(folder.FullPath, RunSet.RepeatPrefix + "*"))
            File.Delete(Path.Combine(earlier, RunFile.Name));
    }

    /// <summary>Carries out a run.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Its options.</param>
    /// <param name="folder">Its folder.</param>
    /// <param name="ranks">The other machines; null for a run of this one.</param>
    public FinishedRun Make(Scenario scenario, ScenarioOptions options, RunFolder folder, ScenarioRanks? ranks = null)
    {
        options = scenario.Complete(options);
        if (ranks is null)
            TrialCertificateFiles.WriteIfNeeded(scenario.RolesOf(options), options, folder);
        Page?.Begin(LivePlan.Of(scenario, options, folder.FullPath));
        RunScreen screen = new(console, screenColumns, scenario.RateUnit);
        Warn(scenario, options, ranks);
        StopRequest stop = ranks?.Join(StopRequest.By(signals)) ?? StopRequest.By(signals);
        double? load = CalmStart.Wait(console.WriteLine, stop.Requested);
        options = ranks?.Meet(stop, () => Prepare(scenario, options, folder, ranks), console.WriteLine) ?? options;
        if (ranks is { Failure: null })
            ranks.CreateCertificates(folder);
        ScenarioRun running = new(scenario, options, folder, screen)
        {
            ToolsFolder = ToolsFolder,
            CreateCommand = CreateCommand,
            Follow = Page is null ? null : (role, lines) => Page.Receive(role, lines, ranks?.LiveShiftOf(role) ?? TimeSpan.Zero),
            Ranks = ranks,
        };
        RunDocument run = running.Run(stop);
        run = run with { Machine = (run.Machine with { LoadBeforePercent = load }).WithTools(ToolsFolder) };
        return ranks is { IsFirst: false } ? EndPart(run, folder, ranks, running.Unwritten) : End(run, folder, options, screen, running.Unwritten);
    }

    private FinishedRun End(RunDocument run, RunFolder folder, ScenarioOptions options, RunScreen screen, string? ofRoles)
    {
        string[] unwritten = [.. new[] { RunFile.TryWrite(folder, run) ?? TryWriteRest(folder), ofRoles }.OfType<string>()];
        RunIndex.Update(folder.FullPath);
        Page?.End(run, folder);
        if (unwritten is [] && RunTrace.TrySend(options.Outputs.Otlp, folder.FullPath) is { } unsent)
            console.WriteLine($"Warning: {unsent}");
        screen.ShowEnd(run, folder.ToString(), File.Exists(folder.PathOf(ReportFolder.FileName)) ? ReportFolder.FileName : null);
        return new(folder, run, OutcomeOf(run, "", unwritten));
    }

    // Leaves the results of a rank for the first.
    private FinishedRun EndPart(RunDocument run, RunFolder folder, ScenarioRanks ranks, string? ofRoles)
    {
        string[] unwritten = [.. new[] { ranks.PublishResult(run, folder), ofRoles }.OfType<string>()];
        string rank = FormattableString.Invariant($"rank {run.Ranks![0].Rank}");
        console.WriteLine($"{rank}  {run.Verdict}{(run.Reason is { } reason ? "  " + reason : "")}");
        return new(folder, run, OutcomeOf(run, rank + ": ", unwritten));
    }

    private static RunOutcome OutcomeOf(RunDocument run, string who, string[] unwritten) =>
        (run.Reason is { } reason ? new RunOutcome((ExitCode)run.ExitCode, $"run {run.Scenario}: {who}{reason}") : RunOutcome.Success)
            .WithUnwritten(unwritten is [] ? null : string.Join("; ", unwritten));

    // Called by the first rank when all are present, before any role is started.
    private static void Prepare(Scenario scenario, ScenarioOptions options, RunFolder folder, ScenarioRanks ranks)
    {
        OpenFolder(scenario, folder.FullPath);
        if (!ranks.SharesNothing)
            TrialCertificateFiles.WriteIfNeeded(scenario.RolesOf(options), options, folder, ranks.Addresses);
    }

    private void Warn(Scenario scenario, ScenarioOptions options, ScenarioRanks? ranks)
    {
        if (ListenPlace.Describe(ranks is null ? options.External.Keys : [], ranks?.Open ?? 1) is { } open)
            console.WriteLine(open);
        if (options.Arguments.WarnOfSecrets(options.Ranks.OpenSecrets) is { } secrets)
            console.WriteLine(secrets);

        if (scenario.FindSampleShortage(options) is { } shortage)
            console.WriteLine(shortage);
        if (WorkerBinding.FindShortage(scenario, options, UsableProcessors.Find(), ranks) is { } few)
            (People is null ? console.WriteLine : (Action<string>)People.Show)(few);
    }

    private static string? TryWriteRest(RunFolder folder)
    {
        RecordedRun recorded = RecordedRun.Read(folder.FullPath);
        return MergedSamples.TryWrite(recorded) ?? IntervalTable.TryWrite(recorded) ?? ReportFolder.TryWrite(recorded);
    }
}
