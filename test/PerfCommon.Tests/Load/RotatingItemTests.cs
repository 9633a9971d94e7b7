using PerfCommon.Load;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.Load;

/// <summary>The flags of an item that receives messages in turn stay as set while its turns go on.</summary>
public sealed class RotatingItemTests
{
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Item_OfEachKind_KeepsItWhileItsTurnsGoOn(bool isOrderBook, bool hasView)
    {
        RotatingItem item = new() { IsOrderBook = isOrderBook, HasView = hasView };
        List<int> turns = [];
        for (int i = 0; i < 5; i++)
        {
            turns.Add(item.TakeGeneric(3));
            Assert.Equal((isOrderBook, hasView, isOrderBook || hasView), (item.IsOrderBook, item.HasView, item.IsSpecial));
        }

        Assert.Equal([0, 1, 2, 0, 1], turns);
        item.HasView = !hasView;
        Assert.Equal((isOrderBook, !hasView, 2), (item.IsOrderBook, item.HasView, item.TakeGeneric(3)));
    }
    /// <summary>As many messages of a kind as a file may have: each has its turn, and none of them changes the flags.</summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, true)]
    public void Item_WithAsManyMessagesAsAFileMayHave_TakesEachOfThem(bool isOrderBook, bool hasView)
    {
        int[] all = [.. Enumerable.Range(0, MessageLimits.MaxOfAKind)];
        RotatingItem item = new() { IsOrderBook = isOrderBook, HasView = hasView };
        Assert.Equal(all, all.Select(_ => item.TakeGeneric(all.Length)));
        Assert.Equal(all, all.Select(_ => item.TakeUpdate(all.Length)));
        Assert.Equal((0, 0), (item.TakeGeneric(all.Length), item.TakeUpdate(all.Length)));
        Assert.Equal((isOrderBook, hasView, isOrderBook || hasView), (item.IsOrderBook, item.HasView, item.IsSpecial));
    }
}
