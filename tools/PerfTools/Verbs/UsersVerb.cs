using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Live;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Telemetry;

namespace PerfTools.Verbs;

/// <summary><c>perftools run users</c> and its parts: simulates thousands of users of a hub, ramp after ramp.</summary>
internal sealed class UsersVerb
{
    private UsersVerb(string name, string summary, IReadOnlyList<UsersLoad> loads) =>
        (Name, Summary, Loads, Options) = (name, summary, loads, UsersOptions.CreateTable(name, loads));

    /// <summary>A verb for each load, then one for all of them.</summary>
    public static IReadOnlyList<UsersVerb> All { get; } =
    [
        .. UsersLoad.All.Select(load => new UsersVerb(load.Name, DescribeLoad(load), [load])),
        new("users", "The four loads above, one after the other", UsersLoad.All),
    ];

    public string Name { get; }

    public string Summary { get; }

    public OptionTable<UsersOptions> Options { get; }

    private IReadOnlyList<UsersLoad> Loads { get; }

    public RunOutcome Run(UsersOptions options, RunHost host)
    {
        if (options.Ranks.Rank is { } asked)
        {
            return new RankedUsersRun(Loads, Name, options, Launcher.Find(asked, options.Ranks.RunId, Environment.GetEnvironmentVariable),
                host).Run();
        }

        RunFolder suite = RunFolder.Open(options.Out, Name, DateTime.UtcNow, UsersFiles.OfSuite);
        if (ListenPlace.Describe(options.External.Keys) is { } open)
            host.Console.WriteLine(open);
        using LivePage? page = LivePage.TryStart(options.Outputs.LivePort, host.Console);
        RampRepeats repeats = new(suite, options.Repeat, host);
        string? unwritten = null;
        foreach (UsersVariant variant in UsersFiles.Plan(Loads, options, machines: 1))
        {
            if (host.Signals.StopRequested.IsCancellationRequested)
                break;
            repeats.Run($"{variant.Load.Name}-{variant.Name}", place => Run(variant, options, suite, place, host, page, ref unwritten));
        }

        return UsersFiles.WriteSuite(suite, Name, repeats.Medians, unwritten, host, repeats.All);
    }

    private static FinishedVariant Run(
        UsersVariant variant, UsersOptions options, RunFolder suite, string name, RunHost host, LivePage? page, ref string? unwritten)
    {
        RunFolder folder = RunFolder.Open(suite.PathOf(name), name, DateTime.UtcNow, UsersFiles.OfRamp);
        RampShare share = RampShare.OfOneMachine(variant, options);
        UsersFiles.Introduce(variant, options, share, name, host);
        page?.Begin(LivePlan.OfUsers(variant.Load.Name, name, folder.FullPath, [.. share.Users.Select(UsersRun.NameOfUsers)]));
        UsersRun run = new(variant, options, share, folder) { Follow = page is null ? null : (role, lines) => page.Receive(role, lines) };
        RunDocument document = run.Run(StopRequest.By(host.Signals), line =>
        {
            host.Console.WriteLine(line);
            page?.AddNote(line);
        });
        string? problem = UsersFiles.TryWriteRamp(folder, document, run.Steps);
        unwritten ??= problem;
        page?.End(document, folder);
        if (problem is null && RunTrace.TrySend(options.Outputs.Otlp, folder.FullPath) is { } unsent)
            host.Console.WriteLine($"Warning: {unsent}");
        UsersFiles.ShowEnd(document, host);
        return new FinishedVariant(variant, name, document);
    }

    /// <summary>Describes a ramp of a load, in one line of the help.</summary>
    public static string DescribeLoad(UsersLoad load) => string.Create(CultureInfo.InvariantCulture,
        $"NIProvPerf, HubPerf and UsersPerf: {load.Base.UserRate:0.###} {(load.Base.UserRate == 1 ? "update" : "updates")} a second for each of thousands "
            + $"of users, step after step");
}
