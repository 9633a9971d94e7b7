using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Results;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools run scenario</c>: lets the roles meet and says what came of it.</summary>
internal sealed class RunVerb(int? screenColumns)
{
    private static readonly TimeSpan LookAround = TimeSpan.FromMilliseconds(250);

    public RunOutcome Run(Scenario scenario, ScenarioOptions options, RunHost host) =>
        scenario.RunAll?.Invoke(options, host, one => RunOnce(scenario, one, host)) ?? RunOnce(scenario, options, host);

    private RunOutcome RunOnce(Scenario scenario, ScenarioOptions options, RunHost host)
    {
        IEnumerable<string> readBack =
            [.. scenario.Roles.SelectMany(role => (string[])[role.JsonFile, $"{role.Files.Histograms}-*.h*"]), RunFile.Name, IntervalTable.Name, ReportFolder.FileName];
        RunFolder folder = RunFolder.Open(options.Out, scenario.Name, DateTime.UtcNow, readBack);
        TrialCertificateFiles.WriteIfNeeded(scenario.RolesOf(options), options, folder);
        RunScreen screen = new(host.Console, screenColumns, scenario.RateUnit);
        if (scenario.FindSampleShortage(options) is { } shortage)
            host.Console.WriteLine(shortage);
        if (FindForeignLoad(host.Signals.StopRequested) is { } foreign)
            host.Console.WriteLine(foreign);
        ScenarioRun running = new(scenario, options, folder, screen);
        RunDocument run = running.Run(StopRequest.By(host.Signals));
        string[] unwritten = [.. new[] { RunFile.TryWrite(folder, run) ?? TryWriteRest(folder), running.Unwritten }.OfType<string>()];
        screen.ShowEnd(run, folder.ToString(), File.Exists(folder.PathOf(ReportFolder.FileName)) ? ReportFolder.FileName : null);
        RunOutcome outcome = run.Reason is { } reason ? new RunOutcome(run.ExitCode, $"run {scenario.Name}: {reason}") : RunOutcome.Success;
        return outcome.WithUnwritten(unwritten is [] ? null : string.Join("; ", unwritten));
    }

    private static string? TryWriteRest(RunFolder folder)
    {
        RecordedRun recorded = RecordedRun.Read(folder.FullPath);
        return IntervalTable.TryWrite(recorded) ?? ReportFolder.TryWrite(recorded);
    }

    // Before anything of the run is started: all that is busy now is something else.
    private static string? FindForeignLoad(CancellationToken stop)
    {
        MachineLoad load = new();
        stop.WaitHandle.WaitOne(LookAround);
        return load.ForeignShare() is > MachineLoad.MaxForeignShare and var share
            ? string.Create(CultureInfo.InvariantCulture, $"Warning: other programs use {100 * share:F0} % of this machine; latency and rates will show it.")
            : null;
    }
}
