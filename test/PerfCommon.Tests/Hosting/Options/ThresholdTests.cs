using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

public sealed class ThresholdTests
{
    [Theory]
    [InlineData("p99<=100", 99.0, null)]
    [InlineData("p99<=100", 100.0, null)]
    [InlineData("p99<100", 100.0, "p99<100: p99 is 100")]
    [InlineData("p99<=100us", 100.5, "p99<=100us: p99 is 100.5us")]
    [InlineData("max<2ms", 1999.0, null)]
    [InlineData("MAX<2ms", 2500.0, "MAX<2ms: max is 2.5ms")]
    [InlineData("avg<1.5s", 1_600_000.0, "avg<1.5s: avg is 1.6s")]
    [InlineData("p50<900ns", 0.95, "p50<900ns: p50 is 950ns")]
    [InlineData("rate>=99000", 98999.0, "rate>=99000: rate is 98999")]
    [InlineData("rate >= 99000", 99000.0, null)]
    [InlineData("rate>99%", 99.0, "rate>99%: rate is 99%")]
    [InlineData("images>=100%", 100.0, null)]
    [InlineData("cpu<50%", 51.0, "cpu<50%: cpu is 51%")]
    [InlineData("cpu<50", 51.0, "cpu<50: cpu is 51")]
    [InlineData("memory<100MB", 90.0, null)]
    [InlineData("sendLagP99<1ms", 1001.0, "sendLagP99<1ms: sendLagP99 is 1.001ms")]
    [InlineData("notSent<1", 3.0, "notSent<1: notSent is 3")]
    public void Compare_Figure_IsReadInItsUnitAndRepeatedAsTyped(string text, double figure, string? miss)
    {
        ThresholdResult result = Assert.Single(Compare(text, _ => new(figure)));
        Assert.Equal((miss is null, miss ?? ""), (result.IsKept, result.IsKept ? "" : result.Reason));
    }

    [Theory]
    [InlineData("p99<100us", 100L, "p99<100us: p99: 100 samples, 1,000 needed")]
    [InlineData("p99.99<1ms", 99_999L, "p99.99<1ms: p99.99: 99,999 samples, 100,000 needed")]
    [InlineData("sendLagP99<1ms", 5L, "sendLagP99<1ms: sendLagP99: 5 samples, 1,000 needed")]
    [InlineData("p99<100us", 5_000L, "p99<100us: p99: samples outside of 0 to 1 hour, which percentiles do not show")]
    [InlineData("avg<1ms", 0L, "avg<1ms: avg: 0 samples, 1 needed")]
    [InlineData("max<1ms", 1L, "max<1ms: max: samples outside of 0 to 1 hour, which percentiles do not show")]
    [InlineData("rate>1", null, "rate>1: rate: nothing was measured")]
    public void Compare_TooFewSamples_SaysHowManyAreNeeded(string text, long? samples, string miss)
    {
        ThresholdResult result = Assert.Single(Compare(text, _ => new(null, samples)));
        Assert.False(result.IsKept);
        Assert.Equal(miss, result.Reason);
    }

    [Theory]
    [InlineData("p98<=1")]
    [InlineData("p99")]
    [InlineData("p99<=")]
    [InlineData("p99<=x")]
    [InlineData("p99<=NaN")]
    [InlineData("p99<=1,")]
    [InlineData("p99=1")]
    [InlineData("p99<=1%")]
    [InlineData("p99<=1MB")]
    [InlineData("rate>=1us")]
    [InlineData("notSent<=1%")]
    [InlineData("memory<1s")]
    [InlineData("p99<=us")]
    public void TryParse_OtherText_IsRefused(string text) => Assert.Null(Threshold.TryParseList(text, Threshold.Metrics));

    /// <summary>A figure of a role needs as many samples as its percentile does, whatever the role's figures are called.</summary>
    [Theory]
    [InlineData("consumer.sendLag.p99<1ms", "sendLag.p99", 999L, "sendLag.p99: 999 samples, 1,000 needed")]
    [InlineData("consumer.sendLag.p99.9<1ms", "sendLag.p99.9", 1L, "sendLag.p99.9: 1 samples, 10,000 needed")]
    [InlineData("hub.pings.max<1", "pings.max", 0L, "pings.max: 0 samples, 1 needed")]
    [InlineData("a.b<1e3", "b", null, "b: nothing was measured")]
    public void Compare_FigureOfARole_SaysHowManySamplesAreNeeded(string text, string metric, long? samples, string miss)
    {
        Threshold asked = Assert.Single(Threshold.TryParseList(text, Threshold.Metrics, namesRoles: true)!);
        Assert.Equal((text.Split('.')[0], metric), (asked.Role, asked.Metric));
        Assert.Equal($"{text}: {miss}", new ThresholdResult(asked, new(null, samples)).Reason);
        Assert.Null(Threshold.TryParseList(text, Threshold.Metrics));
    }

    [Theory]
    [InlineData(".p99<1")]
    [InlineData("consumer.<1")]
    [InlineData("consumer<1")]
    public void TryParse_RoleWithoutAFigure_IsRefused(string text) => Assert.Null(Threshold.TryParseList(text, Threshold.Metrics, namesRoles: true));

    [Fact]
    public void TryParse_FigureThatTheToolHasNot_IsRefused()
    {
        IReadOnlyList<string> metrics = Threshold.AllBut(Threshold.Rate + Threshold.Share);
        Assert.Null(Threshold.TryParseList("rate>=99%", metrics));
        Assert.NotNull(Threshold.TryParseList("rate>=99", metrics));
    }

    [Fact]
    public void Compare_Several_KeepsTheirOrder()
    {
        IReadOnlyList<ThresholdResult> results = Compare("p50<=10,p99.9<=20us", name => new(name == "p50" ? 5 : 50));
        Assert.Equal(["p50<=10: 5, kept", "p99.9<=20us: 50us, missed"], results.Select(result => result.Line));
    }

    private static IReadOnlyList<ThresholdResult> Compare(string text, Func<string, AssertedFigure> figureOf) =>
        [.. Threshold.TryParseList(text, Threshold.Metrics)!.Select(asked => new ThresholdResult(asked, figureOf(asked.Metric)))];
}
