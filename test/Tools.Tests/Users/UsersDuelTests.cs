using PerfCommon.Measurement;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;
using Tools.Tests.PerfToolsTests;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary><c>perftools duel</c> of a load of users, whose ramps are written files, and what it compares of them.</summary>
[Trait("Category", "Fast")]
public sealed class UsersDuelTests : IDisposable
{
    private const int SamplesOfStep = 400;

    private readonly RunDirectory _folder = new();
    private readonly StringWriter _output = new();
    private readonly RunSignals _signals = new();
    private readonly List<(string Folder, double BurstMax, int Period, string Steps)> _made = [];

    [Fact]
    public void Run_TwoHubs_ComparesTheLatencyOfTheLastStep()
    {
        RunOutcome outcome = Run("--steps 100,200,300 --period 7", "--pairs 2 --b '--set burstMax=0.1 --period 9' --fail p50>+10%");
        Assert.Equal(ExitCode.AssertionMissed, outcome.Code);
        Assert.StartsWith("duel: p50>+10%: p50 is +", outcome.Reason, StringComparison.Ordinal);
        Assert.Matches(@"\nlatency p50, us +3,[12]\d\d +13,[01]\d\d +\+3[01]\d\.\d % +0\.\d % +worse\n", $"{_output}");
        Assert.Matches(@"\nrate, messages/s +150 +150 +0\.0 % ", $"{_output}");
        Assert.Equal(["warm-up/b", "warm-up/a", "a/run-1", "b/run-1", "b/run-2", "a/run-2"], _made.Select(made => made.Folder));
        Assert.All(_made, made => Assert.Equal(made.Folder is ['a', ..] or [.., 'a'] ? (0, 7, "100,200,300") : (0.1, 9, "100,200,300"),
            (made.BurstMax, made.Period, made.Steps)));
        Assert.All((string[])["comparison.json", "comparison.md", "comparison.html"], file => Assert.True(File.Exists(_folder.File($"all/{file}")), file));
    }

    [Fact]
    public void Run_RampThatFails_EndsWithItsExitCode()
    {
        RunOutcome outcome = Run("", "", run => run with { Verdict = RunVerdict.Failed, Reason = "the hub went", ExitCode = (int)ExitCode.Incomplete });
        Assert.Equal((ExitCode.Incomplete, "duel: B: run users-low base: the hub went"), (outcome.Code, outcome.Reason));
        Assert.Single(_made);
    }

    [Theory]
    [InlineData("--a", "--set nothing=1", "--a: --set: nothing: unknown parameter; -help lists them")]
    [InlineData("--b", "--rate 5", "--b: --rate: unknown option; -help lists them")]
    [InlineData("--b", "--sweep burstMax=0.1,0.2", "--b: --sweep: unknown option; -help lists them")]
    [InlineData("--a", "'x", "--a: ''x' is not a list of options with every quote closed")]
    [InlineData("--b-tools", "/nowhere", "--b-tools: /nowhere/HubPerf.dll: no such file")]
    [InlineData("--a-tool", "hub=\"x\"", "--a-tool: a load of users has no roles of other editions")]
    public void Options_OfASideThatAreWrong_AreRefused(string option, string value, string problem)
    {
        ParsedCommandLine<DuelOptions> duel = DuelVerb.Options.Parse([option, value]);
        Assert.Equal(problem, duel.Problem ?? Load.FindProblem(new(), duel.Options!));
    }

    // The first process measures, the second only checks.
    [Fact]
    public void ReadStep_OfAProcess_HasWhatItMeasuredInThatStep()
    {
        string measuring = RampMergeTests.WritePart(Directory.CreateDirectory(_folder.File("one")).FullName, Periods(1_000), parts: 1);
        string checking = RampMergeTests.WritePart(Directory.CreateDirectory(_folder.File("two")).FullName, Periods(1_000), parts: 1, measures: false);
        RecordedRole role = new(measuring, RampMergeTests.RoleOf("users-1"));
        Assert.InRange(MedianOf(role, 2), 2_150, 2_250);
        Assert.InRange(MedianOf(role, 3), 3_150, 3_250);
        Assert.Null(role.ReadStep(4));
        Assert.Null(new RecordedRole(checking, RampMergeTests.RoleOf("users-2")).ReadStep(2));
    }

    public void Dispose()
    {
        _signals.Dispose();
        _output.Dispose();
        _folder.Dispose();
    }

    private static UsersDuel Load => UsersDuel.All.Single(load => load.Name == "users-low");

    private static double MedianOf(RecordedRole role, int step) => role.ReadStep(step)!.ReportedMicros(50, 10_000)!.Value;

    // Of each step as many samples, from a number of microseconds times the step on.
    private static Period[] Periods(int micros)
    {
        Period[] periods = RampMergeTests.CreatePeriods();
        foreach ((int step, Period period) in periods.Index())
        {
            for (int sample = 0; sample < SamplesOfStep; sample++)
            {
                period.Record((micros * (step + 1)) + sample);
                period.Updates++;
            }
        }

        return periods;
    }

    internal static RunDocument Document(int steps) => SampleFigures.Run with
    {
        Scenario = "users-low",
        Figures = SampleFigures.Good with { RateAsked = 150, RateReached = 150, LatencyMicros = SampleFigures.Good.LatencyMicros! with { Max = 20_000 } },
        Roles = [RampMergeTests.RoleOf("users-1")],
        Links = [],
        Steps = [.. Enumerable.Range(1, steps).Select(step => SuiteSamples.All[1].Document.Steps![0] with { Step = step })],
    };

    private RunOutcome Run(string line, string own, Func<RunDocument, RunDocument>? change = null)
    {
        UsersDuel users = new(UsersLoad.All[0])
        {
            MakeRun = (variant, options, folder) =>
            {
                string place = Path.GetRelativePath(_folder.File("all"), folder.FullPath).Replace('\\', '/');
                _made.Add((place, variant.Parameters.BurstMax, options.Period, variant.Steps.ToString()));
                RampMergeTests.WritePart(folder.FullPath, Periods(variant.Parameters.BurstMax > 0 ? 4_300 : 1_000), parts: 1);
                RunDocument run = Document(RampMergeTests.CreatePeriods().Length);
                run = change?.Invoke(run) ?? run;
                Assert.Null(RunFile.TryWrite(folder, run));
                return run;
            },
        };
        Assert.True(ArgumentText.TrySplit(own, out IReadOnlyList<string> words, out _));
        UsersOptions common = OptionLines.Accept(users.Options, line) with { Out = _folder.File("all") };
        return new DuelVerb(TextWriter.Null).Run(users, common, DuelVerb.Options.Parse([.. words]).Options!, new(new RunConsole(_output), _signals));
    }
}
