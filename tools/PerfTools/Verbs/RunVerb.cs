using PerfTools.Face;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results;
using PerfTools.Roles;
using PerfTools.Scenarios;

namespace PerfTools.Verbs;

/// <summary><c>perftools run scenario</c>: lets two roles meet and says what came of it.</summary>
internal sealed class RunVerb(TextWriter output, TextWriter error, int? screenColumns)
{
    /// <summary>All scenarios, in the order of the help.</summary>
    public static IReadOnlyList<Scenario> Scenarios { get; } =
        [new DirectScenario(), new TransportScenario(reflects: false), new TransportScenario(reflects: true)];

    /// <summary>Runs a scenario.</summary>
    /// <param name="scenario">Which.</param>
    /// <param name="args">The arguments behind its name.</param>
    public int Run(Scenario scenario, string[] args) =>
        ToolProgram.Run("perftools", scenario.Options, args, output, error, (options, host) => Run(scenario, options, host));

    private RunOutcome Run(Scenario scenario, ScenarioOptions options, RunHost host)
    {
        RunFolder directory = RunFolder.Open(
            options.Out, scenario.Name, DateTime.UtcNow, [scenario.Server.JsonFile, scenario.Client.JsonFile, RunFile.Name]);
        TrialCertificateFiles.WriteIfNeeded(options, directory);
        RunFace face = new(host.Console, screenColumns, scenario.Words);
        RunResult result = new ScenarioRun(scenario, options, directory, face).Run(StopRequest.By(host.Signals));
        string? writeProblem = RunFile.TryWrite(directory, scenario, options, result);
        face.ShowEnd(result.Verdict, result.Figures, directory.ToString());

        if (result.Verdict.Reason is { } reason)
            return new RunOutcome(result.Verdict.Code, $"run {scenario.Name}: {reason}");
        return writeProblem is null ? RunOutcome.Success : new RunOutcome(ExitCode.OutputFile, $"run {scenario.Name}: {writeProblem}");
    }
}
