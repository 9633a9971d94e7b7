using HubPerf;
using PerfTools.Hosting.CommandLine;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public sealed class HubPerfOptionsTests
{
    private static readonly HubPerfOptionTable Table = HubPerfOptionTable.Instance;

    [Theory]
    [InlineData("-p", "14002")]
    [InlineData("-niPort", "14003")]
    [InlineData("-upstream", null)]
    [InlineData("-upstreamConnType", "socket")]
    [InlineData("-service", null)]
    [InlineData("-cache", "on")]
    [InlineData("-uncached", "image")]
    [InlineData("-slow", "cut")]
    [InlineData("-maxQueue", "4194304")]
    [InlineData("-maxPackCount", "1")]
    [InlineData("-packBufSize", "6000")]
    [InlineData("-maxConnections", "20000")]
    [InlineData("-burstMin", "0")]
    [InlineData("-burstMax", "0")]
    [InlineData("-burstIncrement", "0.01")]
    [InlineData("-burstScope", "thread")]
    [InlineData("-throttle", "0")]
    [InlineData("-runTime", "0")]
    [InlineData("-statsFile", "HubStats")]
    [InlineData("-summaryFile", "HubSummary.out")]
    [InlineData("-writeStatsInterval", "5")]
    public void Defaults_AreThoseOfTheDescription(string name, string? value) => Assert.Equal(value, OptionLines.Default(Table, name));

    [Theory]
    [InlineData("-upstream a:1;b:2,FEED -slow conflate -uncached closed -cache off")]
    [InlineData("-upstream [::1]:14002")]
    [InlineData("-service POSTED,7;OTHER,8")]
    [InlineData("-p 14002 -niPort 14002")]
    [InlineData("-sessionThreads 2 -bindSession 0,-1 -sourceThreads 1 -bindSource 1")]
    [InlineData("-assert p99<100us,notSent<1,cpu<50%")]
    [InlineData("-burstMin 0.1 -burstMax 0.5 -burstIncrement 0.05 -burstScope session -throttle 1")]
    public void CommandLine_Good_IsTaken(string line) => Assert.Null(Parse(line).Problem);

    [Theory]
    [InlineData("-upstream host", "-upstream")]
    [InlineData("-upstream host:0", "-upstream")]
    [InlineData("-upstream host:70000", "-upstream")]
    [InlineData("-upstream host:1,", "-upstream")]
    [InlineData("-service FEED", "-service")]
    [InlineData("-service FEED,0", "-service")]
    [InlineData("-niPort 65536", "-niPort")]
    [InlineData("-maxQueue 1000", "-maxQueue")]
    [InlineData("-slow wait", "-slow")]
    [InlineData("-sessionThreads 0", "-sessionThreads")]
    [InlineData("-sessionThreads 9", "-sessionThreads")]
    [InlineData("-sessionThreads 2 -bindSession 0", "-bindSession")]
    [InlineData("-sourceThreads 1 -bindSource 0,1", "-bindSource")]
    [InlineData("-maxPackCount 2 -packBufSize 0", "-packBufSize")]
    [InlineData("-burstMin 0.2 -burstMax 0.1", "-burstMax must be 0 or at least -burstMin")]
    [InlineData("-throttle 61", "a number of seconds from 0 to 60")]
    [InlineData("-websocket tr_json2", "not available in this version")]
    public void CommandLine_Wrong_IsRefusedWithTheReason(string line, string reason) =>
        Assert.Contains(reason, Parse(line).Problem, StringComparison.Ordinal);

    [Fact]
    public void Upstreams_AsTyped_AreReadAndShownAgain()
    {
        HubPerfOptions options = Parse("-upstream a:1;[::1]:2,FEED").Options!;
        Assert.Equal([new UpstreamAddress("a", 1, null), new UpstreamAddress("::1", 2, "FEED")], options.Upstreams);
    }

    private static ParsedCommandLine<HubPerfOptions> Parse(string line) => Table.Parse(OptionLines.Words(line));
}
