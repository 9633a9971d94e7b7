using PerfCommon.Load;
using Xunit;

namespace PerfCommon.Tests.Load;

public class SegmentsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(17)]
    [InlineData(Segments<int>.SegmentLength)]
    [InlineData(Segments<int>.SegmentLength + 1)]
    [InlineData((3 * Segments<int>.SegmentLength) + 1)]
    public void Reserve_AtOnceOrOneByOne_KeepsWhatWasThereAndTheRestIsEmpty(int count)
    {
        Segments<int> values = new(-1);
        for (int i = 0; i < count; i++)
        {
            values.Reserve(i + 1);
            values[i] = i;
        }

        Segments<int> atOnce = new(-1);
        atOnce.Reserve(count);
        Assert.Equal(values.Capacity, atOnce.Capacity);
        Assert.Equal(Enumerable.Range(0, count), Enumerable.Range(0, count).Select(i => values[i]));
        Assert.All(Enumerable.Range(count, values.Capacity - count), i => Assert.Equal(-1, values[i]));
        Assert.All(Enumerable.Range(0, atOnce.Capacity), i => Assert.Equal(-1, atOnce[i]));
    }

    [Fact]
    public void Reserve_BehindTheFirstSegment_LeavesValuesWhereTheyAre()
    {
        Segments<byte> values = new();
        values.Reserve(Segments<byte>.SegmentLength);
        Span<byte> slice = values.Slice(10, 20);
        values.Reserve(10 * Segments<byte>.SegmentLength);
        slice[0] = 7;

        Assert.Equal((7, 20), (values[10], slice.Length));
    }

    [Fact]
    public void Index_BehindTheCapacity_Throws()
    {
        Segments<int> values = new();
        values.Reserve(1);
        Assert.Throws<IndexOutOfRangeException>(() => values[values.Capacity]);
        Assert.Throws<IndexOutOfRangeException>(() => values[-1]);
    }
}
