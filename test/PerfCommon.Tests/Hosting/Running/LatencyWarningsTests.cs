using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public class LatencyWarningsTests
{
    [Fact]
    public void Find_EachKind_IsSaidOnce()
    {
        LatencyWarnings warnings = new();
        Assert.Empty(warnings.Find(default));
        Assert.StartsWith("Warning: latencies above 1 hour", Assert.Single(warnings.Find(new(0, 5))), StringComparison.Ordinal);
        Assert.StartsWith("Warning: negative latencies", Assert.Single(warnings.Find(new(1, 6))), StringComparison.Ordinal);
        Assert.Empty(warnings.Find(new(2, 7)));
    }

    [Fact]
    public void Counts_OfSeveralIntervals_AreAddedByKind() => Assert.Equal(new OutsideCounts(4, 16), new OutsideCounts(1, 5) + new OutsideCounts(3, 11));
}
