using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

public sealed class ThreadPlanTests
{
    [Theory]
    [InlineData("1", new[] { -1 })]
    [InlineData("3", new[] { -1, -1, -1 })]
    [InlineData("-1", new[] { -1 })]
    [InlineData("1,3", new[] { 1, 3 })]
    [InlineData("0,-1, 2", new[] { 0, -1, 2 })]
    public void TryParse_Text_GivesProcessors(string text, int[] processors)
    {
        Assert.True(ThreadPlan.TryParse(text, out ThreadPlan? plan));
        Assert.Equal(processors, plan!.Processors);
        Assert.Null(plan.FindProblem());
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-2")]
    [InlineData("")]
    [InlineData("1,")]
    [InlineData("1,x")]
    [InlineData("1,-2")]
    [InlineData("two")]
    public void TryParse_OtherText_IsRefused(string text) => Assert.False(ThreadPlan.TryParse(text, out _));

    [Theory]
    [InlineData("9")]
    [InlineData("2000000000")]
    [InlineData("0,0,0,0,0,0,0,0,0")]
    public void FindProblem_MoreThanEight_IsTold(string text)
    {
        Assert.True(ThreadPlan.TryParse(text, out ThreadPlan? plan));
        Assert.NotNull(plan!.FindProblem());
        Assert.Equal(9, plan.Count); // one too many is enough to be refused
    }

    [Fact]
    public void TryParseProcessors_OneNumber_IsAProcessor()
    {
        Assert.True(ThreadPlan.TryParseProcessors("2", out ThreadPlan? plan));
        Assert.Equal([2], plan!.Processors);
    }

    [Fact]
    public void Equals_SameProcessors_IsTrue()
    {
        Assert.True(ThreadPlan.TryParse("1,3", out ThreadPlan? one));
        Assert.True(ThreadPlan.TryParse("1, 3", out ThreadPlan? other));
        Assert.Equal(one, other);
        Assert.Equal(one!.GetHashCode(), other!.GetHashCode());
    }

    [Fact]
    public void FindProblem_ProcessorThatIsThere_IsNull()
    {
        Assert.True(ThreadPlan.TryParse("0,-1", out ThreadPlan? plan));
        Assert.Null(ThreadBinding.FindProblem(plan!.Processors));
    }

    [Fact]
    public void FindProblem_ProcessorThatIsMissing_NamesIt() =>
        Assert.Contains("CPU 999", ThreadBinding.FindProblem([999]), StringComparison.Ordinal);
}
