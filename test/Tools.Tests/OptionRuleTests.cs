using ConsPerf;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using Xunit;

namespace Tools.Tests;

/// <summary>Rules between the options that all tools share, at their limits.</summary>
[Trait("Category", "Fast")]
public sealed class OptionRuleTests
{
    private static readonly RunOptions Run = new() { TickRate = 100 };

    [Theory]
    [InlineData("100:1", true)]
    [InlineData("0:1,100:1", true)]
    [InlineData("99:1", false)]
    [InlineData("100:1,1:1", false)]
    [InlineData("100-99:1", false)]
    public void RateProfile_BelowTheTicksOfASecond_IsRefusedUnlessItIsNone(string text, bool isGood)
    {
        string? problem = (Run with { RateProfile = RateProfile.TryParse(text) }).FindProblem();
        Assert.Equal(isGood ? null : "-rateProfile must name rates that are 0 or at least -tickRate", problem);
    }

    [Theory]
    [InlineData(0, "1", null)]
    [InlineData(-1, "1", null)]
    [InlineData(-2, "1", "-bindThread must be a CPU number or -1")]
    [InlineData(0, "2", "-bindThread binds a single thread: leave -threads out")]
    [InlineData(0, "1,0", "-bindThread binds a single thread: leave -threads out")]
    [InlineData(null, "2", null)]
    public void BindThread_BesideThreads_IsRefused(int? bound, string threads, string? problem)
    {
        Assert.True(ThreadPlan.TryParse(threads, out ThreadPlan? plan));
        Assert.Equal(problem, (Run with { BindThread = bound, ListedThreads = plan! }).FindProblem());
    }

    [Fact]
    public void Threads_OfAPart_AreThoseAfterTheOnesBefore()
    {
        RunOptions options = Run.WithUsualThreads(3);
        Assert.True(RunPart.TryParse("2/4", out RunPart part));
        options = options with { Part = part };
        Assert.Equal((3, 12, 3), (options.ThreadCount, options.AllThreads, options.FirstThread));
        Assert.Equal((1, 4, 1), ((options with { BindThread = 0 }).ThreadCount, (options with { BindThread = 0 }).AllThreads,
            (options with { BindThread = 0 }).FirstThread));
    }

    [Theory]
    [InlineData("-h a -h b", "-h: given more than once")]
    [InlineData("-h a --h b", "-h: given more than once")]
    [InlineData("-tickRate", "-tickRate: needs a value <n>")]
    [InlineData("-tickRate -h a", "-tickRate: needs a value <n>")]
    public void Parse_OptionTwiceOrWithoutItsValue_IsRefused(string line, string problem) =>
        Assert.StartsWith(problem, OptionLines.Refuse(ConsPerfOptionTable.Instance, line), StringComparison.Ordinal);

    [Fact]
    public void Port_OfTheListener_IsThatOfMetricsOrAFreeOne()
    {
        Assert.Equal(9_400, OptionLines.Accept(ConsPerfOptionTable.Instance, "-metricsPort 9400").Control.Port);
        Assert.Equal(0, OptionLines.Accept(ConsPerfOptionTable.Instance, "-control").Control.Port);
    }
}
