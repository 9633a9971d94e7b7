using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

public sealed class ThresholdTests
{
    [Theory]
    [InlineData("p99<=100", 99.0, null)]
    [InlineData("p99<=100", 100.0, null)]
    [InlineData("p99<100", 100.5, "p99<=100: p99 is 100.5")]
    [InlineData("rate>=99000", 98999.0, "rate>=99000: rate is 98999")]
    [InlineData("rate >= 99000", 99000.0, null)]
    [InlineData("p99<=100", null, "p99<=100: nothing was measured, or too little")]
    public void FindMiss_Figure_IsCompared(string text, double? figure, string? miss)
    {
        IReadOnlyList<Threshold> list = Threshold.TryParseList(text)!;
        Assert.Equal(miss, Threshold.FindMiss(list, _ => figure));
    }

    [Theory]
    [InlineData("p98<=1")]
    [InlineData("p99")]
    [InlineData("p99<=")]
    [InlineData("p99<=x")]
    [InlineData("p99<=NaN")]
    [InlineData("p99<=1,")]
    public void TryParse_OtherText_IsRefused(string text) => Assert.Null(Threshold.TryParseList(text));

    [Fact]
    public void FindMiss_Several_TellsTheFirstMissed()
    {
        IReadOnlyList<Threshold> list = Threshold.TryParseList("p50<=10,p99.9<=20")!;
        Assert.StartsWith("p99.9<=20", Threshold.FindMiss(list, name => name == "p50" ? 5 : 50), StringComparison.Ordinal);
    }
}
