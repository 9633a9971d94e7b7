using PerfCommon.Benchmarks.Runs;
using Xunit;

namespace Tools.Tests.BenchmarkRuns;

public class BuildPairTests
{
    private const double RateAsked = 1_000;

    [Fact]
    public void Ratio_OfBothRoles_IsThatOfB()
    {
        BuildPair pair = new(0, RateAsked, Run(nanos: 200), Run(nanos: 210));
        Assert.Equal(1.05, pair.Ratio(r => r.BothNanos)!.Value, precision: 9);
        Assert.Null(pair.Fault);
    }

    [Fact]
    public void Ratio_WithoutTheFigure_IsNothing() =>
        Assert.Null(new BuildPair(0, RateAsked, Run(200), Run(200)).Ratio(r => r.Client?.P99Micros));

    [Theory]
    [InlineData(991, 0.19, null)]
    [InlineData(1_009, 0.2, null)]
    [InlineData(989, 0, "B: received 989/s")]
    [InlineData(1_011, 0, "B: received 1,011/s")]
    [InlineData(1_000, 0.21, "B: foreign load 21 %")]
    public void Fault_RateOrMachine_IsThatOfTheBuild(long received, double foreign, string? fault) =>
        Assert.Equal(fault, new BuildPair(0, RateAsked, Run(200), Run(200, received, foreign)).Fault);

    [Fact]
    public void Fault_FailedRun_TellsWhy() =>
        Assert.Equal("A: ended with 4", new BuildPair(0, RateAsked, new BuildRun { Failure = "ended with 4" }, Run(200)).Fault);

    [Fact]
    public void Fault_UnknownLoad_Counts() => Assert.Null(new BuildPair(0, RateAsked, Run(200), Run(200, foreign: null)).Fault);

    private static BuildRun Run(double nanos, long received = 1_000, double? foreign = 0)
    {
        RoleWindow window = new(Seconds: 1, nanos / 2 * received / 1e9, received, NotSent: 0, P50Micros: 40, P99Micros: null);
        return new BuildRun { Server = window, Client = window, ForeignShare = foreign };
    }
}
