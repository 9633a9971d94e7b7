using TransportPerf;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public class TransportWarmUpTests
{
    [Fact]
    public void Run_TwoSides_MessagesArriveAndBothEnd()
    {
        (long received, bool hasEnded) = TransportWarmUp.Run();

        Assert.True(received > 0, "nothing came");
        Assert.True(hasEnded, "its end did not come");
    }
}
