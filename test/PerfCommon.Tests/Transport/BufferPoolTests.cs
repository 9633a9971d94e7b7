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

    [Theory]
    [InlineData(1, 1_024)]
    [InlineData(1_024, 1_024)]
    [InlineData(1_025, 2_048)]
    [InlineData(65_536, 65_536)]
    [InlineData(65_537, 131_072)]
    public void CapacityFor_AnySize_IsThePowerOfTwoThatHoldsIt(int bytes, int capacity)
    {
        BufferPool pool = new();
        Assert.Equal(capacity, BufferPool.CapacityFor(bytes));
        Assert.Equal(capacity, pool.Rent(bytes).Length);
        Assert.Equal(capacity, pool.HeldBytes);
    }

    [Fact]
    public void Rent_ArrayOfThatSizeReturned_IsThatArray()
    {
        BufferPool pool = new();
        byte[] small = pool.Rent(2_000);
        byte[] large = pool.Rent(4_000);
        pool.Return(small);
        pool.Return(large);
        Assert.Same(large, pool.Rent(2_049));
        Assert.Same(small, pool.Rent(2_048));
        Assert.Equal(2_048 + 4_096, pool.HeldBytes);
    }

    [Fact]
    public void Return_NoArray_ChangesNothing()
    {
        BufferPool pool = new();
        pool.Return([]);
        Assert.Equal(1_024, pool.Rent(1).Length);
        Assert.Equal(1_024, pool.HeldBytes);
    }

    /// <summary>Arrays of one read, or smaller: 32 MiB of each size. Larger: 4 MiB of each size, and one array of any size.</summary>
    [Theory]
    [InlineData(64 * 1024, 512)]
    [InlineData(128 * 1024, 32)]
    [InlineData(2 * 1024 * 1024, 2)]
    [InlineData(8 * 1024 * 1024, 1)]
    public void Return_AsManyAsAreKept_KeepsExactlyThese(int bytes, int kept)
    {
        BufferPool pool = new();
        byte[][] lent = [.. Enumerable.Range(0, kept + 2).Select(_ => pool.Rent(bytes))];
        for (int i = 0; i < kept; i++)
            pool.Return(lent[i]);
        Assert.Equal((kept + 2L) * bytes, pool.HeldBytes);
        pool.Return(lent[kept]);
        pool.Return(lent[kept + 1]);
        Assert.Equal((long)kept * bytes, pool.HeldBytes);
    }

    [Fact]
    public void Trim_NothingReturnedBefore_KeepsWhatWasReturnedSince()
    {
        BufferPool pool = new();
        byte[] lent = pool.Rent(8_000);
        pool.Trim();
        pool.Return(lent);
        pool.Trim(); // it was lent at the last trimming
        Assert.Equal(8_192, pool.HeldBytes);
        pool.Trim();
        Assert.Equal(0, pool.HeldBytes);
    }

    [Fact]
    public void Trim_FewAndManyLentInTurn_KeepsTheGreatestNumberInUse()
    {
        BufferPool pool = new();
        Lend(pool, 10);
        pool.Trim();
        Lend(pool, 7);
        Lend(pool, 2); // fewer than before
        pool.Trim();
        Assert.Equal(7 * 8_192, pool.HeldBytes);
    }

    private static void Lend(BufferPool pool, int count)
    {
        byte[][] lent = [.. Enumerable.Range(0, count).Select(_ => pool.Rent(8_000))];
        foreach (byte[] array in lent)
            pool.Return(array);
    }
}
