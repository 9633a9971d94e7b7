using PerfCommon.Codec;
using PerfHub.Cache;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The cost of a cached item, in bytes that are merged and kept: in proportion to the received bytes, and within the limit.</summary>
public class HubCacheWorkTests
{
    private const double MaxRatio = 2.2; // of twice as much
    private static readonly int[] Sizes = [10, 20, 40, 80]; // kilobytes

    [Fact]
    public void Update_OfFieldsThatTheImageLacks_IsMergedInProportionToItsBytes()
    {
        List<(long Merged, long Allocated)> work = [];
        foreach (int size in Sizes)
        {
            FieldMerger merger = new(new FieldLimit(ushort.MaxValue));
            CachedImage image = default;
            Assert.True(image.Replace(HostileMessages.List(-30_000, 70), merger));
            byte[] update = HostileMessages.List(-29_000, size * 1_024 / 4);
            (long merged, long allocated) = (merger.MergedBytes, GC.GetAllocatedBytesForCurrentThread());
            Assert.True(image.Merge(update, merger));
            work.Add((merger.MergedBytes - merged, GC.GetAllocatedBytesForCurrentThread() - allocated));
            Assert.Equal(70 + (size * 1_024 / 4), HostileMessages.Read(image.Read(merger)).Count);
        }

        Assert.InRange(work[^1].Merged / (double)work[^2].Merged, 1, MaxRatio);
        Assert.InRange(work[^1].Merged, 80 * 1_024, 2 * 80 * 1_024);
        Assert.InRange(work[^1].Allocated, 0, 16 * 80 * 1_024); // room that doubles
    }

    [Fact]
    public void Updates_OfEverNewShapesToALongImage_CostInProportionToTheirBytes()
    {
        List<long> work = [];
        foreach (int count in (int[])[10_000, 20_000, 40_000])
        {
            FieldMerger merger = new();
            CachedImage image = default;
            Assert.True(image.Replace(HostileMessages.List(1, 2_000, valueBytes: 200), merger));
            for (int i = 0; i < count; i++)
                Assert.True(image.Merge(HostileMessages.List(1 + (i * 7 % 1_990), 1 + (i % 9), valueBytes: 8), merger));
            work.Add(merger.MergedBytes);
        }

        Assert.InRange(work[^1] / (double)work[^2], 1, MaxRatio);
        // at least half of an image of 400 KB comes before it is merged anew
        Assert.InRange(work[^1], 0, 8L * 40_000 * 60);
    }

    [Fact]
    public void Updates_OfEverNewShapes_AreReadAsAModelHoldsThem()
    {
        for (int seed = 0; seed < 300; seed++)
        {
            Random random = new(seed);
            FieldMerger merger = new();
            CachedImage image = default;
            Dictionary<short, byte> model = [];
            void Put(int first, int count, byte value)
            {
                for (int id = first; id < first + count; id++)
                    model[(short)id] = value;
            }

            Assert.True(image.Replace(HostileMessages.List(1, 300, 4, 1), merger));
            Put(1, 300, 1);
            for (int step = 0; step < 60; step++)
            {
                (int first, int count, byte value) = (random.Next(1, 400), random.Next(1, 30), (byte)random.Next(2, 250));
                Assert.True(image.Merge(HostileMessages.List(first, count, random.Next(1, 12), value), merger));
                Put(first, count, value);
                if (random.Next(20) == 0)
                    image.Read(merger);
            }

            Dictionary<short, byte[]> read = HostileMessages.Read(image.Read(merger));
            Assert.Equal(model.Count, read.Count);
            Assert.All(read, field => Assert.Equal(model[field.Key], field.Value[0]));
            image.Clear(merger);
            Assert.Equal(0, merger.Store.UsedBytes);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2_048)]
    public void Image_MoreFieldsThanAreKept_HasThoseThatCameFirstAndCountsTheRest(int maxFields)
    {
        FieldMerger merger = new(new FieldLimit(maxFields));
        CachedImage image = default;
        Assert.True(image.Replace(HostileMessages.List(1, maxFields + 3), merger));
        Assert.Equal((maxFields, 3L), (HostileMessages.Read(image.Read(merger)).Count, merger.Limit.Dropped));
        Assert.True(image.Merge(HostileMessages.List(1, 1, value: 9), merger));
        Assert.True(image.Merge(HostileMessages.List(20_000, 5), merger));
        Dictionary<short, byte[]> read = HostileMessages.Read(image.Read(merger));
        Assert.Equal((maxFields, 9), (read.Count, (int)read[1][0]));
        Assert.Equal(8, merger.Limit.Dropped);
    }

