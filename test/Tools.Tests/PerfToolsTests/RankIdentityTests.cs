using PerfTools.Ranks;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The number of a rank and of all ranks, as typed.</summary>
[Trait("Category", "Fast")]
public sealed class RankIdentityTests
{
    [Theory]
    [InlineData("0/1", 0, 1)]
    [InlineData("2/6", 2, 6)]
    [InlineData("9999/10000", 9_999, 10_000)]
    public void TryParse_ARankBelowTheirNumber_IsRead(string text, int rank, int count)
    {
        Assert.True(RankIdentity.TryParse(text, out int readRank, out int readCount));
        Assert.Equal((rank, count), (readRank, readCount));
    }

    [Theory]
    [InlineData("1/1")]
    [InlineData("-1/1")]
    [InlineData("0/0")]
    [InlineData("0/10001")]
    [InlineData("1")]
    [InlineData("1/2/3")]
    [InlineData("a/2")]
    [InlineData("")]
    public void TryParse_AnythingElse_IsRefused(string text) => Assert.False(RankIdentity.TryParse(text, out _, out _));
}
