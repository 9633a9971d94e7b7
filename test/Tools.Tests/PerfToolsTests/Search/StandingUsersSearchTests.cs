using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Search;
using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary><c>perftools search users-low</c> with roles that stay up: those of a test, and once those of the programs.</summary>
public sealed class StandingUsersSearchTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly RunSignals _signals = new();
    private readonly List<StandIn> _standing = [];
    private readonly List<int> _ramps = [];

    [Fact]
    public void Run_WithoutFresh_SetsTheUsersOfOneRun()
    {
        Assert.Equal(ExitCode.Success, Run("", new(3_000)).Code);
        Assert.Matches(@"\nFOUND  2,9\d0 users \[", $"{_output}");
        Assert.Contains("; roles stayed up\n", $"{_output}", StringComparison.Ordinal);
        Assert.Empty(_ramps);
        StandIn only = Assert.Single(_standing);
        Assert.True(only.HasEnded);
        Assert.Equal((5_000, 1), (only.Variant.Steps.Totals[0], only.Variant.Parameters.UsersProcesses));
        Assert.Equal([500, 1_000, 2_000, 4_000, 4_000], only.Asked.Take(5).Select(UsersOf));
        Assert.Equal(only.Asked.Count, only.Asked.Select(asked => asked.Period).Distinct().Count());
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("all/search.json")));
        Assert.False(json.RootElement.GetProperty("asked").GetProperty("fresh").GetBoolean());
        Assert.All(json.RootElement.GetProperty("runs").EnumerateArray(), run => Assert.Equal("01-standing", run.GetProperty("folder").GetString()));
    }

    [Fact]
    public void Run_WithoutFresh_WarmsUpNewRolesAndAfterAMiss()
    {
        Run("", new(3_000));
        IReadOnlyList<StandingMeasurement> asked = _standing[0].Asked;
        Assert.Equal([true, false, false, false, true], asked.Take(5).Select(one => one.WarmsUp));
        Assert.All(asked.Zip(asked.Skip(1)), pair => Assert.Equal(UsersOf(pair.First) > 3_000, pair.Second.WarmsUp));
    }

    [Fact]
    public void Run_MoreUsersThanRolesWereStartedFor_StartsOthers()
    {
        Run("--from 4000", new(30_000));
        Assert.Equal([8_000, 32_000], _standing.Select(one => one.Variant.Steps.Totals[0]));
        Assert.Equal([2, 7], _standing.Select(one => one.Variant.Parameters.UsersProcesses));
        Assert.All(_standing, one => Assert.True(one.HasEnded));
        Assert.Equal([4_000, 8_000], _standing[0].Asked.Select(UsersOf));
        Assert.Equal([16_000, 32_000], _standing[1].Asked.Take(2).Select(UsersOf));
    }

    [Fact]
    public void Run_UsersThatWereLost_HaveNewRolesAfterThem()
    {
        Run("", new(3_000) { LosesUsers = true });
        Assert.Equal([500, 1_000, 2_000, 4_000], _standing[0].Asked.Select(UsersOf));
        Assert.All(_standing, one => Assert.True(one.HasEnded));
        Assert.All(_standing, one => Assert.All(one.Asked.SkipLast(1), asked => Assert.InRange(UsersOf(asked), 1, 3_000)));
        Assert.Matches(@"limit +at 3,\d\d0: 1 users lost\n", $"{_output}");
    }

    [Fact]
    public void Run_RolesThatDoNotAnswer_AreStartedAnewForEachNumber()
    {
        Assert.Equal(ExitCode.Success, Run("", new(3_000) { FailsFrom = 2_000 }).Code);
        Assert.Equal([500, 1_000, 2_000], Assert.Single(_standing).Asked.Select(UsersOf));
        Assert.True(_standing[0].HasEnded);
        Assert.Equal([2_000, 4_000, 4_000], _ramps.Take(3));
        Assert.Matches(@"\nFOUND  2,9\d0 users \[", $"{_output}");
    }

    [Fact]
    public void Run_RolesThatDoNotStart_AreStartedAnewForEachNumber()
    {
        Assert.Equal(ExitCode.Success, Run("", new(3_000) { EndsWith = ExitCode.NotStarted }).Code);
        Assert.Equal(500, UsersOf(Assert.Single(_standing).Asked.Single()));
        Assert.Equal([500, 1_000], _ramps.Take(2));
    }

    [Fact]
    public void Run_Interrupted_ReportsWhatItKnows()
    {
        RunOutcome outcome = Run("", new(3_000) { EndsWith = ExitCode.Interrupted });
        Assert.Equal(ExitCode.Interrupted, outcome.Code);
        Assert.Empty(_ramps);
    }

    [Fact]
    public void Run_CountsThatDoNotAddUp_AreAFailure()
    {
        RunOutcome outcome = Run("", new(3_000) { IsUneven = true });
        Assert.Equal((ExitCode.Incomplete, "search users-low: run users-low: uneven"), (outcome.Code, outcome.Reason));
    }

    [Fact]
    public void Run_Fresh_HasARampForEachNumber()
    {
        Run("--fresh", new(3_000));
        Assert.Empty(_standing);
        Assert.Equal([500, 1_000, 2_000, 4_000, 4_000], _ramps.Take(5));
        Assert.Contains("; roles anew for each\n", $"{_output}", StringComparison.Ordinal);
    }

    // A busy machine drops runs or misses them, so what is found is open; what has to be there is one run whose users were set.
    [Fact]
    public async Task Run_OfThePrograms_SetsTheUsersOfOneHub()
    {
        (int code, string output, string error) = await PerfToolsRuns.Run("search", "users-low", "--until", "lost<1", "--from", "20", "--set", "subjects=100",
            "--period", "2", "--settle", "0", "--warmup", "1", "--budget", "30s", "--out", _folder.PathOf("all"));
        Assert.True(code is 0 or 5 or 6, error);
        Assert.Matches(@"\n +1  bracket +20  (kept|missed|dropped) ", output);
        RunDocument standing = RunFile.Read(_folder.PathOf("all/01-standing/run.json"));
        Assert.Equal(["hub", "source-1", "users-1"], standing.Roles.Select(role => role.Name));
        Assert.All(standing.Links, link => Assert.NotEqual(false, link.Balanced));
        Assert.Contains(standing.Changes!, change => change is { Role: "users-1", Name: "users", Value: "20" });
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("all/search.json")));
        JsonElement first = json.RootElement.GetProperty("runs")[0];
        Assert.Equal("01-standing", first.GetProperty("folder").GetString());
        Assert.Equal(40, first.GetProperty("figures").GetProperty("sent").GetInt64()); // due to 20 users in two seconds
        Assert.Equal(3, first.GetProperty("figures").GetProperty("roles").GetArrayLength());
        Assert.False(File.Exists(_folder.PathOf("all/01-standing/control.token")));
    }

    public void Dispose()
    {
        _signals.Dispose();
        _output.Dispose();
        _folder.Dispose();
    }

    private static int UsersOf(StandingMeasurement asked) => asked.Variant.Steps.Totals[0];

    private RunOutcome Run(string line, Behaviour behaviour)
    {
        UsersSearch search = new(UsersLoad.Of("users-low"))
        {
            MakeRun = (variant, _, _) =>
            {
                _ramps.Add(variant.Steps.Totals[0]);
                return UsersSearchTests.RunOf(variant.Steps.Totals[0], step => step);
            },
            MakeStanding = (variant, _, _, _) =>
            {
                _standing.Add(new(variant, behaviour));
                return _standing[^1];
            },
        };
        ParsedCommandLine<SearchOptions> asked = UsersSearch.SearchTable.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        ParsedCommandLine<UsersOptions> options = search.Options.Parse(["--out", _folder.PathOf("all")]);
        Assert.Null(asked.Problem ?? options.Problem ?? asked.Options!.FindProblemOfUsers());
        return search.Run(options.Options!, asked.Options!, new(new RunConsole(_output), _signals),
            new SearchVerb(TextWriter.Null) { Clock = new SteppingClock(), ReadClocks = () => default });
    }

    // Up to how many users the hub answers in time, and what is wrong with it.
    private sealed record Behaviour(int Limit)
    {
        public bool LosesUsers { get; init; }
        public int FailsFrom { get; init; } = int.MaxValue;
        public ExitCode? EndsWith { get; init; }
        public bool IsUneven { get; init; }
    }

    private sealed class StandIn(UsersVariant variant, Behaviour behaviour) : IStandingUsers
    {
        public UsersVariant Variant => variant;

        public List<StandingMeasurement> Asked { get; } = [];

        public bool HasEnded { get; private set; }

        public RunDocument? Ended => behaviour.EndsWith is null ? null : End();

        public RunDocument? Measure(StandingMeasurement asked)
        {
            Assert.False(HasEnded);
            Asked.Add(asked);
            int users = UsersOf(asked);
            if (behaviour.EndsWith is not null)
                return null;
            if (users >= behaviour.FailsFrom)
                throw new SetupException(SetupProblem.NotStarted, "users-1: takes no changes");
            RunDocument run = UsersSearchTests.RunOf(users, step => step with
            {
                SumMicros = step.Received * (users <= behaviour.Limit ? 20_000 : 400_000),
                Lost = behaviour.LosesUsers && users > behaviour.Limit ? 1 : 0,
            });
            return run.Steps![0].IsOk ? run : run with { Verdict = RunVerdict.Slow, Reason = "slow" };
        }

        public RunDocument End()
        {
            HasEnded = true;
            RunDocument run = SampleFigures.Run;
            if (behaviour.EndsWith is { } code)
                return run with { Verdict = code.IsOfSignal() ? RunVerdict.Interrupted : RunVerdict.Failed, Reason = "ended", ExitCode = (int)code };
            return behaviour.IsUneven ? run with
            {
                Verdict = RunVerdict.Failed,
                Reason = "uneven",
                ExitCode = (int)ExitCode.Incomplete,
                Links = [run.Links[0] with { Received = run.Links[0].Received - 1, Comparable = true }],
            } : run;
        }

        public void Dispose()
        {
        }
    }
}
