using HubPerf.Cache;
using Xunit;

namespace Tools.Tests.Hub;

public class ShapeTableTests
{
    [Fact]
    public void Shapes_EachHasANumberOfItsOwn_UntilAllAreGivenAway()
    {
        ShapeTable table = new();
        ulong[] signatures = [.. Enumerable.Range(1, 70_000).Select(i => (ulong)i * 0x9E3779B97F4A7C15)];
        ushort[] numbers = [.. signatures.Select(table.NumberOf)];
        Assert.Equal(Enumerable.Range(1, ushort.MaxValue).Select(i => (ushort)i), numbers[..ushort.MaxValue]);
        Assert.All(numbers[ushort.MaxValue..], number => Assert.Equal(0, number));
        Assert.Equal(numbers, signatures.Select(table.NumberOf));
    }
}
