using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public class PairOrderTests
{
    [Fact]
    public void Of_PairAfterPair_Interleaves() =>
        Assert.Equal("ABBAABBA", string.Concat(Enumerable.Range(0, 4).SelectMany(PairOrder.Of).Select(b => b.Letter())));
}
