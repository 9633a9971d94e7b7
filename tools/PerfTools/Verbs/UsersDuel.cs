using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Running;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary><c>perftools duel users-low</c> and similar: compares two hubs, or two builds, by ramps of users.</summary>
/// <param name="load">The load.</param>
internal sealed class UsersDuel(UsersLoad load)
{
    /// <summary>A duel for each load.</summary>
    public static IReadOnlyList<UsersDuel> All { get; } = [.. UsersLoad.All.Select(load => new UsersDuel(load))];

    /// <summary>Carries out a ramp in a folder; null for one with processes. Only tests set it.</summary>
    public Func<UsersVariant, UsersOptions, RunFolder, RunDocument>? MakeRun { get; init; }

    public string Name => load.Name;

    public string Summary { get; } = UsersSuite.DescribeLoad(load);

    /// <summary>The options of the ramps of both sides.</summary>
    public OptionTable<UsersOptions> Options { get; } = UsersOptions.CreateDuelTable(load, new());

    /// <summary>Finds what is wrong with the options of both, as a sentence that names them; null when nothing is.</summary>
    public string? FindProblem(UsersOptions common, DuelOptions duel) => duel.A.Read(load, common).Problem ?? duel.B.Read(load, common).Problem;

    /// <summary>Finds what carries out a ramp of a side in a folder of a name.</summary>
    /// <param name="side">The side; checked.</param>
    /// <param name="common">The options of both sides.</param>
    /// <param name="host">The host of the runs.</param>
    /// <param name="shown">Warnings about the machine.</param>
    public Func<string, FinishedRun> MakerOf(DuelSide side, UsersOptions common, RunHost host, ShownOnce shown)
    {
        UsersOptions options = side.Read(load, common).Options!;
        UsersVariant variant = UsersFiles.Plan([load], options, machines: 1).Single();
        if (UsersBinding.FindShortage(variant, options, RampShare.OfOneMachine(variant, options), UsableProcessors.Find()) is { } few)
            shown.Show(few);
        return place =>
        {
            RunFolder folder = RunFolder.Open(place, Name, DateTime.UtcNow, UsersFiles.OfRamp);
            (RunDocument run, string? unwritten) = MakeRun is { } make ? (make(variant, options, folder), null)
                : UsersFiles.Make(new(variant, options, RampShare.OfOneMachine(variant, options), folder) { ToolsFolder = side.ToolsFolder },
                    folder, StopRequest.By(host.Signals));
            return new(folder, run, UsersFiles.OutcomeOf([new(variant, Name, run)]).WithUnwritten(unwritten));
        };
    }
}
