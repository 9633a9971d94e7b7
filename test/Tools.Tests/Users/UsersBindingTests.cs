using System.Collections.Immutable;
using System.Text.Json;
using HubPerf;
using NIProvPerf;
using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary><c>--bind auto</c> of a ramp: the arguments of hub, sources and users.</summary>
[Trait("Category", "Fast")]
public sealed class UsersBindingTests : IDisposable
{
    private const string OneOfEach = "sessionThreads=1 sourceThreads=0 usersThreads=1 sources=1";
    private const string Several = "sessionThreads=2 sourceThreads=1 usersThreads=2 users-processes=2 sources=2";

    private readonly RunDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    // The processors that may be used, and what each role reads from its arguments: -1 is a thread that is not pinned.
    [Theory]
    [InlineData("users-low", OneOfEach, "4,6,7", "hub 4; source-1 6; users-1 7")]
    [InlineData("users-low", OneOfEach, "4,6,7,9", "hub 4; source-1 6; users-1 7")]
    [InlineData("users-low", OneOfEach, "4,6", "hub -1; source-1 -1; users-1 -1")]
    [InlineData("users-medium", Several, "0,1,2,3,4,5,6,7,8", "hub 0,1,2; source-1 3; source-2 4; users-1 5,6; users-2 7,8")]
    [InlineData("users-medium", Several, "0,1,2,3,4,5,6,7,8,9", "hub 0,1,2; source-1 3; source-2 4; users-1 5,6; users-2 7,8")]
    [InlineData("users-medium", Several, "0,1,2,3,4,5,6,7", "hub -1,-1,-1; source-1 -1; source-2 -1; users-1 -1,-1; users-2 -1,-1")]
    [InlineData("users-high", OneOfEach, "0,1,2", "hub 0; source-1 1; users-1 2")]
    [InlineData("users-high", OneOfEach, "0", "hub -1; source-1 -1; users-1 -1")]
    [InlineData("users-very-high", Several, "1,3,5,7,9,11,13,15,17", "hub 1,3,5; source-1 7; source-2 9; users-1 11,13; users-2 15,17")]
    [InlineData("users-very-high", Several, "1,3,5,7", "hub -1,-1,-1; source-1 -1; source-2 -1; users-1 -1,-1; users-2 -1,-1")]
    public void Arguments_Bound_PinEachWorkerWhereThereAreEnough(string load, string settings, string usable, string expected) =>
        Assert.Equal(expected, Pinned(Plan(load, settings), new() { BindsWorkers = true }, usable));

    [Theory]
    [InlineData("hub", "4,6", "source-1 4; users-1 6")]
    [InlineData("source", "4,6", "hub 4; users-1 6")]
    public void Arguments_WithAnExternalRole_PinTheOthers(string role, string usable, string expected)
    {
        UsersOptions options = new()
        {
            BindsWorkers = true,
            External = ImmutableDictionary<string, HostAddress>.Empty.Add(role, new("far", 1)),
        };
        Assert.Equal(expected, Pinned(Plan("users-low", OneOfEach), options, usable));
    }

    [Theory]
    [InlineData(0, "hub 4")]
    [InlineData(1, "source-1 4; users-1 5")]
    [InlineData(2, "users-2 4")]
    public void Arguments_OfARank_PinWhatItStarts(int rank, string expected)
    {
        UsersVariant variant = Plan("users-low", OneOfEach);
        RampShare share = RampShare.Of(variant.Parameters, UsersPlace.Usual(3), rank);
        Assert.Equal(expected, Pinned(variant, new() { BindsWorkers = true }, share, "4,5"));
    }

    [Fact]
    public void Arguments_NotBound_SayNothingOfProcessors()
    {
        UsersVariant variant = Plan("users-low", "");
        string[][] all = [.. Lines(variant, new(), Share(variant, new()), "0,1,2,3,4,5,6,7,8,9").Values];
        Assert.All(all, line => Assert.DoesNotContain(line, word => word.StartsWith("-bind", StringComparison.Ordinal) || word == "-threads"));
    }

    [Fact]
    public void Arguments_ThreadsOfUsers_AreThoseOfTheParameter() =>
        Assert.Equal("hub -1,-1,-1; source-1 -1; source-2 -1; users-1 -1,-1; users-2 -1,-1", Pinned(Plan("users-high", Several), new(), "0"));

    [Theory]
    [InlineData(OneOfEach, "4,6", "3 workers need a processor each, 2 may be used")]
    [InlineData(Several, "0,1,2,3,4,5,6,7", "9 workers need a processor each, 8 may be used")]
    [InlineData(OneOfEach, "4,6,7", null)]
    [InlineData(Several, "0,1,2,3,4,5,6,7,8,9", null)]
    public void FindShortage_TooFew_SaysHowMany(string settings, string usable, string? expected)
    {
        UsersVariant variant = Plan("users-low", settings);
        UsersOptions options = new() { BindsWorkers = true };
        Assert.Equal(expected is null ? null : $"Warning: --bind auto: {expected}; the workers are not bound.",
            UsersBinding.FindShortage(variant, options, Share(variant, options), Processors(usable)));
        Assert.Null(UsersBinding.FindShortage(variant, new(), Share(variant, options), Processors(usable)));
    }

