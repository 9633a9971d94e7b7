using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Scenarios.Users;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class RampScheduleTests
{
    [Theory]
    [InlineData("1", 0, 0, 1, 1)]
    [InlineData("250,501,1500", 10, 5, 30, 100)]
    [InlineData("100,250,500", 3, 1, 4, 1000)]
    [InlineData("1000..5500/500,6000..50000/2000", 10, 10, 30, 500)]
    public void Periods_OfARamp_AreThoseOfUsersPerf(string steps, int warmup, int settle, int period, int logins)
    {
        StepList list = StepList.TryParse(steps)!;
        RampSchedule ramp = new(
            new() { Times = new() { WarmupSeconds = warmup, SettleSeconds = settle, PeriodSeconds = period, LoginRate = logins } }, list.Totals);
        StepSchedule own = new(
            new() { Steps = list, WarmupSeconds = warmup, SettleSeconds = settle, PeriodSeconds = period, LoginRate = logins }, startNanos: 0);

        Assert.Equal(
            own.Steps.Select(step => (step.FromNanos / (double)Clock.NanosPerSecond, step.ToNanos / (double)Clock.NanosPerSecond)),
            ramp.Periods);
        Assert.Equal(own.EndNanos / (double)Clock.NanosPerSecond, ramp.Seconds);
    }
}
