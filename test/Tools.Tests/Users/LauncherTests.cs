using PerfCommon;
using PerfTools.Hosting.Options;
using PerfTools.Machine;
using PerfTools.Ranks;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class LauncherTests
{
    private const string OpenMpi = "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=6";
    private const string Slurm = "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 SLURM_NTASKS=8 SLURM_JOB_ID=17 SLURM_STEP_ID=2";

    [Theory]
    [InlineData("PERFTOOLS_RANK=1 PERFTOOLS_RANKS=3 PERFTOOLS_RUN_ID=a", null, "1/3 a PERFTOOLS_RANK")]
    [InlineData(OpenMpi, "x", "3/6 x Open MPI")]
    [InlineData("PMI_RANK=0 PMI_SIZE=2", "x", "0/2 x MPICH or Intel MPI")]
    [InlineData(Slurm, null, "0/4 17.2 Slurm")]
    [InlineData("SLURM_PROCID=7 SLURM_NTASKS=8 SLURM_JOB_ID=17 SLURM_STEP_ID=0", null, "7/8 17.0 Slurm")]
    [InlineData("JOB_COMPLETION_INDEX=2 PERFTOOLS_RANKS=4 PERFTOOLS_RUN_ID=0f-1", null, "2/4 0f-1 Kubernetes")]
    [InlineData(OpenMpi + " " + Slurm, "x", "3/6 x Open MPI")] // mpirun within a job inherits a rank that is not its own
    [InlineData("PERFTOOLS_RANK=1 PERFTOOLS_RANKS=2 PERFTOOLS_RUN_ID=a " + OpenMpi + " " + Slurm, null, "1/2 a PERFTOOLS_RANK")]
    [InlineData("JOB_COMPLETION_INDEX=2 PERFTOOLS_RANKS=4 PERFTOOLS_RUN_ID=a " + Slurm, null, "0/4 17.2 Slurm")]
    [InlineData(Slurm, "own", "0/4 own Slurm")]
    public void Find_Auto_TakesTheFirstThatIsThere(string environment, string? runId, string expected)
    {
        RankIdentity found = Find("auto", runId, environment);
        Assert.Equal(expected, $"{found} {found.RunId} {found.Source.Split(" (")[0]}");
    }

    [Theory]
    [InlineData("PERFTOOLS_RANK=1", "PERFTOOLS_RANK: PERFTOOLS_RANK is there without PERFTOOLS_RANKS; one says nothing without the other")]
    [InlineData("PERFTOOLS_RANKS=3", "PERFTOOLS_RANK: PERFTOOLS_RANKS is there without PERFTOOLS_RANK; one says nothing without the other")]
    [InlineData("PERFTOOLS_RANKS=3 " + OpenMpi,
        "PERFTOOLS_RANK: PERFTOOLS_RANKS is there without PERFTOOLS_RANK; one says nothing without the other")]
    [InlineData("OMPI_COMM_WORLD_SIZE=3 " + Slurm,
        "Open MPI: OMPI_COMM_WORLD_SIZE is there without OMPI_COMM_WORLD_RANK; one says nothing without the other")]
    [InlineData("PMI_RANK=3", "MPICH or Intel MPI: PMI_RANK is there without PMI_SIZE; one says nothing without the other")]
    [InlineData("SLURM_NTASKS=3", "Slurm: SLURM_NTASKS is there without SLURM_PROCID; one says nothing without the other")]
    [InlineData("JOB_COMPLETION_INDEX=3",
        "Kubernetes: JOB_COMPLETION_INDEX is there without PERFTOOLS_RANKS; one says nothing without the other")]
    [InlineData("PMI_RANK=two PMI_SIZE=3", "MPICH or Intel MPI: PMI_RANK is 'two', no whole number")]
    [InlineData("PMI_RANK=3 PMI_SIZE=3", "MPICH or Intel MPI: PMI_RANK is 3 and PMI_SIZE 3")]
    [InlineData(OpenMpi, "Open MPI: --run-id must say what all ranks call the run")]
    [InlineData("SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_JOB_ID=17",
        "Slurm: --run-id or SLURM_JOB_ID and SLURM_STEP_ID must say what all ranks call the run")]
    [InlineData("", "--rank auto: no launcher has said which rank this is (PERFTOOLS_RANK, OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID, "
        + "JOB_COMPLETION_INDEX); give --rank i/n")]
    public void Find_AutoWithHalfOfIt_IsRefused(string environment, string problem) =>
        Assert.Equal(problem, Assert.Throws<SetupException>(() => Find("auto", null, environment)).Message);

    [Theory]
    [InlineData("2/6", "x", "2/6 x")]
    [InlineData("0/1", "a.b-c_1", "0/1 a.b-c_1")]
    public void Find_Given_LooksAtNoVariable(string asked, string runId, string expected)
    {
        RankIdentity found = Launcher.Find(asked, runId, name => throw new InvalidOperationException(name));
        Assert.Equal(expected, $"{found} {found.RunId}");
    }

    [Theory]
    [InlineData("2/6", null, "--rank: --run-id must say what all ranks call the run")]
    [InlineData("2/6", "../up", "--run-id: '../up' has other than letters, digits, dots, - and _, or more than 100 of them")]
    public void Find_GivenWithoutAName_IsRefused(string asked, string? runId, string problem) =>
        Assert.Equal(problem, Assert.Throws<SetupException>(() => Find(asked, runId, "")).Message);

    [Theory]
    [InlineData("hub=0,source=1,users=1-5", 6, "hub=0,source=1,users=1,users=2,users=3,users=4,users=5", null)]
    [InlineData("users=0,hub=0,source=0", 1, "hub=0,source=0,users=0", null)]
    [InlineData("hub=0,source=1-2,users=3,users=5", 6, "hub=0,source=1,source=2,users=3,users=5", null)]
    [InlineData("hub=0,source=1,users=1-6", 6, "hub=0,source=1,users=1,users=2,users=3,users=4,users=5,users=6",
        "--place: there is no rank 6 among 6")]
    [InlineData("hub=0,source=1", 6, "hub=0,source=1", "--place: no rank has the users")]
    [InlineData("users=0-2,source=0", 3, "source=0,users=0,users=1,users=2", "--place: no rank has the hub")]
    public void Place_IsReadAndChecked(string text, int ranks, string shown, string? problem)
    {
        RankPlacement place = UsersPlace.TryParse(text)!;
        Assert.Equal(shown, place.ToString());
        Assert.Equal(problem, place.FindProblem(ranks, []));
    }

    [Theory]
    [InlineData("hub")]
    [InlineData("hub=0-1,source=0,users=0")]
    [InlineData("huub=0")]
    [InlineData("users=2-1")]
    [InlineData("users=1-2-3")]
    [InlineData("users=-1")]
    [InlineData("users=99999")]
    public void Place_OfOtherForm_IsNone(string text) => Assert.Null(UsersPlace.TryParse(text));

    [Fact]
    public void Place_WithAnExternalHub_HasNoRankForIt()
    {
        Assert.Null(UsersPlace.Usual(3).Without(["hub"]).FindProblem(3, ["hub"]));
        Assert.Equal("--place: the hub is external and has no rank", UsersPlace.Usual(3).FindProblem(3, ["hub"]));
    }

    [Fact]
    public void Share_OfOneMachine_IsEverything() =>
        Assert.Equal("hub, source-1, source-2, users-1",
            string.Join(", ", RampShare.Of(UsersLoad.All[2].Base, UsersPlace.Usual(1), 0).Roles));

    [Fact]
    public void Share_OfEachRank_IsEveryRoleOnce()
    {
        UsersParameters parameters = UsersLoad.All[2].Base with { UsersProcesses = 2 };
        RampShare[] shares =
            [.. Enumerable.Range(0, 4).Select(rank => RampShare.Of(parameters, UsersPlace.TryParse("hub=0,source=1,users=1-3")!, rank))];
        Assert.Equal(["hub", "source-1, source-2, users-1, users-2", "users-3, users-4", "users-5, users-6"],
            shares.Select(share => string.Join(", ", share.Roles)));
        Assert.Equal([false, true, false, false], shares.Select(share => share.Measures));
        Assert.All(shares, share => Assert.Equal(6, share.AllUsers));
    }

    [Fact]
    public void Estimate_OfALargeRamp_IsToldWhenItExceedsWhatIsFree()
    {
        UsersVariant variant = new UsersVariant(UsersLoad.All[0], "base", UsersLoad.All[0].Base,
            StepList.TryParse("100,10000")!).WithProcesses(isFull: true, machines: 1);
        long needed = RampMemory.Estimate(variant, RampShare.Of(variant.Parameters, UsersPlace.Usual(1), 0));
        // hub, source, two processes with users
        Assert.Equal((10_000L * ((20 + 10) * 1_024 + (2 * 2 * 64))) + (4 * 64 * 1_048_576L), needed);
        UsersVariant encrypted = variant with { Parameters = variant.Parameters with { ConnType = "encrypted" } };
        Assert.Equal(needed + (10_000L * (45 + 110) * 1_024), RampMemory.Estimate(encrypted, RampShare.Of(encrypted.Parameters, UsersPlace.Usual(1), 0)));
        Assert.Null(RampMemory.FindShortage(needed, null));
        Assert.Null(RampMemory.FindShortage(needed, needed));
        Assert.Equal("Warning: the last step will need about 551 MB of memory here, 100 MB are free.",
            RampMemory.FindShortage(needed, 100 * 1_048_576));
        Assert.Equal(8_024_532L * 1_024, FreeMemory.Parse("MemTotal: 1 kB\nMemAvailable:    8024532 kB\n"));
        Assert.Null(FreeMemory.Parse("MemTotal: 1 kB\n"));
    }

    private static RankIdentity Find(string asked, string? runId, string environment)
    {
        Dictionary<string, string> variables = environment.Split(' ',
            StringSplitOptions.RemoveEmptyEntries).Select(pair => pair.Split('=')).ToDictionary(pair => pair[0], pair => pair[1]);
        return Launcher.Find(asked, runId, variables.GetValueOrDefault);
    }
}
