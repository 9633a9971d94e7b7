using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>Thresholds of sizes: which can be named, and which size misses one.</summary>
[Trait("Category", "Fast")]
public sealed class SizedThresholdsTests
{
    private static readonly int[] Sizes = [16, 64, 256];

    [Theory]
    [InlineData("p99@64<80us", "p99", 64)]
    [InlineData("p99 <80us", "p99", null)]
    [InlineData("resent<1", "resent", null)]
    [InlineData("RESENT@256<1", "resent", 256)]
    [InlineData("lost@0<1", "lost", 0)]
    [InlineData("cpu<50%", "cpu", null)]
    public void TryParse_FigureOfASizeOrOfAll_IsRead(string text, string metric, int? bytes)
    {
        Threshold read = Assert.Single(SizedThresholds.TryParse(text, Threshold.Cpu)!);
        Assert.Equal((text, metric, bytes, metric != Threshold.Cpu), (read.Text, read.Metric, read.Bytes, SizedThresholds.IsOfSizes(read)));
    }

    [Theory]
    [InlineData("p99<80us@64")]
    [InlineData("p99@64")]
    [InlineData("p99@<80us")]
    [InlineData("p99@x<80us")]
    [InlineData("p99@-1<80us")]
    [InlineData("@64<80us")]
    [InlineData("cpu@64<50%")] // of the whole run
    [InlineData("rate<1")]
    [InlineData("p99<80us,")]
    [InlineData("<1")]
    [InlineData("")]
    public void TryParse_OtherText_IsRefused(string text) => Assert.Null(SizedThresholds.TryParse(text, Threshold.Cpu));

    [Theory]
    [InlineData("lost<1000", true, "1")]
    [InlineData("lost<100", false, "256")]
    [InlineData("lost<10", false, "16")]
    [InlineData("lost@64<10", false, "64")]
    [InlineData("lost@16<20", true, "16")]
    [InlineData("lost@32<20", false, "nothing was measured")]
    public void Compare_SizesThatItNames_IsThatOfTheFirstThatMisses(string text, bool isKept, string found)
    {
        Threshold asked = Assert.Single(SizedThresholds.TryParse(text)!);
        ThresholdResult result = SizedThresholds.Compare(asked, Sizes, size => size, (size, _) => new(size));
        Assert.Equal(isKept, result.IsKept);
        Assert.Contains(found, result.Line, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("hub.sendLag.p99<1ms", 999L, "sendLag.p99: 999 samples, 1,000 needed")]
    [InlineData("hub.pings.max<1", 0L, "pings.max: 0 samples, 1 needed")]
    [InlineData("sendLagP99<1ms", 999L, "sendLagP99: 999 samples, 1,000 needed")]
    [InlineData("hub.lag.p99.9<1", 10_000L, "lag.p99.9: samples outside of 0 to 1 hour, which percentiles do not show")]
    public void Reason_TooFewSamples_SaysHowManyItsPercentileNeeds(string text, long samples, string reason)
    {
        Threshold asked = Assert.Single(Threshold.TryParseList(text, Threshold.Metrics, namesRoles: true)!);
        Assert.Equal($"{text}: {reason}", new ThresholdResult(asked, new(null, samples)).Reason);
    }
}
