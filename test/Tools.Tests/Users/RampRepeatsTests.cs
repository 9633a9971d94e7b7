using System.Runtime.InteropServices;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests.Users;

/// <summary><c>perftools run users --repeat</c>: ramps of a variant, one after the other.</summary>
[Trait("Category", "Fast")]
public sealed class RampRepeatsTests : IDisposable
{
    private const string Name = "users-low-base";

    private readonly RunDirectory _folder = new();
    private readonly StringWriter _output = new();
    private readonly RunSignals _signals = new();

    [Fact]
    public void Run_ThreeTimes_HasAFolderEachAndReportsThatOfTheMedianCapacity()
    {
        foreach (string earlier in new[] { ".", "run-1", "run-9" })
        {
            string place = Directory.CreateDirectory(Path.Combine(_folder.File(Name), earlier)).FullName;
            File.WriteAllText(Path.Combine(place, RunFile.Name), "of an earlier one");
        }

        RampRepeats repeats = Run(3, 300, 100, 200);
        Assert.Equal([("run-1", 300), ("run-2", 100), ("run-3", 200)], repeats.All.Select(one => (Path.GetFileName(one.Folder), one.Document.Capacity!.Users)));
        Assert.Equal(200, Assert.Single(repeats.Medians).Document.Capacity!.Users);
        Assert.Contains("\nTogether, 3 runs ", $"{_output}", StringComparison.Ordinal);
        Assert.Equal(["run-1", "run-2", "run-3"], Directory.GetFiles(_folder.Path, RunFile.Name, SearchOption.AllDirectories)
            .Select(file => Path.GetFileName(Path.GetDirectoryName(file))).Order());
    }

    [Fact]
    public void Run_TwoOfTwoVariants_ReportsTheLowerOfEach()
    {
        RampRepeats repeats = Run(2, 300, 100);
        repeats.Run("other", place => Finish(place, 70));
        Assert.Equal([100, 70], repeats.Medians.Select(one => one.Document.Capacity!.Users));
        Assert.Equal(4, repeats.All.Count);
    }

    [Fact]
    public void Run_Once_IsInTheFolderItself()
    {
        RampRepeats repeats = Run(1, 300);
        Assert.Equal(Name, Assert.Single(repeats.All).Folder);
        Assert.Same(repeats.All[0], Assert.Single(repeats.Medians));
        Assert.Empty($"{_output}");
    }

    [Fact]
    public void Run_OneThatFailed_IsNamedByItsFolder()
    {
        RampRepeats repeats = Create(2);
        repeats.Run(Name, place => Finish(place, 100, place.EndsWith('2') ? "users-1 ended with exit code 137" : null));
        Assert.Contains("\nTogether: nothing, as run-2 is FAILED: users-1 ended with exit code 137\n", $"{_output}", StringComparison.Ordinal);
    }

    [Fact]
    public void Run_Stopped_EndsWithTheRampInProgress()
    {
        RampRepeats repeats = Create(5);
        repeats.Run(Name, place =>
        {
            _signals.Receive(PosixSignal.SIGINT);
            return Finish(place, 100);
        });
        Assert.Equal($"{Name}/run-1", Assert.Single(repeats.All).Folder);
    }

    [Fact]
    public void Run_RankThatDoesNotJudge_RemovesNothingAndShowsNoFigures()
    {
        string earlier = Path.Combine(Directory.CreateDirectory(Path.Combine(_folder.File(Name), "run-9")).FullName, RunFile.Name);
        File.WriteAllText(earlier, "of the rank that judges");
        RampRepeats repeats = new(Suite, 2, Host) { IsFirst = false };
        repeats.Run(Name, place => Finish(place, 100));
        Assert.Equal(2, repeats.All.Count);
        Assert.True(File.Exists(earlier));
        Assert.Empty($"{_output}");
    }

    [Fact]
    public void Run_AfterTheLast_MakesNoFurtherRamp()
    {
        RampRepeats repeats = new(Suite, 5, Host) { IsLast = one => one.Document.Capacity!.Users == 7 };
        Queue<int> left = new([9, 8, 7, 6]);
        repeats.Run(Name, place => Finish(place, left.Dequeue()));
        Assert.Equal([9, 8, 7], repeats.All.Select(one => one.Document.Capacity!.Users));
    }

    // The suite's files have one ramp of each variant, its outcome is that of all.
    [Fact]
    public void WriteSuite_ARepeatThatFailed_IsTheOutcome()
    {
        FinishedVariant good = Finish(Name, 100);
        FinishedVariant bad = good with { Document = good.Document with { Reason = "the hub went", ExitCode = (int)ExitCode.Incomplete } };
        RunOutcome outcome = UsersFiles.WriteSuite(Suite, "users-low", [good], null, Host, [good, bad]);
        Assert.Equal((ExitCode.Incomplete, "run users-high base: the hub went"), (outcome.Code, outcome.Reason));
        Assert.Equal(ExitCode.Success, UsersFiles.WriteSuite(Suite, "users-low", [good], null, Host).Code);
    }

    [Theory]
    [InlineData("--repeat 0", "--repeat must be 1 to 1000")]
    [InlineData("--assert source.sendRate<1", "--assert: source: unknown role; the roles are hub, source-1, source-2, ... and users-1, users-2, ...")]
    [InlineData("--assert users-0.sendRate<1", "--assert: users-0: unknown role; the roles are hub, source-1, source-2, ... and users-1, users-2, ...")]
    public void Options_ThatCannotBe_AreRefused(string line, string problem) =>
        Assert.Equal(problem, OptionLines.Refuse(UsersSuite.All[0].Options, line));

    public void Dispose()
    {
        _signals.Dispose();
        _output.Dispose();
        _folder.Dispose();
    }

    private RunFolder Suite => RunFolder.Open(_folder.Path, "users-low", DateTime.UtcNow, []);

    private RunHost Host => new(new RunConsole(_output), _signals);

    private RampRepeats Create(int repeat) => new(Suite, repeat, Host);

    private RampRepeats Run(int repeat, params int[] capacities)
    {
        RampRepeats repeats = Create(repeat);
        Queue<int> left = new(capacities);
        repeats.Run(Name, place => Finish(place, left.Dequeue()));
        Assert.Empty(left);
        return repeats;
    }

    private FinishedVariant Finish(string place, int capacity, string? failure = null)
    {
        RunFolder folder = RunFolder.Open(_folder.File(place), Name, DateTime.UtcNow, UsersFiles.OfRamp);
        RampMergeTests.WritePart(folder.FullPath, RampMergeTests.CreatePeriods(), parts: 1);
        RunDocument run = UsersDuelTests.Document(1) with { Capacity = SuiteSamples.All[1].Document.Capacity! with { Users = capacity } };
        if (failure is not null)
            run = run with { Verdict = RunVerdict.Failed, Reason = failure };
        Assert.Null(RunFile.TryWrite(folder, run));
        return new(SuiteSamples.All[1].Variant with { Name = "base" }, place, run);
    }
}
