using PerfCommon.Benchmarks.Regression;
using Xunit;

namespace Tools.Tests.Regression;

/// <summary>The judging of the benchmark that fails, over made-up rounds.</summary>
[Trait("Category", "Fast")]
public class RatioJudgeTests
{
    private int _rounds;
    private int _trials;

    [Fact]
    public void Judge_FirstTrialGood_IsDoneAfterTwentyRounds()
    {
        RatioVerdict verdict = RatioJudge.Judge(Rounds(1.08), recorded: 1.0);
        Assert.False(verdict.IsSlower);
        Assert.Equal(20, _rounds);
        Assert.Equal(1.08, verdict.Growth!.Value, precision: 9);
    }

    [Theory]
    [InlineData(1.0999, false)]
    [InlineData(1.1001, true)]
    public void Judge_SmallestRatio_FailsAboveOnePointOneTimesTheRecorded(double growth, bool isSlower) =>
        Assert.Equal(isSlower, RatioJudge.Judge(Rounds(growth * 2.5), recorded: 2.5).IsSlower);

    [Fact]
    public void Judge_OneQuietRoundAmongDisturbedOnes_IsEnough()
    {
        RatioVerdict verdict = RatioJudge.Judge(() => () => ++_rounds == 17 ? 1.02 : 3.0, recorded: 1.0);
        Assert.False(verdict.IsSlower);
        Assert.Equal([1.02], verdict.Trials);
    }

    [Fact]
    public void Judge_ThirdTrialGood_IsNotSlower()
    {
        RatioVerdict verdict = RatioJudge.Judge(Rounds(1.3, 1.2, 1.05), recorded: 1.0);
        Assert.False(verdict.IsSlower);
        Assert.Equal([1.3, 1.2, 1.05], verdict.Trials);
        Assert.Equal(1.05, verdict.Ratio);
    }

    [Fact]
    public void Judge_ThreeTrialsInARowAbove_IsSlower()
    {
        RatioVerdict verdict = RatioJudge.Judge(Rounds(1.3, 1.2, 1.4), recorded: 1.0);
        Assert.True(verdict.IsSlower);
        Assert.Equal(60, _rounds);
        Assert.Equal(1.2, verdict.Ratio);
    }

    [Fact]
    public void Judge_NothingRecorded_TakesTheSmallestOfThreeTrials()
    {
        RatioVerdict verdict = RatioJudge.Judge(Rounds(1.3, 1.1, 1.2), recorded: null);
        Assert.True(verdict.IsNew);
        Assert.False(verdict.IsSlower);
        Assert.Equal(1.1, verdict.Ratio);
        Assert.Null(verdict.Growth);
    }

    [Fact]
    public void Judge_RatioThatIsNoNumber_IsSlower() => Assert.True(RatioJudge.Judge(Rounds(double.NaN), recorded: 1.0).IsSlower);

    // All rounds of a trial have its ratio.
    private Func<Func<double>> Rounds(params double[] trials) => () =>
    {
        double ratio = trials[Math.Min(_trials++, trials.Length - 1)];
        return () =>
        {
            _rounds++;
            return ratio;
        };
    };
}