    [Fact]
    public void Options_BindAuto_IsOfEveryLoadAndOfASearch()
    {
        Assert.All(UsersSuite.All, verb => Assert.True(OptionLines.Accept(verb.Options, "--bind auto").BindsWorkers));
        Assert.All(UsersSearch.All, search => Assert.True(OptionLines.Accept(search.Options, "--bind auto").BindsWorkers));
        Assert.False(OptionLines.Accept(UsersSuite.All[0].Options, "--bind none").BindsWorkers);
        Assert.StartsWith("--bind: 'yes' is not ", OptionLines.Refuse(UsersSuite.All[0].Options, "--bind yes"), StringComparison.Ordinal);
    }

    [Fact]
    public void Inputs_Bound_SayIt()
    {
        UsersVariant open = Plan("users-low", "");
        Dictionary<string, JsonElement> bound = UsersInputs.Of(open, new() { BindsWorkers = true });
        Assert.Equal(["bind"], bound.Keys.Except(UsersInputs.Of(open, new()).Keys));
        Assert.Equal("auto", bound["bind"].GetString());
        Assert.False(bound["parameters"].TryGetProperty("usersThreads", out _)); // as in runs of earlier versions
        Dictionary<string, JsonElement> own = UsersInputs.Of(Plan("users-low", "usersThreads=2"), new());
        Assert.Equal("2", own["parameters"].GetProperty("usersThreads").GetString());
    }

    // UsersPerf has several threads by default, on a machine with four processors or more.
    [Fact]
    public void RunOptions_OneProcessorWhereSeveralThreadsAreUsual_IsOneThread()
    {
        RunOptions usual = new() { UsualThreads = ThreadPlan.Unbounded(4) };
        RunOptions bound = usual with { BindThread = 3 };
        Assert.Equal((4, null), (usual.Threads.Count, bound.FindProblem()));
        Assert.Equal([3], bound.Threads.Processors);
        Assert.True(ThreadPlan.TryParse("5", out ThreadPlan? listed));
        Assert.Equal("-bindThread binds a single thread: leave -threads out", (bound with { ListedThreads = listed! }).FindProblem());
    }

    private static UsersVariant Plan(string load, string settings)
    {
        IReadOnlyList<UsersVariant> all = UsersVariant.Plan(
            UsersLoad.Of(load), new() { Settings = [.. OptionLines.Words(settings)] }, out string? problem);
        Assert.Null(problem);
        return Assert.Single(all).WithProcesses(isFull: false, machines: 1);
    }

    private static RampShare Share(UsersVariant variant, UsersOptions options) =>
        RampShare.Of(variant.Parameters, UsersPlace.Usual(1).Without(options.External.Keys), 0);

    private static int[] Processors(string list) => [.. list.Split(',').Select(one => int.Parse(one, null))];

    private string Pinned(UsersVariant variant, UsersOptions options, string usable) =>
        Pinned(variant, options, Share(variant, options), usable);

    private string Pinned(UsersVariant variant, UsersOptions options, RampShare share, string usable) => string.Join("; ",
        Lines(variant, options, share, usable).Select(role => $"{role.Key} {string.Join(',', Threads(role.Key, role.Value).Processors)}"));

    // As the program reads it.
    private static ThreadPlan Threads(string role, string[] words) => role switch
    {
        "hub" => Accept(HubPerfOptionTable.Instance, words).Threads,
        _ when role.StartsWith("source", StringComparison.Ordinal) => Accept(NIProvPerfOptionTable.Instance, words).Run.Threads,
        _ => Accept(UsersPerfOptionTable.Instance, words).Run.Threads,
    };

    private static T Accept<T>(OptionTable<T> table, string[] words)
        where T : class
    {
        ParsedCommandLine<T> parsed = table.Parse(words);
        Assert.Null(parsed.Problem);
        return parsed.Options!;
    }

    private Dictionary<string, string[]> Lines(UsersVariant variant, UsersOptions options, RampShare share, string usable)
    {
        RolePlace hub = new("localhost", 14_002, 14_003);
        UsersArguments arguments = new(variant, options, share, RunFolder.Open(_folder.Path, "users", DateTime.UtcNow, []))
        {
            Processors = UsersBinding.Assign(variant, options, share, Processors(usable)),
        };
        return share.Roles.ToDictionary(role => role, role => role == "hub" ? arguments.OfHub(14_003)
            : role.Split('-') is ["source", var source] ? arguments.OfSource(hub, int.Parse(source, null))
            : arguments.OfUsers(hub, int.Parse(role.Split('-')[1], null)));
    }
}
