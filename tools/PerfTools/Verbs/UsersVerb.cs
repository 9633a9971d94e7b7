using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Live;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios.Users;
using PerfTools.Telemetry;
using PerfTools.Verdicts;

namespace PerfTools.Verbs;

/// <summary><c>perftools run users</c> and its parts: simulates thousands of users of a hub, ramp after ramp.</summary>
/// <param name="suite">The loads.</param>
/// <param name="error">The output for people when standard output is a program's.</param>
internal sealed class UsersVerb(UsersSuite suite, TextWriter error)
{
    /// <summary>Carries out a ramp in a folder; null for one with processes. Only tests set it.</summary>
    public Func<UsersVariant, UsersOptions, RunFolder, RunDocument>? MakeRun { get; init; }

    public RunOutcome Run(UsersOptions options, RunHost host)
    {
        if (options.Outputs.Save is { } file)
            return RunVerb.Save(new PlannedRamps(null, suite, options), file);
        RunHost people = host with { Console = options.Outputs.UsesConsole ? new RunConsole(error) : host.Console };
        using LivePage? page = LivePage.TryStart(options.Outputs.LivePort, people.Console);
        List<FinishedRun[]> all = [];
        RunOutcome outcome = Run(options, people, page, all);
        return all.Count == 0 ? outcome : RunVerb.WriteOutputs(suite.Name, outcome, options.Outputs, all, host); // the first rank writes for all
    }

    /// <summary>Carries out the ramps without the outputs of several runs together.</summary>
    /// <param name="options">The options.</param>
    /// <param name="host">The host of the ramps; its console is for people.</param>
    /// <param name="page">The page that shows them; null for none.</param>
    /// <param name="all">Receives the ramps of each variant; of ranks only the first has any.</param>
    public RunOutcome Run(UsersOptions options, RunHost host, LivePage? page, List<FinishedRun[]> all)
    {
        if (options.Ranks.Rank is { } asked)
        {
            return new RankedUsersRun(suite, options, Launcher.Find(asked, options.Ranks.RunId, Environment.GetEnvironmentVariable), host).Run(all);
        }

        RunFolder folder = RunFolder.Open(options.Out, suite.Name, DateTime.UtcNow, UsersFiles.OfSuite);
        if (ListenPlace.Describe(options.External.Keys) is { } open)
            host.Console.WriteLine(open);
        if (options.Arguments.WarnOfSecrets([]) is { } secrets)
            host.Console.WriteLine(secrets);
        RampRepeats repeats = new(folder, options.Repeat, host);
        string? unwritten = null;
        foreach (UsersVariant variant in UsersFiles.Plan(suite.Loads, options, machines: 1))
        {
            if (host.Signals.StopRequested.IsCancellationRequested)
                break;
            int before = repeats.All.Count;
            repeats.Run($"{variant.Load.Name}-{variant.Name}", place => Run(variant, options, folder, place, host, page, ref unwritten));
            all.Add([.. repeats.All.Skip(before).Select(one => UsersFiles.Finish(folder, one))]);
        }

        return UsersFiles.WriteSuite(folder, suite.Name, repeats.Medians, unwritten, host, repeats.All);
    }

    private FinishedVariant Run(
        UsersVariant variant, UsersOptions options, RunFolder all, string name, RunHost host, LivePage? page, ref string? unwritten)
    {
        RunFolder folder = RunFolder.Open(all.PathOf(name), name, DateTime.UtcNow, UsersFiles.OfRamp);
        RampShare share = RampShare.OfOneMachine(variant, options);
        UsersFiles.Introduce(variant, options, share, name, host);
        page?.Begin(LivePlan.OfUsers(variant.Load.Name, name, folder.FullPath, [.. share.Users.Select(UsersRun.NameOfUsers)]));
        UsersRun run = new(variant, options, share, folder) { Follow = page is null ? null : (role, lines) => page.Receive(role, lines) };
        RunDocument document = MakeRun?.Invoke(variant, options, folder) ?? run.Run(StopRequest.By(host.Signals), line =>
        {
            host.Console.WriteLine(line);
            page?.AddNote(line);
        });
        document = RunAssertions.Judge(document, options.Thresholds);
        string? problem = UsersFiles.TryWriteRamp(folder, document, document.Steps ?? []);
        unwritten ??= problem;
        page?.End(document, folder);
        if (problem is null && RunTrace.TrySend(options.Outputs.Otlp, folder.FullPath) is { } unsent)
            host.Console.WriteLine($"Warning: {unsent}");
        UsersFiles.ShowEnd(document, host);
        return new FinishedVariant(variant, name, document);
    }
}
