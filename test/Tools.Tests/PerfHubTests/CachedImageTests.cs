using PerfHub.Cache;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The bytes that an image uses: those of its list, half of it again where updates are appended, and no more for long.</summary>
[Trait("Category", "Fast")]
public class CachedImageTests
{
    private const int FieldBytes = 11; // with its head
    private const int HeadBytes = 3;
    private readonly FieldMerger _merger = new();

    [Fact]
    public void Replace_ByALittleShorterList_StaysInItsPiece()
    {
        CachedImage image = default;
        Assert.True(image.Replace(HostileMessages.List(1, 200, 8), _merger));
        int held = image.HeldBytes;
        for (int fields = 199; fields > 105; fields--)
        {
            Assert.True(image.Replace(HostileMessages.List(1, fields, 8), _merger));
            Assert.Equal(held, image.HeldBytes);
        }
    }

    [Fact]
    public void Replace_ByAMuchShorterList_FreesTheRest()
    {
        CachedImage image = default;
        Assert.True(image.Replace(HostileMessages.List(1, 200, 8), _merger));
        Assert.True(image.Replace(HostileMessages.List(1, 10, 8), _merger));
        int list = HeadBytes + (10 * FieldBytes);
        Assert.InRange(image.HeldBytes, list, (list * 9 / 8) + 16);
        Assert.Equal(image.HeldBytes, _merger.Store.UsedBytes);
        Assert.Equal(10, HostileMessages.Read(image.Read(_merger)).Count);
    }

    [Fact]
    public void Merge_OfAnUpdateThatFitsInNoSlot_KeepsHalfOfTheListForFurtherOnes()
    {
        const int Fields = 900, Changed = 100;
        CachedImage image = default;
        Assert.True(image.Replace(HostileMessages.List(1, Fields, 8), _merger));
        Assert.True(image.Merge(HostileMessages.List(1, Changed, 8, value: 2), _merger));
        int list = HeadBytes + (Fields * FieldBytes);
        Assert.InRange(image.HeldBytes, list * 3 / 2, (list * 3 / 2 * 9 / 8) + 32);
        long merged = _merger.MergedBytes;
        for (byte value = 3; value < 6; value++)
            Assert.True(image.Merge(HostileMessages.List(1, Changed, 8, value), _merger)); // appended: the list is not merged again
        Assert.Equal(merged, _merger.MergedBytes);
        Dictionary<short, byte[]> fields = HostileMessages.Read(image.Read(_merger));
        Assert.Equal((Fields, 5, 5, 1), (fields.Count, fields[1][0], fields[Changed][7], fields[Changed + 1][0]));
    }

    [Fact]
    public void Trim_AfterALongList_FreesItsBuffer()
    {
        const int Bytes = 1_000_000;
        _merger.RoomFor(Bytes);
        long before = GC.GetAllocatedBytesForCurrentThread();
        _merger.RoomFor(Bytes);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        _merger.Trim();
        _merger.RoomFor(Bytes);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, Bytes, 2 * Bytes);
    }
}
