using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results;
using PerfTools.Scenarios;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary><c>perftools run scenario</c>: lets the roles meet and says what came of it.</summary>
internal sealed class RunVerb(int? screenColumns)
{
    public RunOutcome Run(Scenario scenario, ScenarioOptions options, RunHost host)
    {
        IEnumerable<string> readBack = [.. scenario.Roles.Select(role => role.JsonFile), RunFile.Name];
        RunFolder folder = RunFolder.Open(options.Out, scenario.Name, DateTime.UtcNow, readBack);
        TrialCertificateFiles.WriteIfNeeded(scenario, options, folder);
        RunScreen screen = new(host.Console, screenColumns, scenario.RateUnit);
        RunDocument run = new ScenarioRun(scenario, options, folder, screen).Run(StopRequest.By(host.Signals));
        string? writeProblem = RunFile.TryWrite(folder, run);
        screen.ShowEnd(run, folder.ToString());

        if (run.Reason is { } reason)
            return new RunOutcome(run.ExitCode, $"run {scenario.Name}: {reason}");
        return writeProblem is null ? RunOutcome.Success : new RunOutcome(ExitCode.OutputFile, $"run {scenario.Name}: {writeProblem}");
    }
}
