using HubPerf;
using Xunit;

namespace Tools.Tests.PerfHubTests;

[Trait("Category", "Fast")]
public class HubWarmUpTests
{
    private const int MostAgain = 20;

    [Fact]
    public void Run_BothKindsOfSources_UpdatesReachTheConsumers()
    {
        (long interactive, long published) = HubPerfRole.RunWarmUp();
        for (int again = 0; again < MostAgain && (interactive == 0 || published == 0); again++)
            (interactive, published) = HubPerfRole.RunWarmUp(); // it takes milliseconds, in which a busy machine may give it none

        Assert.True(interactive > 0, "nothing came from the interactive source");
        Assert.True(published > 0, "nothing came from the non-interactive source");
    }
}
