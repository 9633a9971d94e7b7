using System.Text.Json;
using PerfCommon;
using PerfTools.Face;
using PerfTools.Hosting.Running;
using PerfTools.Results;
using PerfTools.Roles;

namespace PerfTools.Scenarios;

/// <summary>One run of a scenario: both roles, their figures, the verdict.</summary>
internal sealed class ScenarioRun(Scenario scenario, ScenarioOptions options, RunFolder directory, RunFace face)
{
    // The server must outlive the slowest client, and must end even when nobody is left to end it.
    private const int ServerMarginSeconds = 60;

    private readonly RunLimits _limits = RunLimits.For(options.Seconds);
    private readonly JsonLinesReader _serverLines = new(directory.PathOf(scenario.Server.JsonFile));
    private readonly JsonLinesReader _clientLines = new(directory.PathOf(scenario.Client.JsonFile));

    /// <summary>Limits of the waits; only tests set them.</summary>
    public RunLimits Limits { get => _limits; init => _limits = value; }

    /// <summary>Makes the command of a role; only tests set it.</summary>
    public Func<RolePlan, IReadOnlyList<string>, RoleCommand> CreateCommand { get; init; } =
        (plan, arguments) => RoleCommand.ForProgram(plan.Role, plan.Program, arguments);

    /// <summary>Runs it to its end.</summary>
    public RunResult Run(StopRequest stop)
    {
        DateTime start = DateTime.UtcNow;
        using RolePair pair = new(_limits, stop);
        RunFailure? failure = RunRoles(pair);
        _serverLines.ReadNew();
        _clientLines.ReadNew();
        failure ??= FindCut(scenario.Server, _serverLines) ?? FindCut(scenario.Client, _clientLines);

        RunFigures? figures = _serverLines.Final is { } server && _clientLines.Final is { } client
            ? scenario.ReadFigures(options, server, client) : null;
        return new RunResult
        {
            Verdict = Verdict.Of(failure, figures),
            Figures = figures,
            StartUtc = start,
            EndUtc = DateTime.UtcNow,
            Server = RoleOutcome.Of(pair.Server, _serverLines.Final),
            Client = RoleOutcome.Of(pair.Client, _clientLines.Final),
        };
    }

    private RunFailure? RunRoles(RolePair pair)
    {
        int runTimeSeconds = (int)_limits.Client.TotalSeconds + ServerMarginSeconds;
        RoleCommand server = CreateCommand(scenario.Server, scenario.CreateServerArguments(options, directory, runTimeSeconds));
        if (pair.StartServer(server, directory.PathOf(scenario.Server.LogFile)) is { } port)
        {
            face.ShowHeadline(scenario.CreateHeadline(options, port));
            RoleCommand client = CreateCommand(scenario.Client, scenario.CreateClientArguments(options, directory, port));
            if (pair.StartClient(client, directory.PathOf(scenario.Client.LogFile)))
                pair.WaitForClient(Look);
        }

        pair.EndServer(scenario.ServerEndsByItself && pair.Client is not null);
        return pair.Failure;
    }

    private static RunFailure? FindCut(RolePlan plan, JsonLinesReader lines)
    {
        JsonView final = new(lines.Final);
        return final.IsFalse("comparable")
            ? new(ExitCode.Incomplete, $"{plan.Role}: counts are not comparable: {PrintableText.From(final.Text("notComparableReason") ?? "no reason given")}")
            : null;
    }

    private void Look()
    {
        _serverLines.ReadNew();
        foreach (JsonElement line in _clientLines.ReadNew())
            face.ShowProgress(scenario.ReadProgress(options, _serverLines.Last, line), TimeSpan.FromSeconds(options.Seconds));
    }
}