    /// <summary>An image is read for each new watcher: what it leaves out is no more by that.</summary>
    [Fact]
    public void Image_ReadAgain_CountsTheFieldsThatAreLeftOutOnce()
    {
        FieldMerger merger = new(new FieldLimit(2));
        CachedImage image = default, other = default;
        Assert.True(image.Replace(HostileMessages.List(1, 2), merger) && other.Replace(HostileMessages.List(1, 2), merger));
        Assert.True(image.Merge(HostileMessages.List(20_000, 5), merger));
        Assert.Equal([5, 5, 5], Enumerable.Range(0, 3).Select(_ => ReadAndCount(ref image)));
        Assert.True(other.Merge(HostileMessages.List(30_000, 1), merger));
        Assert.Equal([6, 6, 6], [ReadAndCount(ref other), ReadAndCount(ref image), ReadAndCount(ref other)]);
        Assert.True(image.Merge(HostileMessages.List(20_100, 3), merger));
        Assert.Equal([9, 9], [ReadAndCount(ref image), ReadAndCount(ref image)]);
        for (int i = 0; i < 100; i++)
            Assert.True(image.Merge(HostileMessages.List(1, 1 + (i % 2), valueBytes: i), merger)); // merged with the image from time to time
        Assert.Equal(9, ReadAndCount(ref image));
        Assert.True(image.Replace(HostileMessages.List(1, 3), merger));
        Assert.True(image.Merge(HostileMessages.List(20_000, 5), merger));
        Assert.Equal([15, 15], [ReadAndCount(ref image), ReadAndCount(ref image)]);

        int ReadAndCount(ref CachedImage read)
        {
            Assert.Equal(2, HostileMessages.Read(read.Read(merger)).Count);
            return (int)merger.Limit.Dropped;
        }
    }

    [Fact]
    public void WaitingUpdate_OfEverNewFields_TakesMemoryInProportionToThem()
    {
        List<(long Allocated, long Held)> work = [];
        foreach (int count in (int[])[500, 1_000, 2_000])
        {
            FieldLimit limit = new();
            CachedFields fields = default;
            byte[][] lists = [.. Enumerable.Range(0, count).Select(i => HostileMessages.List(count - i, 1, valueBytes: 3))];
            long before = GC.GetAllocatedBytesForCurrentThread();
            foreach (byte[] list in lists)
                Assert.True(fields.Merge(list, limit));
            work.Add((GC.GetAllocatedBytesForCurrentThread() - before, fields.HeldBytes));
            Assert.Equal((count, 0L), (fields.Count, limit.Dropped));
        }

        Assert.InRange(work[^1].Allocated / (double)work[^2].Allocated, 1, MaxRatio);
        Assert.InRange(work[^1].Held, 2_000 * 16, 2_000 * 64);
    }

    [Fact]
    public void WaitingUpdate_ValuesThatOutgrowTheirRoom_TakesMemoryInProportionToThem()
    {
        List<long> allocated = [];
        foreach (int rounds in (int[])[8, 16])
        {
            FieldLimit limit = new();
            CachedFields fields = default;
            long work = 0;
            for (int round = 1; round <= rounds; round++)
            {
                byte[][] lists = [.. Enumerable.Range(1, 500).Select(id => HostileMessages.List(id, 1, round * 8, (byte)round))];
                long before = GC.GetAllocatedBytesForCurrentThread();
                foreach (byte[] list in lists)
                    Assert.True(fields.Merge(list, limit));
                work += GC.GetAllocatedBytesForCurrentThread() - before;
            }

            allocated.Add(work);
            byte[] room = new byte[fields.MaxEncodedBytes];
            Dictionary<short, byte[]> read = HostileMessages.Read(room.AsSpan(0, fields.Encode(room)));
            Assert.Equal(500, read.Count);
            Assert.All(read.Values, value => Assert.Equal((rounds * 8, (byte)rounds), (value.Length, value[^1])));
        }

        // twice the rounds bring four times the bytes
        Assert.InRange(allocated[1] / (double)allocated[0], 1, 2 * MaxRatio);
    }

