using HubPerf;
using Xunit;

namespace Tools.Tests.Hub;

[Trait("Category", "Fast")]
public class HubWarmUpTests
{
    [Fact]
    public void Run_BothKindsOfSources_UpdatesReachTheConsumers()
    {
        (long interactive, long published) = HubWarmUp.Run();

        Assert.True(interactive > 0, "nothing came from the interactive source");
        Assert.True(published > 0, "nothing came from the non-interactive source");
    }
}
