using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Arrays that are lent, kept and released.</summary>
public class BufferPoolTests
{
    [Fact]
    public void Trim_ArraysNobodyNeededSinceTheLast_AreGivenUp()
    {
        BufferPool pool = new();
        byte[][] lent = [.. Enumerable.Range(0, 100).Select(_ => pool.Rent(8_000))];
        Assert.Equal(100 * 8_192, pool.HeldBytes);
        foreach (byte[] array in lent)
            pool.Return(array);
        pool.Trim(); // all are in the pool since then
        byte[][] again = [.. Enumerable.Range(0, 30).Select(_ => pool.Rent(8_000))];
        foreach (byte[] array in again)
            pool.Return(array);
        pool.Trim();
        Assert.Equal(30 * 8_192, pool.HeldBytes);
        pool.Trim();
        Assert.Equal(0, pool.HeldBytes);
        Assert.Equal(8_192, pool.Rent(8_000).Length);
        Assert.Equal(8_192, pool.HeldBytes);
    }

    [Fact]
    public void Return_MoreThanIsKept_IsGivenUpAtOnce()
    {
        BufferPool pool = new();
        byte[][] lent = [.. Enumerable.Range(0, 6).Select(_ => pool.Rent(1 << 20))];
        foreach (byte[] array in lent)
            pool.Return(array);
        Assert.Equal(4 << 20, pool.HeldBytes);
    }
}
