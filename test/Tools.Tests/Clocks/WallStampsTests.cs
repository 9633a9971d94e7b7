using PerfTools.Hosting.Clocks;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Stamps of a wall clock mapped to the clock that is never set, by clocks of which the truth is known.</summary>
public sealed class WallStampsTests
{
    private const int Seeds = 10_000;
    private const long LongestRead = 2_000;

    [Fact]
    public void Next_AnyDelays_HoldsTheTruth()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            FakeClocks clocks = new(seed);
            WallStamps stamps = new(clocks.Read);
            for (int i = 0; i < 5; i++)
            {
                (long own, long wall) = clocks.Stamp();
                WallLead lead = stamps.Next();
                Assert.True(lead.Covers(wall));
                Assert.InRange(own, lead.EarliestOf(wall), lead.LatestOf(wall));
                Assert.InRange(lead.LatestOf(wall) - lead.EarliestOf(wall), 0, 4 * LongestRead);
            }
        }
    }

    // Half of the time of a reading is its error, either way.
    [Fact]
    public void Next_ReadingsThatTakeLong_AddTheirWholeTime()
    {
        WallReading[] readings = [new(1_000, 51_100, 1_200), new(2_000, 52_300, 2_400)];
        int next = 0;
        WallLead lead = new WallStamps(() => readings[next++]).Next();
        Assert.True(lead.IsSteady);
        Assert.Equal((1_600 - 200, 1_600 + 200), (lead.EarliestOf(51_700), lead.LatestOf(51_700))); // the second one: 50,100 +- 200 ahead
    }

    [Theory]
    [InlineData(1_000_000_000)]
    [InlineData(-1_000_000_000)]
    [InlineData(20_000)]
    [InlineData(-20_000)]
    public void Next_WallClockSetBetween_CoversNoStamp(long step)
    {
        for (int seed = 0; seed < 1_000; seed++)
        {
            FakeClocks clocks = new(seed);
            WallStamps stamps = new(clocks.Read);
            (_, long before) = clocks.Stamp();
            clocks.Set(step);
            (_, long after) = clocks.Stamp();
            WallLead lead = stamps.Next();
            Assert.Equal((false, false, false), (lead.IsSteady, lead.Covers(before), lead.Covers(after)));

            (long own, long wall) = clocks.Stamp(); // from here on by the time that was set
            WallLead next = stamps.Next();
            Assert.True(next.Covers(wall));
            Assert.InRange(own, next.EarliestOf(wall), next.LatestOf(wall));
        }
    }

    // A setting that no reading shows is within what they leave open, before it and after.
    [Fact]
    public void Next_WallClockSetByLittle_HoldsTheTruthOrCoversNothing()
    {
        int covered = 0;
        for (int seed = 0; seed < Seeds; seed++)
        {
            FakeClocks clocks = new(seed);
            WallStamps stamps = new(clocks.Read);
            (long Own, long Wall) before = clocks.Stamp();
            clocks.Set((seed % 400) - 200);
            (long Own, long Wall) after = clocks.Stamp();
            WallLead lead = stamps.Next();
            foreach ((long own, long wall) in new[] { before, after })
            {
                if (!lead.Covers(wall))
                    continue;
                covered++;
                Assert.InRange(own, lead.EarliestOf(wall), lead.LatestOf(wall));
            }
        }

        Assert.InRange(covered, Seeds / 2, 2 * Seeds);
    }

    // Of a stamp that was made before the first reading it is not known whether the wall clock was set since.
    [Fact]
    public void Covers_StampFromBeforeBothReadings_IsNone()
    {
        FakeClocks clocks = new(1);
        WallStamps stamps = new(clocks.Read);
        (_, long old) = clocks.Stamp();
        clocks.Set(1_000_000);
        stamps.Next();
        Assert.False(stamps.Next().Covers(old));
    }

    [Fact]
    public void Take_ThreeReadings_ReturnsTheClosest()
    {
        long[] own = [0, 900, 1_000, 1_080, 2_000, 2_500];
        long[] wall = [5_000, 6_000, 7_000];
        (int nextOwn, int nextWall) = (0, 0);
        Assert.Equal(new WallReading(1_000, 6_000, 1_080), WallReading.Take(() => own[nextOwn++], () => wall[nextWall++]));
    }

    /// <summary>A clock that is never set, and one that is; each read takes a random time.</summary>
    private sealed class FakeClocks(int seed)
    {
        private readonly Random _random = new(seed);
        private long _own = 777_000_000_000;
        private long _ahead = 1_700_000_000_000_000_000 + seed;

        public WallReading Read() => new(Pass(), Pass() + _ahead, Pass());

        public (long Own, long Wall) Stamp()
        {
            _own += _random.Next(50_000);
            long own = Pass();
            _own += _random.Next(50_000);
            return (own, own + _ahead);
        }

        public void Set(long step) => _ahead += step;

        private long Pass() => _own += _random.NextInt64(LongestRead);
    }
}
