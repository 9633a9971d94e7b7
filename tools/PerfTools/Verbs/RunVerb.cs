using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools run scenario</c>: lets the roles meet and says what came of it.</summary>
internal sealed class RunVerb(int? screenColumns)
{
    private static readonly TimeSpan LookAround = TimeSpan.FromMilliseconds(250);

    public RunOutcome Run(Scenario scenario, ScenarioOptions options, RunHost host)
    {
        IEnumerable<string> readBack = [.. scenario.Roles.Select(role => role.JsonFile), RunFile.Name];
        RunFolder folder = RunFolder.Open(options.Out, scenario.Name, DateTime.UtcNow, readBack);
        TrialCertificateFiles.WriteIfNeeded(scenario, options, folder);
        RunScreen screen = new(host.Console, screenColumns, scenario.RateUnit);
        if (scenario.FindSampleShortage(options) is { } shortage)
            host.Console.WriteLine(shortage);
        if (FindForeignLoad(host.Signals.StopRequested) is { } foreign)
            host.Console.WriteLine(foreign);
        RunDocument run = new ScenarioRun(scenario, options, folder, screen).Run(StopRequest.By(host.Signals));
        string? writeProblem = RunFile.TryWrite(folder, run);
        screen.ShowEnd(run, folder.ToString());

        if (run.Reason is { } reason)
            return new RunOutcome(run.ExitCode, $"run {scenario.Name}: {reason}");
        return writeProblem is null ? RunOutcome.Success : new RunOutcome(ExitCode.OutputFile, $"run {scenario.Name}: {writeProblem}");
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
