using System.Text.Json;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Search;
using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary><c>perftools search users-low</c> with ramps that are figures only, a new hub for each.</summary>
public sealed class UsersSearchTests : IDisposable
{
    private const int Limit = 3_000;

    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly RunSignals _signals = new();
    private readonly List<(UsersVariant Variant, UsersOptions Options)> _made = [];

    [Fact]
    public void Run_OfAHubWithALimit_FindsTheNumberOfUsers()
    {
        Assert.Equal(ExitCode.Success, Run("--curve", "--set subscriptions=4").Code);
        Assert.Matches(@"\nFOUND  2,9\d0 users \[[\d,]+, [\d,]+\], 95 % confidence\n", Shown);
        Assert.Matches(@"limit +at 3,0\d0: avg<100ms: avg is 400ms\n", Shown);
        Assert.Contains("latency from the time sent", Shown, StringComparison.Ordinal);
        Assert.All(_made, made => Assert.Equal((1, 4), (made.Variant.Steps.Totals.Count, made.Variant.Parameters.Subscriptions)));
        Assert.Equal([500, 1_000, 2_000, 4_000, 4_000], _made.Take(5).Select(made => made.Variant.Steps.Totals[0]));
        Assert.All(_made.TakeLast(11), made => Assert.Equal(LoadCurve.MinSeconds, made.Options.Period));
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("all/search.json")));
        JsonElement asked = json.RootElement.GetProperty("asked");
        Assert.Equal(("users-low", "users", "users", "sent"), (json.RootElement.GetProperty("scenario").GetString(), asked.GetProperty("over").GetString(),
            asked.GetProperty("unit").GetString(), asked.GetProperty("stamp").GetString()));
        Assert.Equal("4", json.RootElement.GetProperty("inputs").GetProperty("parameters").GetProperty("subscriptions").GetString());
        Assert.Equal("hub", json.RootElement.GetProperty("runs")[0].GetProperty("figures").GetProperty("roles")[0].GetProperty("name").GetString());
        Assert.True(File.Exists(_folder.PathOf("all/search.html")));
    }

    [Fact]
    public void Run_ManyUsers_HaveAProcessForEachFiveThousand()
    {
        Run("--from 20000 --budget 20s", "");
        Assert.Equal((20_000, 4), (_made[0].Variant.Steps.Totals[0], _made[0].Variant.Parameters.UsersProcesses));
    }

    [Fact]
    public void Run_OfAnyOutput_HasTheCapacityAsNumbers()
    {
        Run("", $"--junit {_folder.PathOf("j.xml")}");
        string junit = File.ReadAllText(_folder.PathOf("j.xml"));
        Assert.Matches("<property name=\"capacity\" value=\"29\\d0\" />", junit);
        Assert.Contains("<property name=\"capacity.low\"", junit, StringComparison.Ordinal);
        Assert.Contains("name=\"avg&lt;100ms, rate&gt;99%\"", junit, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(500, 95, "simulator at its limit", 0)] // kept: that the simulator was busy is no matter
    [InlineData(3_500, 95, "simulator at its limit", 1)]
    [InlineData(3_500, 50, "machine busy", 0)]
    public void Read_BusySimulator_DropsWhatIsMissed(int users, double usersCpu, string disturbance, int dropped)
    {
        SearchSample sample = new UsersCandidateReader(Threshold.TryParseList("avg<100ms", UsersCandidateReader.Metrics)!)
            .Read(users, RunOf(users, step => step with { UsersCpuMax = usersCpu }), "01", 7);
        Assert.Equal((users <= Limit, dropped == 1 ? disturbance : null), (sample.IsKept, sample.Disturbance));
    }

    [Theory]
    [InlineData("p99<1ms", null, "p99<1ms: p99 is not known")]
    [InlineData("cpu<50", 70.0, "cpu<50: cpu is 70")]
    [InlineData("cpu<80", 70.0, null)]
    [InlineData("rate>=100%,lost<1", null, null)]
    public void Read_Thresholds_AreOfTheStep(string until, double? figure, string? reason)
    {
        SearchSample sample = new UsersCandidateReader(Threshold.TryParseList(until, UsersCandidateReader.Metrics)!)
            .Read(500, RunOf(500, step => step with { P99 = null, Hub = step.Hub with { CpuPercent = figure } }), "01", 7);
        Assert.Equal(reason, sample.Reason);
        Assert.Equal(reason is null, sample.IsKept);
    }

    [Fact]
    public void Read_UsersThatAreNotIn_AreMissedAndMachineBusyIsDropped()
    {
        UsersCandidateReader reader = new(SearchOptions.DefaultsOfUsers.Until);
        SearchSample few = reader.Read(500, RunOf(500, step => step with { UsersIn = 400 }) with { Verdict = RunVerdict.Slow, Reason = "slow" }, "01", 7);
        Assert.Equal((false, "400 of 500 users in", null), (few.IsKept, few.Reason, few.Disturbance));
        SearchSample busy = reader.Read(500, RunOf(500, step => step with { ForeignPercent = 45 }), "01", 7);
        Assert.Equal("machine busy: other processes used 45 % of the CPU", busy.Disturbance);
        SearchSample none = reader.Read(500, RunOf(500, step => step) with { Steps = null, Verdict = RunVerdict.Failed, Reason = "users lost" }, "01", 7);
        Assert.Equal((false, "users lost", null), (none.IsKept, none.Reason, none.Figures));
    }

    // More workers than any machine has processors.
    [Fact]
    public void Run_BoundWithTooFewProcessors_SaysItOnce()
    {
        Run("", "--bind auto --set users-processes=1000 --set usersThreads=8 --set sessionThreads=1 --set sourceThreads=0");
        Assert.True(_made.Count > 1);
        Assert.StartsWith("Warning: --bind auto: 8002 workers need a processor each, ",
            Assert.Single(Shown.Split('\n'), line => line.Contains("--bind", StringComparison.Ordinal)), StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _signals.Dispose();
        _output.Dispose();
        _folder.Dispose();
    }

    private string Shown => $"{_output}";

    private RunOutcome Run(string own, string others)
    {
        UsersSearch search = new(UsersLoad.Of("users-low"))
        {
            MakeRun = (variant, options, _) =>
            {
                _made.Add((variant, options));
                return RunOf(variant.Steps.Totals[0], step => step);
            },
        };
        static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        ParsedCommandLine<SearchOptions> asked = UsersSearch.SearchTable.Parse(["--fresh", .. Words(own)]);
        ParsedCommandLine<UsersOptions> options = search.Options.Parse([.. Words(others), "--out", _folder.PathOf("all")]);
        Assert.Null(asked.Problem ?? options.Problem ?? asked.Options!.FindProblemOfUsers());
        return search.Run(options.Options!, asked.Options!, new(new RunConsole(_output), _signals),
            new SearchVerb(TextWriter.Null) { Clock = new SteppingClock(), ReadClocks = () => default });
    }

    // A hub that answers in time up to a number of users, each with two updates in four seconds.
    internal static RunDocument RunOf(int users, Func<StepRow, StepRow> change)
    {
        const int Seconds = 4;
        long received = users * Seconds;
        return SampleFigures.Run with
        {
            Verdict = RunVerdict.Ok,
            Reason = null,
            ExitCode = 0,
            Roles = [.. SampleFigures.Run.Roles.Select(role => role with { Name = role.Name == "provider" ? "hub" : "users-1" })],
            Steps =
            [
                change(new()
                {
                    Scenario = "users-low",
                    Variant = "base",
                    Step = 1,
                    Utc = new(2026, 11, 26, 9, 0, 0, DateTimeKind.Utc),
                    UsersAsked = users,
                    UsersIn = users,
                    Seconds = Seconds,
                    Expected = received,
                    Received = received,
                    Samples = received,
                    SumMicros = received * (users <= Limit ? 20_000 : 400_000),
                    MinMicros = 100,
                    MaxMicros = 500_000,
                    P50 = 15_000,
                    P99 = 50_000,
                    Hub = new() { CpuPercent = 30 },
                }),
            ],
        };
    }
}
