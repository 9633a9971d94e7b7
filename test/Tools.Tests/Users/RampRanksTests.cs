using PerfCommon.Tests;
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
        TestThread rank = new(() => other = one.WaitForAll(second) ? one.Synchronize(second, TimeSpan.FromSeconds(1), _ => { }) : null);
        rank.Start();
        DateTime? start = zero.WaitForAll(first) ? zero.Synchronize(first, TimeSpan.FromSeconds(1), _shown.Add) : null;
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

    public void Dispose() => _folder.Dispose();

    private static RoleGroup CreateGroup() => new(new RunLimits { Run = TimeSpan.FromMinutes(2), Look = TimeSpan.FromMilliseconds(20) }, StopRequest.None);

    private RampRanks Create(int rank, double ahead) => new(
        Rendezvous.Join(_folder.Path, "a", ThisRank.Describe(rank, 2, [$"users-{rank + 1}"], "127.0.0.1")), Place,
        new() { MeetSeconds = 60, StartInSeconds = 60 }, new ShiftedTime(TimeSpan.FromSeconds(ahead)));

    private sealed class ShiftedTime(TimeSpan ahead) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + ahead;
    }
}
