using PerfCommon.MsgData;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class ItemStrideTests
{
    // Of the K*s items in use none has more than one watcher more than another, however many users there are; the distances are even.
    [Fact]
    public void Of_EveryListAndShare_SpreadsUsersEvenly()
    {
        for (int items = 1; items <= 200; items++)
        {
            for (int count = 1; count <= items; count++)
                CheckSpread(items, count);
        }
    }

    [Fact]
    public void Of_SameUser_HasTheSameItems() => Assert.Equal(ItemStride.Of(10_000, 100, 7), ItemStride.Of(10_000, 100, 107));

    private static void CheckSpread(int items, int count)
    {
        int step = items / count;
        int[] watchers = new int[items];
        for (int user = 0; user < step; user++)
        {
            ItemStride own = ItemStride.Of(items, count, user);
            for (int i = 0; i < count; i++)
                watchers[own.ListIndexOf(i)]++;
            Assert.True(own.Step == step && own.ListIndexOf(count - 1) - own.ListIndexOf(0) == (count - 1) * step,
                $"{items}, {count}: user {user}");
        }

        // The first s users have each item once, and user s has those of user 0 again.
        Assert.True(watchers.Take(step * count).All(number => number == 1) && watchers.Skip(step * count).All(number => number == 0),
            $"{items}, {count}");
        Assert.True(ItemStride.Of(items, count, step) == ItemStride.Of(items, count, 0), $"{items}, {count}: user {step}");
    }
}
