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

    // Whole segments after the values are released, all but the first.
    [Theory]
    [InlineData(3, 0, 1)]
    [InlineData(3, 1, 1)]
    [InlineData(3, Segments<int>.SegmentLength, 1)]
    [InlineData(3, Segments<int>.SegmentLength + 1, 2)]
    [InlineData(3, 2 * Segments<int>.SegmentLength, 2)]
    [InlineData(100, 2 * Segments<int>.SegmentLength, 2)]
    public void Trim_ToANumberOfValues_KeepsTheirSegments(int segments, int count, int kept)
    {
        Segments<int> values = new(-1);
        values.Reserve(segments * Segments<int>.SegmentLength);
        for (int i = 0; i < values.Capacity; i++)
            values[i] = i;
        values.Trim(count);
        Assert.Equal(kept * Segments<int>.SegmentLength, values.Capacity);
        values.Reserve(segments * Segments<int>.SegmentLength);
        Assert.All(Enumerable.Range(0, values.Capacity), i => Assert.Equal(i < kept * Segments<int>.SegmentLength ? i : -1, values[i]));
    }
}
