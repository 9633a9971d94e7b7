using System.Buffers.Binary;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

public sealed class ItemGroupsTests
{
    private readonly ItemGroups _groups = new(items: 4);

    [Fact]
    public void Join_AnotherGroup_LeavesTheFirst()
    {
        _groups.Join(0, [0, 0]);
        _groups.Join(1, [0, 0]);
        _groups.Join(1, []);
        ushort first = _groups.NumberOf([0, 0]);
        ushort empty = _groups.NumberOf([]);

        Assert.NotEqual(first, empty);
        Assert.Equal((true, false, false), (_groups.IsIn(0, first), _groups.IsIn(1, first), _groups.IsIn(2, first)));
        Assert.True(_groups.IsIn(1, empty));
    }

    [Fact]
    public void Join_MoreGroupsThanAreKept_IsInNone()
    {
        byte[] group = new byte[200];
        int kept = 0;
        for (int i = 0; i < 100_000; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(group, i);
            kept += _groups.NumberOf(group) > 0 ? 1 : 0;
        }

        _groups.Join(3, group);
        Assert.InRange(kept, 1_000, 10_000);
        Assert.False(_groups.IsIn(3, _groups.NumberOf(group)));
        _groups.Merge(group, [1]);
        Assert.False(_groups.IsIn(3, _groups.NumberOf([1])));
    }

    [Fact]
    public void Join_KnownGroups_AllocatesNothing()
    {
        byte[][] groups = [[1], [2, 2], [3, 3, 3]];
        foreach (byte[] group in groups)
            _groups.Join(0, group);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
                _groups.Join(i & 3, groups[i % groups.Length]);
        });
    }
}
