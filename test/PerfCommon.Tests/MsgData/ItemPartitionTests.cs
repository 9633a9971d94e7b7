using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

public class ItemPartitionTests
{
    [Fact]
    public void CountOf_GuideExample_SharesOutTheOddItem()
    {
        ItemPartition partition = new(itemCount: 1001, threadCount: 2, commonItemCount: 100);
        Assert.Equal(501, partition.CountOf(0));
        Assert.Equal(500, partition.CountOf(1));
        Assert.Equal(901, partition.ListItemsUsed);
    }

    [Theory]
    [InlineData(10, 1, 0)]
    [InlineData(10, 3, 0)]
    [InlineData(10, 3, 3)]
    [InlineData(7, 7, 1)]
    [InlineData(0, 2, 0)]
    [InlineData(5, 1, 5)]
    public void ListIndexOf_AllThreads_CoverTheListOnceBesidesTheCommonItems(int items, int threads, int common)
    {
        ItemPartition partition = new(items, threads, common);
        int[] uses = new int[partition.ListItemsUsed];
        for (int thread = 0; thread < threads; thread++)
        {
            for (int item = 0; item < partition.CountOf(thread); item++)
                uses[partition.ListIndexOf(thread, item)]++;
        }

        Assert.Equal(items, uses.Sum());
        for (int i = 0; i < uses.Length; i++)
            Assert.Equal(i < common ? threads : 1, uses[i]);
    }

    [Theory]
    [InlineData(10, 0, 0)]
    [InlineData(-1, 1, 0)]
    [InlineData(10, 3, 4)]
    [InlineData(10, 1, -1)]
    public void Constructor_ImpossibleNumbers_Throws(int items, int threads, int common) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ItemPartition(items, threads, common));
}
