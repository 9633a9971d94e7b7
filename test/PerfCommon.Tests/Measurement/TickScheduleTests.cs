using FsCheck;
using FsCheck.Fluent;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class TickScheduleTests
{
    private const long Second = Clock.NanosPerSecond;

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(300)]
    [InlineData(1000)]
    [InlineData(999_983)]
    public void TryTakeTick_AnyRate_PutsExactlyThatManyIntoEverySecond(int tickRate)
    {
        TickSchedule schedule = new(tickRate);
        schedule.Start(17);
        for (int second = 0; second < 3; second++)
        {
            int taken = 0;
            while (schedule.NextDueNanos < 17 + ((second + 1) * Second))
            {
                Assert.True(schedule.TryTakeTick(schedule.NextDueNanos, out TickInfo tick));
                Assert.Equal(taken++, tick.InSecond);
            }

            Assert.Equal(tickRate, taken);
            Assert.Equal(17 + ((second + 1) * Second), schedule.NextDueNanos);
        }
    }

    [Fact]
    public void TryTakeTick_RateThatDoesNotDivide_KeepsEachTickWithinOneNanosecond()
    {
        TickSchedule schedule = new(300);
        schedule.Start(0);
        for (long k = 0; k < 3_000; k++)
        {
            Assert.Equal((long)((Int128)k * Second / 300), schedule.NextDueNanos);
            schedule.TryTakeTick(schedule.NextDueNanos, out _);
        }
    }

    [Fact]
    public void TryTakeTick_BeforeDue_SaysNoAndChangesNothing()
    {
        TickSchedule schedule = new(1000);
        schedule.Start(500);
        Assert.False(schedule.TryTakeTick(499, out TickInfo none));
        Assert.Equal(default, none);
        Assert.True(schedule.TryTakeTick(500, out TickInfo first));
        Assert.Equal(new TickInfo(0, 0, 500, 0, 0), first);
        Assert.False(schedule.TryTakeTick(500 + 999_999, out _));
    }

    [Fact]
    public void TryTakeTick_LateByLessThanASecond_CatchesUpEveryTickWithItsLag()
    {
        TickSchedule schedule = new(10);
        schedule.Start(0);
        List<TickInfo> ticks = TakeAll(schedule, 950_000_000);
        Assert.Equal(10, ticks.Count);
        Assert.Equal(Enumerable.Range(0, 10).Select(k => 950_000_000L - (k * 100_000_000L)), ticks.Select(t => t.LagNanos));
        Assert.All(ticks, t => Assert.Equal(0, t.SkippedBefore));
    }

    [Fact]
    public void TryTakeTick_LateByMoreThanASecond_SkipsAndCountsWhatLiesFurtherBack()
    {
        TickSchedule schedule = new(10);
        schedule.Start(0);
        List<TickInfo> ticks = TakeAll(schedule, (3 * Second) + 250_000_000);

        // due at 2.3 .. 3.2 s are made up for; 0 .. 2.2 s are skipped
        Assert.Equal(10, ticks.Count);
        Assert.Equal(new TickInfo(23, 3, 2_300_000_000, 950_000_000, 23), ticks[0]);
        Assert.All(ticks.Skip(1), t => Assert.Equal(0, t.SkippedBefore));
        Assert.Equal(3_300_000_000, schedule.NextDueNanos);
    }

    [Fact]
    public void TryTakeTick_AnyJumpsOfTime_LosesNoTickUncounted()
    {
        Prop.ForAll<PositiveInt, PositiveInt[]>((rate, jumps) =>
        {
            int tickRate = (rate.Get % 300) + 1;
            TickSchedule schedule = new(tickRate);
            schedule.Start(0);
            long now = 0;
            long taken = 0; // or skipped
            foreach (PositiveInt jump in jumps)
            {
                now += jump.Get * 40_000_000L % (5 * Second);
                List<TickInfo> ticks = TakeAll(schedule, now);
                taken += ticks.Count + ticks.Sum(t => t.SkippedBefore);
                if (ticks.Any(t => t.LagNanos is < 0 or > Second || t.InSecond != t.Index % tickRate))
                    return false;
            }

            long due = jumps.Length == 0 ? 0 : (long)((Int128)now * tickRate / Second) + 1;
            return schedule.NextIndex == taken && Math.Abs(schedule.NextIndex - due) <= 1;
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(300).WithQuietOnSuccess(true));
    }

    [Fact]
    public void TryTakeTick_AfterWarmUp_AllocatesNothing()
    {
        TickSchedule schedule = new(1000);
        schedule.Start(0);
        schedule.TryTakeTick(0, out _);
        Allocation.None(() =>
        {
            for (int i = 0; i < 10_000; i++)
                schedule.TryTakeTick(schedule.NextDueNanos, out _);
        });
    }

    [Fact]
    public void Constructor_NoTicks_IsRefused() => Assert.Throws<ArgumentOutOfRangeException>(() => new TickSchedule(0));

    private static List<TickInfo> TakeAll(TickSchedule schedule, long nowNanos)
    {
        List<TickInfo> ticks = [];
        while (schedule.TryTakeTick(nowNanos, out TickInfo tick))
            ticks.Add(tick);
        return ticks;
    }
}
