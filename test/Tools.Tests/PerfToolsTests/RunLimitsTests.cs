using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The timeouts of a run that are not given, and the waits that end with them.</summary>
[Trait("Category", "Fast")]
public class RunLimitsTests
{
    [Theory]
    [InlineData(0, 90)]
    [InlineData(10, 110)]
    [InlineData(3_600, 7_290)]
    public void For_ARun_IsTwiceItsTimeAndTheStart(int seconds, double limit)
    {
        RunLimits limits = RunLimits.For(seconds);
        Assert.Equal((60, limit, 5, 10, 10, 0.2), (limits.Port.TotalSeconds, limits.Run.TotalSeconds, limits.Farewell.TotalSeconds, limits.Ask.TotalSeconds,
            limits.Terminate.TotalSeconds, limits.Look.TotalSeconds));
    }

    [Fact]
    public void Deadline_OfAWait_IsWaitedForInSteps()
    {
        Deadline none = new(TimeSpan.Zero), hour = new(TimeSpan.FromHours(1));
        Assert.Equal((true, false), (none.HasPassed, hour.HasPassed));
        Assert.Equal((TimeSpan.Zero, TimeSpan.FromSeconds(1)), (none.Next(TimeSpan.FromSeconds(1)), hour.Next(TimeSpan.FromSeconds(1))));
        Assert.InRange(hour.Next(TimeSpan.FromDays(1)), TimeSpan.FromMinutes(50), TimeSpan.FromHours(1));
    }

    [Fact]
    public void None_OfRequests_IsNeverMade() => Assert.Equal((null, null, false),
        (StopRequest.None.Code(), StopRequest.None.Reason(), StopRequest.None.Requested.CanBeCanceled));
}
