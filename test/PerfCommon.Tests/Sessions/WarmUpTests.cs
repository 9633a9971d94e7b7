using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

public class WarmUpTests
{
    [Fact]
    public void Provider_ShippedMessages_EncodesImagesAndUpdates() => Assert.True(WarmUp.Provider(SessionSamples.Plan) > 0);

    [Fact]
    public void Consumer_ShippedDictionary_DecodesValues() => Assert.NotEqual(0UL, WarmUp.Consumer(SessionSamples.Dictionary));
}
