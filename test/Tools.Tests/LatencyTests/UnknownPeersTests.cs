using LatencyPerf.Links;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public class UnknownPeersTests
{
    private readonly UnknownPeers<string> _strangers = new();

    [Fact]
    public void FindOverdue_OneOfFew_HasTenSeconds()
    {
        _strangers.Add("a", 0);
        _strangers.Add("b", 1);
        Assert.Null(_strangers.FindOverdue((10 * Clock.NanosPerSecond) - 1));
        Assert.Equal("a", _strangers.FindOverdue(10 * Clock.NanosPerSecond));
        _strangers.Remove("a");
        Assert.Null(_strangers.FindOverdue(10 * Clock.NanosPerSecond));
        Assert.Equal("b", _strangers.FindOverdue((10 * Clock.NanosPerSecond) + 1));
    }

    [Fact]
    public void FindOverdue_OneOfTheMostThereMayBe_HasASecond()
    {
        for (int i = 0; i < UnknownPeers<string>.Max; i++)
        {
            Assert.False(_strangers.IsFull);
            _strangers.Add($"{i}", i);
        }

        Assert.True(_strangers.IsFull);
        Assert.Null(_strangers.FindOverdue(Clock.NanosPerSecond - 1));
        Assert.Equal("0", _strangers.FindOverdue(Clock.NanosPerSecond));
        _strangers.Remove(_strangers.All.First());
        Assert.Null(_strangers.FindOverdue(Clock.NanosPerSecond + 1));
    }

    // Filled and emptied a thousand times: it keeps nothing, and refuses no connection too early.
    [Fact]
    public void Add_FilledAndEmptiedAgain_HasRoomEachTime()
    {
        for (int round = 0; round < 1_000; round++)
        {
            for (int i = 0; i < UnknownPeers<string>.Max; i++)
            {
                Assert.False(_strangers.IsFull);
                _strangers.Add($"{round}-{i}", round);
            }

            Assert.Equal(UnknownPeers<string>.Max, _strangers.All.Count());
            foreach (string stranger in _strangers.All.ToArray())
                _strangers.Remove(stranger);
            Assert.Empty(_strangers.All);
            Assert.Null(_strangers.FindOverdue(long.MaxValue));
        }
    }
}
