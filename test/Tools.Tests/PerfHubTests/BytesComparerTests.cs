using PerfHub.Cache;
using Xunit;

namespace Tools.Tests.PerfHubTests;

public class BytesComparerTests
{
    [Theory]
    [InlineData(new byte[0], new byte[0], true)]
    [InlineData(new byte[] { 1, 2, 3 }, new byte[] { 1, 2, 3 }, true)]
    [InlineData(new byte[] { 1, 2, 3 }, new byte[] { 1, 2, 4 }, false)]
    [InlineData(new byte[] { 1, 2, 3 }, new byte[] { 1, 2 }, false)]
    public void Equals_Names_AreThoseOfEqualBytes(byte[] one, byte[] other, bool isEqual)
    {
        Assert.Equal(isEqual, BytesComparer.Instance.Equals(one, other));
        Assert.Equal(isEqual, BytesComparer.Instance.Equals(one.AsSpan(), other));
        HashSet<byte[]> names = new(BytesComparer.Instance) { one };
        Assert.Equal(isEqual, names.Contains(other));
        Assert.Equal(isEqual, names.GetAlternateLookup<ReadOnlySpan<byte>>().Contains(other));
    }
}