    [Fact]
    public void WaitingUpdate_MoreBytesThanItsPlacesTell_LeavesTheRestOut()
    {
        FieldLimit limit = new();
        CachedFields fields = default;
        for (int id = 1; id <= 2_048; id++)
            Assert.True(fields.Merge(HostileMessages.List(id, 1, valueBytes: 250), limit));
        Assert.InRange(fields.Count, 1_400, 2_047);
        Assert.Equal(2_048 - fields.Count, limit.Dropped);
        Assert.InRange(fields.HeldBytes, 0, 1_100_000);
        byte[] room = new byte[fields.MaxEncodedBytes];
        Assert.Equal(fields.Count, HostileMessages.Read(room.AsSpan(0, fields.Encode(room))).Count);
    }

    [Fact]
    public void Index_IdsInAnyOrder_FindsEachField()
    {
        foreach (int count in (int[])[17, 100, 2_048, 20_000])
        {
            FieldIndex index = new();
            short[] ids = [.. Enumerable.Range(0, count).Select(i => (short)((i * 3) - 30_000))];
            new Random(count).Shuffle(ids);
            byte[] entries = new byte[count * 8];
            for (int i = 0; i < count; i++)
            {
                System.Buffers.Binary.BinaryPrimitives.WriteInt16LittleEndian(entries.AsSpan(i * 8), ids[i]);
                if (i % 5 == 0)
                    index.AddUpTo(i + 1, entries, 8);
            }

            index.AddUpTo(count, entries, 8);
            for (int i = 0; i < count; i++)
                Assert.Equal((int)ids.AsSpan().IndexOf(ids[i]), index.Find((ushort)ids[i], entries, 8));
            Assert.Equal(-1, index.Find(31_001, entries, 8));
        }
    }

    [Fact]
    public void Book_OneOrderThatGrows_KeepsWhatItMay()
    {
        FieldMerger merger = new();
        CachedBook book = new();
        byte[] map = Map(MapAction.Update, [.. Enumerable.Range(0, 8_000).Select(i => ((byte)1, HostileMessages.List(1 + i, 1)))]);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.True(book.Merge(map, merger.Limit));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 * map.Length);
        Assert.Equal((1, 8_000L - 2_048), (book.Count, merger.Limit.Dropped));
        Assert.InRange(book.HeldBytes, 2_048 * 16, 2_048 * 64);
    }

    [Fact]
    public void Book_OrdersThatGrowBeyondIt_StayAsTheyAre()
    {
        FieldMerger merger = new();
        CachedBook book = new();
        bool isWhole = true;
        for (int round = 0; isWhole && round < 100; round++)
        {
            for (int order = 0; isWhole && order < 250; order++)
            {
                byte[] map = Map(MapAction.Update, [((byte)order, HostileMessages.List((round * 70) + 1, 70, valueBytes: 200))]);
                isWhole = book.Merge(map, merger.Limit) && !book.HasLeftOut;
            }
        }

        Assert.True(book.HasLeftOut);
        Assert.InRange(book.HeldBytes, 12_000_000, 40_000_000);
        Assert.InRange(book.Read(merger).Length, 8_000_000, 16_000_000);
        byte[] small = Map(MapAction.Add, [((byte)1, HostileMessages.List(1, 1))]);
        Assert.True(book.Replace(small, merger.Limit));
        Assert.InRange(book.HeldBytes, 1, 1_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.True(book.Replace(small, merger.Limit));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4_000); // emptied as it was filled
    }

    private static byte[] Map(MapAction action, (byte Key, byte[] List)[] orders)
    {
        byte[] room = new byte[64 + orders.Sum(order => order.List.Length + 10)];
        RwfWriter writer = new(room);
        writer.BeginMap(DataType.Buffer, DataType.FieldList);
        foreach ((byte key, byte[] list) in orders)
        {
            writer.BeginMapEntry(action, [key]);
            writer.WriteContent(list);
        }

        Assert.True(writer.EndMap());
        return room[..writer.Written];
    }
}
