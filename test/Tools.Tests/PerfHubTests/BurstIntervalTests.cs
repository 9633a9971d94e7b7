using PerfCommon.Measurement;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

[Trait("Category", "Fast")]
public class BurstIntervalTests
{
    [Theory]
    [InlineData(100, 500, 50, 100, 4, 150)] // grows
    [InlineData(100, 500, 50, 150, 3, 150)] // three are not more than three
    [InlineData(100, 500, 50, 150, 1, 150)]
    [InlineData(100, 500, 50, 150, 0, 100)] // none
    [InlineData(100, 500, 50, 100, 0, 100)] // at the least
    [InlineData(100, 500, 50, 500, 1000, 500)] // at the greatest
    [InlineData(100, 500, 50, 480, 4, 500)] // cut at the greatest
    [InlineData(100, 500, 50, 120, 0, 100)] // cut at the least
    [InlineData(0, 25, 10, 0, 4, 10)] // from nothing
    [InlineData(0, 25, 10, 10, 4, 20)]
    [InlineData(0, 25, 10, 20, 4, 25)]
    [InlineData(100, 100, 50, 100, 1000, 100)] // fixed
    [InlineData(100, 100, 50, 100, 0, 100)]
    [InlineData(100, 500, 0, 100, 1000, 100)] // step 0
    [InlineData(100, 500, 0, 100, 0, 100)]
    [InlineData(0, 0, 10, 0, 1000, 0)] // off
    [InlineData(0, 0, 10, 0, 0, 0)]
    public void Next_OfEveryCase_IsThatOfTheTable(int min, int max, int increment, int before, int updates, int after) =>
        Assert.Equal(Millis(after), BurstInterval.Next(Settings(min, max, increment), Millis(before), updates));

    [Fact]
    public void Note_FourInAWindowOfTheIncrement_BeginsToWait()
    {
        BurstSettings settings = Settings(0, 25, 10);
        BurstInterval interval = default;
        interval.Record(settings, Millis(1_000), 4);
        interval.AdvanceWindows(settings, Millis(1_010) - 1);
        Assert.Equal(0, interval.Nanos);
        interval.AdvanceWindows(settings, Millis(1_010));
        Assert.Equal(Millis(10), interval.Nanos);
    }

    [Fact]
    public void PassWindows_FourQuietOnes_GoBackToNothing()
    {
        BurstSettings settings = Settings(0, 25, 10);
        BurstInterval interval = Grown(settings, 25);
        Assert.Equal([15, 5, 0, 0], Enumerable.Range(0, 4).Select(_ => PassOne(ref interval, settings)));
    }

    [Fact]
    public void PassWindows_SevenQuietOnesAtOnce_AreTakenOffTogether()
    {
        BurstSettings settings = Settings(100, 500, 50);
        BurstInterval interval = Grown(settings, 500);
        long end = interval.EdgeAfter(_now, 0); // of the window in which nothing came: then 500, 450, 400, 350, 300, 250 follow
        interval.AdvanceWindows(settings, end + Millis(450 + 400 + 350 + 300 + 250 + 200));
        Assert.Equal(Millis(150), interval.Nanos);
    }

    [Fact]
    public void PassWindows_AYearOfQuiet_CostsNothing()
    {
        BurstSettings settings = Settings(0, 25, 10);
        BurstInterval interval = Grown(settings, 25);
        interval.AdvanceWindows(settings, _now + (365L * 24 * 3600 * Clock.NanosPerSecond));
        Assert.Equal(0, interval.Nanos);
    }

    [Fact]
    public void Settings_ChangedWhileRunning_HoldFromTheNextWindowOn()
    {
        BurstInterval interval = Grown(Settings(100, 500, 50), 500);
        BurstSettings lower = Settings(0, 20, 10);
        interval.Record(lower, _now + 1, 9);
        Assert.Equal(Millis(500), interval.Nanos);
        interval.AdvanceWindows(lower, interval.EdgeAfter(_now, 0));
        Assert.Equal(Millis(20), interval.Nanos);
        interval.AdvanceWindows(BurstSettings.Off, interval.EdgeAfter(_now + Millis(500), 0));
        Assert.Equal(0, interval.Nanos);
    }

    // The interval is always within its bounds, and what waits for the end of its phase never waits longer than it.
    [Fact]
    public void AnySequence_StaysWithinItsBounds()
    {
        for (int seed = 0; seed < 2_000; seed++)
        {
            Random random = new(seed);
            int max = random.Next(0, 500);
            BurstSettings settings = Settings(random.Next(0, max + 1), max, random.Next(0, 60));
            BurstInterval interval = default;
            long now = Millis(random.Next(1, 1_000));
            for (int step = 0; step < 60; step++)
            {
                now += Millis(random.Next(0, random.Next(2) == 0 ? 5 : 700)) + random.Next(1_000);
                interval.Record(settings, now, random.Next(0, 9));
                long least = settings.IsOn ? settings.MinNanos : 0;
                Assert.True(interval.Nanos >= least && interval.Nanos <= settings.MaxNanos, $"seed {seed}: {interval.Nanos}");
                if (interval.Nanos == 0)
                    continue;
                long wait = interval.EdgeAfter(now, random.Next(BurstInterval.Phases)) - now;
                Assert.True(wait > 0 && wait <= interval.Nanos, $"seed {seed}: waits {wait} of {interval.Nanos}");
            }
        }
    }

    private long _now;

    // At the beginning of a window of that length, in which nothing has come yet.
    private BurstInterval Grown(BurstSettings settings, int millis)
    {
        BurstInterval interval = default;
        _now = Millis(1_000);
        interval.Record(settings, _now, 100);
        while (interval.Nanos < Millis(millis))
        {
            _now += interval.Nanos > 0 ? interval.Nanos : settings.IncrementNanos;
            interval.AdvanceWindows(settings, _now);
            if (interval.Nanos < Millis(millis))
                interval.Record(settings, _now, 100);
        }

        return interval;
    }

    private int PassOne(ref BurstInterval interval, BurstSettings settings)
    {
        long length = interval.Nanos > 0 ? interval.Nanos : settings.IncrementNanos;
        _now += length;
        interval.AdvanceWindows(settings, _now);
        return (int)(interval.Nanos / Clock.NanosPerMilli);
    }

    private static BurstSettings Settings(int min, int max, int increment) => new(Millis(min), Millis(max), Millis(increment));

    private static long Millis(long millis) => millis * Clock.NanosPerMilli;
}
