using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public sealed class RendezvousTests : IDisposable
{
    private readonly RunDirectory _folder = new();

    [Fact]
    public void Join_AllRanks_AreThereWithTheirDescriptions()
    {
        Rendezvous first = Join(0, 3);
        Assert.False(first.AreAllThere());
        Assert.Equal("ranks 1, 2 did not come", first.DescribeAbsent());
        Join(2, 3);
        Assert.False(first.AreAllThere());
        Assert.Equal("rank 1 did not come", first.DescribeAbsent());
        Join(1, 3);
        Assert.True(first.AreAllThere());
        Assert.Equal(["users-1"], first.There[1].Roles);
        Assert.Equal((null, null), (first.FindOtherVersion(), first.FindClockApart()));
    }

    [Fact]
    public void Join_ARankThatIsThere_IsRefusedAndLeavesTheFirst()
    {
        Join(1, 2);
        string path = Path.Combine(_folder.Path, "meet-a", "rank-1.json");
        string first = File.ReadAllText(path);
        SetupException refused = Assert.Throws<SetupException>(() => Join(1, 2));
        Assert.Equal(SetupProblem.NotStarted, refused.Problem);
        Assert.Equal($"rank 1 is there already ({path}): two processes have one rank, or an earlier run this --run-id", refused.Message);
        Assert.Equal(first, File.ReadAllText(path));
        Join(1, 2, "b"); // another run in the same folder
    }

    [Fact]
    public void FindOtherVersion_OfAnyRank_NamesBoth()
    {
        Rendezvous first = Join(0, 2, version: "1.2");
        Rendezvous.Join(_folder.Path, "a", Describe(1, 2, "1.3"));
        Assert.True(first.AreAllThere());
        Assert.Equal("rank 1 (host1) has version 1.3, rank 0 1.2: all must have the same", first.FindOtherVersion());
    }

    [Theory]
    [InlineData(1.9, false)]
    [InlineData(2.5, true)]
    [InlineData(-2.5, true)]
    public void FindClockApart_MoreThanTwoSeconds_IsTold(double seconds, bool isTold)
    {
        Rendezvous first = Join(0, 2), second = Join(1, 2);
        File.SetLastWriteTimeUtc(Path.Combine(_folder.Path, "meet-a", "rank-0.json"), first.Own.Utc.AddSeconds(100)); // the server's own clock
        File.SetLastWriteTimeUtc(Path.Combine(_folder.Path, "meet-a", "rank-1.json"), second.Own.Utc.AddSeconds(100 - seconds));
        Assert.True(first.AreAllThere());
        Assert.Equal(isTold ? "Warning: the clock of rank 1 is 2.5 s from that of rank 0" : null, first.FindClockApart()?.Split(';')[0]);
    }

    [Fact]
    public void FindStop_OfAnother_HasItsReason()
    {
        Rendezvous first = Join(0, 3), third = Join(2, 3);
        Assert.Null(first.FindStop());
        third.PublishStop(new RunFailure(ExitCode.Interrupted, "ended by Ctrl+C"));
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "ended by rank 2: ended by Ctrl+C"), first.FindStop());
        Assert.Null(third.FindStop()); // its own
    }

    [Theory]
    [InlineData("5", ExitCode.Incomplete)]
    [InlineData("7", ExitCode.OutputFile)]
    [InlineData("143", ExitCode.Incomplete)]
    [InlineData("0", ExitCode.InternalError)]
    [InlineData("77", ExitCode.InternalError)]
    [InlineData("-1", ExitCode.InternalError)]
    internal void FindStop_CodeOfAnother_IsOneOfOursOrThatOfADefect(string code, ExitCode expected)
    {
        Rendezvous first = Join(0, 2);
        File.WriteAllText(Path.Combine(_folder.Path, "meet-a", "stop-1"), $$"""{"code":{{code}},"reason":"x"}""");
        Assert.Equal(new RunFailure(expected, "ended by rank 1: x"), first.FindStop());
    }

    [Theory]
    [InlineData("{\"code\":5,\"rea")]
    [InlineData("{\"code\":5}")]
    [InlineData("{\"code\":99999999999,\"reason\":\"x\"}")]
    [InlineData("{\"code\":5,\"reason\":null}")]
    [InlineData("[[[[")]
    [InlineData("")]
    public void FindStop_FileThatIsNotWhole_IsLookedAtAgain(string text)
    {
        Rendezvous first = Join(0, 2);
        File.WriteAllText(Path.Combine(_folder.Path, "meet-a", "stop-1"), text);
        Assert.Null(first.FindStop());
    }

    [Fact]
    public void FindStop_FileOfAnotherThatIsNone_EndsTheRun()
    {
        Rendezvous first = Join(0, 2);
        string path = Path.Combine(_folder.Path, "meet-a", "stop-1");
        File.CreateSymbolicLink(path, "/dev/zero");
        SetupException refused = Assert.Throws<SetupException>(first.FindStop);
        Assert.Equal((SetupProblem.InputFile, $"{path}: cannot be read: it is a link"), (refused.Problem, refused.Message));
    }

    [Fact]
    public void Marks_OfRanks_AreSeenByOthers()
    {
        Rendezvous first = Join(0, 3), second = Join(1, 3);
        Assert.Equal((null, null), (first.FindPlace("hub"), first.FindStart()));
        DateTime start = new(2026, 11, 22, 10, 0, 0, 250, DateTimeKind.Utc);
        second.PublishPlace("hub", new RolePlace("10.0.0.2", 14002, 14003));
        second.PublishStart(new(start));
        Assert.Equal(new RolePlace("10.0.0.2", 14002, 14003), first.FindPlace("hub"));
        Assert.Equal(new(start), first.FindStart());
        second.PublishReady();
        second.PublishLeft();
        second.PublishDone();
        Assert.True(first.AreReady([1]) && first.HaveLeft([1]) && first.AreDone([1]));
        Assert.False(first.AreReady([1, 2]) || first.HaveLeft([0]) || first.AreDone([2]));
        Assert.Equal("rank 2 did not become ready: the hub must have all images, and every process with users must wait for the start",
            first.DescribeUnready([1, 2]));
    }

    public void Dispose() => _folder.Dispose();

    private Rendezvous Join(int rank, int ranks, string runId = "a", string version = "1") =>
        Rendezvous.Join(_folder.Path, runId, Describe(rank, ranks, version));

    private static RankDescription Describe(int rank, int ranks, string version) => new()
    {
        Rank = rank,
        Ranks = ranks,
        Host = $"host{rank}",
        Address = "127.0.0.1",
        Roles = [$"users-{rank}"],
        Utc = DateTime.UtcNow,
        ToolsVersion = version,
    };
}
