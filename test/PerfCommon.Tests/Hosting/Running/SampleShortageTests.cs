using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public class SampleShortageTests
{
    [Theory]
    [InlineData(10, 100, 1)]
    [InlineData(10, 50, 2)]
    [InlineData(0, 1, 1)]
    public void Find_EnoughOrNoneAskedFor_IsSilent(int perSecond, int seconds, int connections) =>
        Assert.Null(SampleShortage.Find(LatencyRate.Of(perSecond), "-x", seconds, connections));

    [Fact]
    public void Find_EveryMessage_IsSilent() => Assert.Null(SampleShortage.Find(LatencyRate.Every, "-x", 1));

    [Fact]
    public void Find_TooFew_SaysHowManyAreNeeded() => Assert.Equal(
        "Warning: -latencyUpdateRate 10 gives 990 latency samples in 99 s; p99 needs 1,000.",
        SampleShortage.Find(LatencyRate.Of(10), "-latencyUpdateRate", 99));
}
