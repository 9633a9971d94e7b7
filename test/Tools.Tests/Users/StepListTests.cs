using PerfTools.Hosting.Options;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class StepListTests
{
    [Theory]
    [InlineData("250", new[] { 250 })]
    [InlineData("250,500,1000", new[] { 250, 500, 1000 })]
    [InlineData("250..1000/250", new[] { 250, 500, 750, 1000 })]
    [InlineData("250..500/250,1500..4000/1000", new[] { 250, 500, 1500, 2500, 3500 })]
    [InlineData("5..5/1", new[] { 5 })]
    public void TryParse_Totals_AreRead(string text, int[] totals)
    {
        StepList? list = StepList.TryParse(text);

        Assert.Equal(totals, list?.Totals);
        Assert.Equal(text, list?.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("500,250")]
    [InlineData("250,250")]
    [InlineData("250..1000")]
    [InlineData("250..1000/0")]
    [InlineData("1000..250/250")]
    [InlineData("1..1000000/1")]
    [InlineData("1000001")]
    [InlineData("250,x")]
    [InlineData("1..2..3/1")]
    [InlineData("1..10001/1")]
    [InlineData("1..10000/1,10001")]
    [InlineData("0..10/5")]
    [InlineData("1..1000001/500000")]
    public void TryParse_NoRisingTotals_IsRefused(string text) => Assert.Null(StepList.TryParse(text));

    [Fact]
    public void TryParse_LongestListOfTheMostUsers_IsRead()
    {
        IReadOnlyList<int> totals = StepList.TryParse("1..9999/1,1000000")!.Totals;
        Assert.Equal((StepList.MaxSteps, 9_999, StepList.MaxUsers), (totals.Count, totals[^2], totals[^1]));
        Assert.Equal(StepList.MaxSteps, StepList.TryParse("1..10000/1")!.Totals.Count);
    }

    [Fact]
    public void TryParse_LongestRampOfTheGuide_HasItsSteps() =>
        Assert.Equal(60, StepList.TryParse("250..5500/250,7500..100000/2500")!.Totals.Count);
}
