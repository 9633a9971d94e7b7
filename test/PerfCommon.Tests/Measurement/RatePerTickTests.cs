using FsCheck;
using FsCheck.Fluent;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class RatePerTickTests
{
    [Theory]
    [InlineData(100_000, 1000)]
    [InlineData(100_001, 1000)]
    [InlineData(999, 300)]
    [InlineData(7, 10)]
    [InlineData(0, 1000)]
    public void InTick_OverOneSecond_SumsToTheRate(int rate, int tickRate)
    {
        RatePerTick shares = new(rate, tickRate);
        Assert.Equal(rate, Enumerable.Range(0, tickRate).Sum(shares.InTick));
    }

    [Fact]
    public void InTick_Remainder_GoesToTheFirstTicks() =>
        Assert.Equal([4, 4, 3], Enumerable.Range(0, 3).Select(new RatePerTick(11, 3).InTick));

    [Fact]
    public void InTicks_AnyRun_EqualsItsTicksOneByOne()
    {
        Prop.ForAll<NonNegativeInt, PositiveInt, NonNegativeInt>((rate, ticks, first) =>
        {
            int tickRate = (ticks.Get % 50) + 1;
            RatePerTick shares = new(rate.Get, tickRate);
            long sum = Enumerable.Range(first.Get, 120).Sum(k => (long)shares.InTick(k % tickRate));
            return shares.InTicks(first.Get, 120) == sum;
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(500).WithQuietOnSuccess(true));
    }

    [Fact]
    public void InTicks_Hours_DoNotOverflow() =>
        Assert.Equal(2_000_000_000L * 36_000, new RatePerTick(2_000_000_000, 1000).InTicks(0, 36_000L * 1000));
}
