using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

/// <summary>Values of options at their limits, and defaults that follow the machine.</summary>
[Trait("Category", "Fast")]
public sealed class OptionValueTests
{
    [Theory]
    [InlineData(1, 1, 0, 1)]
    [InlineData(2, 1, 0, 1)]
    [InlineData(3, 1, 1, 1)]
    [InlineData(4, 1, 2, 2)]
    [InlineData(5, 1, 2, 2)]
    [InlineData(6, 2, 3, 3)]
    [InlineData(12, 8, 6, 6)]
    [InlineData(13, 8, 6, 6)]
    [InlineData(16, 8, 8, 8)]
    [InlineData(64, 8, 8, 8)]
    public void Threads_ByDefault_FollowTheProcessors(int processors, int sessions, int sources, int users) => Assert.Equal(
        (sessions, sources, users),
        (HubThreadCounts.Sessions(processors), HubThreadCounts.Sources(processors), UsersThreadCounts.OfProcess(processors)));

    [Theory]
    [InlineData("64MB", 64_000_000, 8, "64MB,8")]
    [InlineData("1KB,1", 1_000, 1, "1KB,1")]
    [InlineData("1000,1000", 1_000, 1_000, "1KB,1000")]
    [InlineData("1500", 1_500, 8, "1500,8")]
    [InlineData("2gb,3", 2_000_000_000, 3, "2GB,3")]
    [InlineData("9223372036GB", 9_223_372_036_000_000_000, 8, "9223372036GB,8")]
    public void Rotation_OfASize_IsWrittenAsItIsTyped(string text, long bytes, int kept, string written)
    {
        FileRotation rotation = FileRotation.TryParse(text)!;
        Assert.Equal(new FileRotation(bytes, kept), rotation);
        Assert.Equal(written, rotation.ToString());
    }

    [Theory]
    [InlineData("999")]
    [InlineData("0KB")]
    [InlineData("1KB,0")]
    [InlineData("1KB,1001")]
    [InlineData("1KB,2,3")]
    [InlineData("1KB,")]
    [InlineData("KB")]
    [InlineData("-1KB")]
    [InlineData("9223372037GB")]
    public void Rotation_OfOtherText_IsRefused(string text) => Assert.Null(FileRotation.TryParse(text));

    [Theory]
    [InlineData("1", 1, 1)]
    [InlineData("500,500", 500, 500)]
    [InlineData("500,30000", 500, 30_000)]
    [InlineData("3600000", 3_600_000, 3_600_000)]
    [InlineData("1,3600000", 1, 3_600_000)]
    public void Delay_OfReconnecting_HasAFirstAndALongest(string text, int first, int longest) => Assert.Equal(
        new ReconnectDelay(TimeSpan.FromMilliseconds(first), TimeSpan.FromMilliseconds(longest)), ReconnectDelay.TryParse(text));

    [Theory]
    [InlineData("0")]
    [InlineData("3600001")]
    [InlineData("500,499")]
    [InlineData("500,3600001")]
    [InlineData("0,500")]
    [InlineData("1,2,3")]
    [InlineData("")]
    public void Delay_OfOtherText_IsRefused(string text) => Assert.Null(ReconnectDelay.TryParse(text));

    [Theory]
    [InlineData("all", StampCells.All, true)]
    [InlineData("ALL", StampCells.All, true)]
    [InlineData("0", 0, false)]
    [InlineData("1", 1, true)]
    [InlineData("5000", 5_000, true)]
    public void Stamps_ARate_IsThatOfItsPlan(string text, int ofPlan, bool requestsAny)
    {
        Assert.True(LatencyRate.TryParse(text, out LatencyRate rate));
        Assert.Equal((ofPlan, requestsAny), (rate.OfPlan, rate.RequestsStamps));
    }

    [Theory]
    [InlineData("http://collector", nameof(OtlpTransport.Auto), nameof(OtlpTransport.Grpc))]
    [InlineData("http://collector:4317", nameof(OtlpTransport.Auto), nameof(OtlpTransport.Grpc))]
    [InlineData("http://collector:4318", nameof(OtlpTransport.Auto), nameof(OtlpTransport.Http))]
    [InlineData("http://collector:4318/", nameof(OtlpTransport.Auto), nameof(OtlpTransport.Http))]
    [InlineData("https://collector/v1", nameof(OtlpTransport.Auto), nameof(OtlpTransport.Http))]
    [InlineData("http://collector:4318", nameof(OtlpTransport.Grpc), nameof(OtlpTransport.Grpc))]
    [InlineData("http://collector:4317", nameof(OtlpTransport.Http), nameof(OtlpTransport.Http))]
    public void Collector_WithoutAProtocol_HasThatOfItsAddress(string address, string asked, string expected)
    {
        OtlpOptions options = new() { Endpoint = OtlpOptions.TryParse(address), Transport = Enum.Parse<OtlpTransport>(asked) };
        Assert.Equal(expected, $"{options.EffectiveTransport}");
    }

    [Fact]
    public void Name_OfTheWayOfProbes_FitsIntoALine()
    {
        Assert.True(ClockOptions.IsViaName("~"));
        Assert.True(ClockOptions.IsViaName(new string('r', 64)));
        Assert.False(ClockOptions.IsViaName(new string('r', 65)));
        Assert.False(ClockOptions.IsViaName(""));
        Assert.False(ClockOptions.IsViaName("rank\t0"));
        Assert.False(ClockOptions.IsViaName("rank\u007f"));
    }

    [Theory]
    [InlineData(null, false, false)]
    [InlineData("@file", true, false)]
    [InlineData("word", true, true)]
    public void Password_OnTheCommandLine_IsGivenOpenlyUnlessItIsAFile(string? given, bool isGiven, bool isOpen)
    {
        Secret secret = new(given, "PERFTOOLS_NO_SUCH_VARIABLE");
        Assert.Equal((isGiven, isOpen), (secret.IsGiven, secret.IsGivenOpenly));
    }

    [Fact]
    public void Plan_ThenAnother_HasTheThreadsOfBothInTheirOrder()
    {
        Assert.True(ThreadPlan.TryParseProcessors("2,0", out ThreadPlan? bound));
        Assert.Equal([2, 0, -1, -1], bound!.Then(ThreadPlan.Unbounded(2)).Processors);
        Assert.Equal([-1, -1, -1, 2, 0], ThreadPlan.Unbounded(3).Then(bound).Processors);
        Assert.Equal(bound, bound.Then(ThreadPlan.Unbounded(0)));
    }
}
