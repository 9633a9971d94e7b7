using PerfCommon;
using PerfCommon.CommandLine;
using PerfTools.Face;
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
    public ExitCode Run(Scenario scenario, IReadOnlyList<string> args)
    {
        ParsedCommandLine<ScenarioOptions> parsed = scenario.Options.Parse(args);
        if (parsed.Text is { } text)
        {
            output.Write(text);
            return ExitCode.Success;
        }

        if (parsed.Options is not { } options)
            return Refuse(scenario, ExitCode.CommandLine, parsed.Problem!);
        if (RoleArgumentRules.FindReserved([.. options.ServerArguments, .. options.ClientArguments]) is { } reserved)
            return Refuse(scenario, ExitCode.CommandLine, $"{reserved} belongs to the run and cannot be given to a role");

        try
        {
            return Run(scenario, options);
        }
        catch (SetupException problem)
        {
            return Refuse(scenario, problem.Code, problem.Message);
        }
    }

    private ExitCode Run(Scenario scenario, ScenarioOptions options)
    {
        RunDirectory directory = RunDirectory.Open(
            options.Out, scenario.Name, DateTime.UtcNow, [scenario.Server.JsonFile, scenario.Client.JsonFile, RunFile.Name]);
        RunFace face = new(output, screenColumns, scenario.Words);
        using RunSignals signals = new();
        RunOutcome outcome = new ScenarioRun(scenario, options, directory, face).Run(StopRequest.By(signals));
        string? writeProblem = RunFile.TryWrite(directory, scenario, options, outcome);
        face.ShowEnd(outcome.Verdict, outcome.Figures, directory.ToString());

        if (outcome.Verdict.Reason is { } reason)
            return Refuse(scenario, outcome.Verdict.Code, reason);
        return writeProblem is null ? ExitCode.Success : Refuse(scenario, ExitCode.OutputFile, writeProblem);
    }

    private ExitCode Refuse(Scenario scenario, ExitCode code, string problem)
    {
        error.WriteLine($"perftools: run {scenario.Name}: {problem}");
        return code;
    }
}
