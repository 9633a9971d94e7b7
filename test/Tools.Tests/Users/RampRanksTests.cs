using PerfCommon.Tests;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>The start of a ramp on ranks whose wall clocks differ: here as two threads, one with a clock that is set by the test.</summary>
public sealed class RampRanksTests : IDisposable
{
    private static readonly RankPlacement Place = RankPlacement.TryParse("hub=0,source=0,users=0-1", ["hub", "source", "users"])!;

    private readonly RunDirectory _folder = new();
    private readonly List<string> _shown = [];

    [Theory]
    [InlineData(0)]
    [InlineData(3_600)]
    [InlineData(-86_400.25)]
    public void Synchronize_ClocksThatDiffer_BeginsAtOneMoment(double ahead)
    {
        using RampRanks zero = Create(0, 0), one = Create(1, ahead);
        using RoleGroup first = CreateGroup(), second = CreateGroup();
        DateTime? other = null;
        TestThread rank = new(() => other = one.WaitForAll(second) ? one.Synchronize(second, TimeSpan.FromSeconds(30), _ => { }) : null);
        rank.Start();
        DateTime? start = zero.WaitForAll(first) ? zero.Synchronize(first, TimeSpan.FromSeconds(30), _shown.Add) : null;
        rank.Join();

        Assert.True(start > DateTime.UtcNow, $"{start:O}");
        double error = one.Clock.ErrorMicros!.Value / 1e6;
        Assert.InRange(error, 0, 30);
        Assert.InRange((other!.Value - start!.Value).TotalSeconds, ahead - error - 0.001, ahead + error + 0.001);
        if (ahead == 0)
            Assert.Equal(start, other); // nothing is shifted by less than it may be wrong
        Assert.Equal((0.0, 0.0), (zero.Clock.OffsetMicros, zero.Clock.ErrorMicros));
        Assert.Equal(one.Clock.OffsetMicros, zero.Rendezvous.FindWallClock(1)!.OffsetMicros);
        Assert.Empty(_shown); // no warning of clocks that are apart
    }

    /// <summary>The rank of the hub ends its other roles once all users have left, and the hub only after the other ranks are done.</summary>
    [Fact]
    public void Serve_RankOfTheHub_KeepsTheHubUntilTheOthersAreDone()
    {
        using RampRanks zero = Create(0, 0), one = Create(1, 0);
        using RoleGroup group = CreateGroup();
        Start(group, "hub");
        Start(group, "source-1");
        TestThread rank = new(() => zero.Serve(group, new RampShare(HasHub: true, [1], [1], AllUsers: 2, Measures: true), TimeSpan.FromMinutes(2)));
        rank.Start();
        Await(() => one.Rendezvous.HaveLeft([0]));
        Assert.Equal((false, false), (group.Roles[0].HasExited, group.Roles[1].HasExited));
        one.Rendezvous.PublishLeft();
        Await(() => group.Roles[1].HasExited);
        Assert.Equal((false, true), (group.Roles[0].HasExited, rank.IsAlive));
        one.Rendezvous.PublishDone();
        rank.Join();
        Assert.Equal((false, null), (group.Roles[0].HasExited, group.Failure));
        group.EndAll();
        Assert.Equal((true, null), (group.Roles[0].HasExited, group.Failure));
    }

    /// <summary>A rank without the hub ends nothing: one with sources waits for the users, one with users alone does not wait.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Serve_RankWithoutTheHub_WaitsForUsersWhereItHasSources(bool hasSource)
    {
        using RampRanks zero = Create(0, 0), one = Create(1, 0);
        using RoleGroup group = CreateGroup();
        Start(group, "source-1");
        TestThread rank = new(() => one.Serve(group, new RampShare(HasHub: false, hasSource ? [1] : [], [2], AllUsers: 2, Measures: true),
            TimeSpan.FromMinutes(2)));
        rank.Start();
        Await(() => zero.Rendezvous.HaveLeft([1]));
        if (hasSource)
        {
            Assert.True(rank.IsAlive);
            zero.Rendezvous.PublishLeft();
        }

        rank.Join();
        Assert.Equal((false, null), (group.Roles[0].HasExited, group.Failure));
        group.EndAll();
    }

    [Fact]
    public void WaitForHub_OfAnotherRank_IsThePlaceThatItNamed()
    {
        using RampRanks zero = Create(0, 0), one = Create(1, 0);
        using RoleGroup group = CreateGroup();
        RolePlace hub = new("127.0.0.1", 4711, 4712);
        zero.Rendezvous.PublishPlace("hub", hub);
        Assert.Equal((hub, null), (one.WaitForHub(group), group.Failure));
    }

    [Fact]
    public void Serve_AfterAFailure_AnnouncesNothing()
    {
        using RampRanks zero = Create(0, 0), one = Create(1, 0);
        using RoleGroup group = CreateGroup();
        group.RecordFailure(new(ExitCode.Incomplete, "users-1 ended with exit code 5"));
        zero.Serve(group, new RampShare(HasHub: true, [1], [1], AllUsers: 2, Measures: true), TimeSpan.FromMinutes(2));
        Assert.False(one.Rendezvous.HaveLeft([0]));
    }

    public void Dispose() => _folder.Dispose();

    private static void Await(Func<bool> isReached) => Assert.True(SpinWait.SpinUntil(isReached, TimeSpan.FromMinutes(2)), "it never came");

    private void Start(RoleGroup group, string role) => Assert.NotNull(group.Start(
        new RoleCommand(role, "/bin/sh", ["-c", "echo 'Listening on port 4711'; cat; exit 143"]) { ReadyLine = "Listening on port ", Ending = RoleEnding.OnRequest },
        Path.Combine(_folder.Path, role + ".log")));

    private static RoleGroup CreateGroup() => new(new RunLimits { Run = TimeSpan.FromMinutes(2), Look = TimeSpan.FromMilliseconds(20) }, StopRequest.None);

    private RampRanks Create(int rank, double ahead) => new(
        Rendezvous.Join(_folder.Path, "a", ThisRank.Describe(rank, 2, [$"users-{rank + 1}"], "127.0.0.1")), Place,
        new() { MeetSeconds = 60, StartInSeconds = 60 }, new ShiftedTime(TimeSpan.FromSeconds(ahead)));

    private sealed class ShiftedTime(TimeSpan ahead) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + ahead;
    }
}
