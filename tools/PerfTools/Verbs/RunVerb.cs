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
    /// <summary>Runs a scenario.</summary>
    public RunOutcome Run(Scenario scenario, ScenarioOptions options, RunHost host)
    {
        IEnumerable<string> readBack = [.. scenario.Roles.Select(role => role.JsonFile), RunFile.Name];
        RunFolder folder = RunFolder.Open(options.Out, scenario.Name, DateTime.UtcNow, readBack);
        TrialCertificateFiles.WriteIfNeeded(scenario, options, folder);
        RunScreen screen = new(host.Console, screenColumns, scenario.RateUnit);
        RunResult result = new ScenarioRun(scenario, options, folder, screen).Run(StopRequest.By(host.Signals));
        string? writeProblem = RunFile.TryWrite(folder, RunDocument.Of(scenario.Name, scenario.DescribeInputs(options), result));
        screen.ShowEnd(result, folder.ToString());

        if (result.Verdict.Reason is { } reason)
            return new RunOutcome(result.Verdict.Code, $"run {scenario.Name}: {reason}");
        return writeProblem is null ? RunOutcome.Success : new RunOutcome(ExitCode.OutputFile, $"run {scenario.Name}: {writeProblem}");
    }
}
