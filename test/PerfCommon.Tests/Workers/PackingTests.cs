using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public class PackingTests
{
    [Theory]
    [InlineData(10, 100, 98, true)] // with the two bytes of its length it fills the buffer
    [InlineData(10, 100, 99, false)]
    [InlineData(2, 100, 1, true)]
    [InlineData(1, 100, 1, false)] // one message a buffer is no packing
    [InlineData(0, 100, 1, false)]
    public void Holds_MessageAndItsLength_MustFitTheBuffer(int maxCount, int bufferBytes, int maxBytes, bool holds) =>
        Assert.Equal(holds, new Packing(maxCount, bufferBytes).Holds(maxBytes));

    [Fact]
    public void None_Always_IsOff() => Assert.Equal((false, false), (Packing.None.IsOn, Packing.None.Holds(1)));
}
