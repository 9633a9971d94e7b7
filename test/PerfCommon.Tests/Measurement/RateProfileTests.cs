using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class RateProfileTests
{
    private const int TickRate = 1_000;

    [Theory]
    [InlineData("100000:10", 100_000, 10)]
    [InlineData("100000:10,200000-400000:30", 400_000, 40)]
    [InlineData("5-0:1, 7:2", 7, 3)]
    public void TryParse_StepsAndRamps_KnowsTheirGreatestRateAndLength(string text, int rate, long seconds)
    {
        RateProfile profile = RateProfile.TryParse(text)!;
        Assert.Equal((rate, seconds, text), (profile.MaxRate, profile.Seconds, profile.ToString()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("100")]
    [InlineData("100:0")]
    [InlineData("-100:5")]
    [InlineData("1-2-3:5")]
    [InlineData("100:5,")]
    [InlineData("100:1.5")]
    [InlineData("99999999999:5")]
    public void TryParse_NoProfile_IsNull(string text) => Assert.Null(RateProfile.TryParse(text));

    [Fact]
    public void InTick_Steps_SendExactlyTheirRateEachSecond()
    {
        RateProfile profile = RateProfile.TryParse("1001:2,0:1,2500:1")!;
        Assert.Equal([1_001, 1_001, 0, 2_500, 2_500, 2_500],
            Enumerable.Range(0, 6).Select(second => Sum(profile, second * TickRate, TickRate)));
        Assert.All(Enumerable.Range(0, TickRate), tick => Assert.InRange(profile.InTick(tick, TickRate), 1, 2));
    }

    [Theory]
    [InlineData("2000-4000:30", 90_000)]
    [InlineData("4001-0:7", 14_003)]
    [InlineData("10000000-20000000:1000", 15_000_000_000)]
    public void InTicks_Ramp_SendsItsMeanRateTimesItsLength(string text, long messages)
    {
        RateProfile profile = RateProfile.TryParse(text)!;
        Assert.Equal(messages, profile.InTicks(0, profile.Seconds * TickRate, TickRate));
    }

    [Fact]
    public void InTick_Ramp_RisesAndAddsUpToWhatSkippedTicksWouldHave()
    {
        RateProfile profile = RateProfile.TryParse("0-100000:2")!;
        int[] ticks = [.. Enumerable.Range(0, 2 * TickRate).Select(tick => profile.InTick(tick, TickRate))];
        Assert.All(ticks.Zip(ticks.Skip(1)), pair => Assert.InRange(pair.Second - pair.First, -1, 1));
        Assert.Equal(ticks.Skip(300).Take(700).Sum(), profile.InTicks(300, 700, TickRate));
        Assert.Equal(0, ticks[0]);
        Assert.InRange(ticks[^1], 99, 100);
    }

    private static int Sum(RateProfile profile, long first, int ticks) => (int)profile.InTicks(first, ticks, TickRate);
}
