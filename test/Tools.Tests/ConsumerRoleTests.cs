using ConsPerf;
using PerfCommon.Transport;
using Xunit;

namespace Tools.Tests;

/// <summary>What ConsPerf derives from its options and counts, apart from a run.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerRoleTests
{
    /// <summary>Each server of a warm standby has its own host and port, or those of <c>-h</c> and <c>-p</c>.</summary>
    [Theory]
    [InlineData("-startingHostName s -startingPort 5 -standbyHostName t -standbyPort 6", "s:5 t:6")]
    [InlineData("-startingHostName s -standbyPort 6", "s:1 h:6")]
    [InlineData("-startingPort 5 -standbyHostName t", "h:5 t:1")]
    public void ServersOf_AStandby_AreThoseGivenOrTheOrdinaryOne(string line, string servers)
    {
        ConsPerfOptions options = OptionLines.Accept(ConsPerfOptionTable.Instance, $"-watchlist {line}");
        (ConnectOptions first, ConnectOptions other) = ConsPerfRole.ServersOf(options.Standby, new ConnectOptions { Host = "h", Port = 1 });
        Assert.Equal(servers, $"{first.Host}:{first.Port} {other.Host}:{other.Port}");
    }

    [Theory]
    [InlineData(9, 0, "9 were requested at -requestRate 7")]
    [InlineData(9, 1, "9 were requested at -requestRate 7")]
    [InlineData(10, 0, "the provider may hold requests back")]
    [InlineData(10, 1, "suspect images received, which do not count: 1")]
    public void DescribeMissing_OfTenItems_NamesWhatTheyLack(long requested, long suspect, string words) =>
        Assert.Equal(words, ConsPerfRole.DescribeMissing(items: 10, requested, suspect, requestRate: 7));
}
