using System.Buffers.Binary;
using PerfCommon.Codec;
using PerfHub.Cache;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// The cache of fields against a simple model: a dictionary of the last values, in the order in which the fields arrived first.
/// </summary>
public class CachedFieldsTests
{
    private const int Cases = 3_000;

    [Fact]
    public void AnySequence_OfImagesAndUpdates_HoldsWhatAModelHolds()
    {
        FieldLimit limit = new();
        for (int seed = 0; seed < Cases; seed++)
        {
            Random random = new(seed);
            CachedFields fields = default;
            List<(short Id, byte[] Value)> model = [];
            for (int step = random.Next(1, 12); step > 0; step--)
                Step(random, ref fields, limit, model);
            Assert.True(Decode(fields).SequenceEqual(model, new EntryComparer()), $"seed {seed}");
        }
    }

    [Fact]
    public void AnySequence_OfImagesAndUpdatesOfFewShapes_ReadsWhatAModelHolds()
    {
        FieldMerger merger = new();
        for (int seed = 0; seed < Cases; seed++)
        {
            Random random = new(seed);
            CachedImage image = default;
            Dictionary<short, byte[]> model = [];
            (short Id, byte[] Value)[][] shapes =
                [.. Enumerable.Range(0, random.Next(1, 9)).Select(_ => CreateEntries(random, random.Next(0, 25)))];
            for (int step = random.Next(1, 40); step > 0; step--)
                Step(random, ref image, merger, shapes, model);
            Dictionary<short, byte[]> read = Decode(image.Read(merger)).GroupBy(entry => entry.Id).ToDictionary(group => group.Key,
                group => group.Last().Value);
            Assert.True(read.Count == model.Count && read.All(entry => model[entry.Key].AsSpan().SequenceEqual(entry.Value)),
                $"seed {seed}");
        }
    }

    /// <summary>Memory is reserved for the fields that are kept, and for none of those beyond the limit.</summary>
    [Fact]
    public void Replace_ListOfMoreFieldsThanTheLimit_HoldsTheBytesOfThoseThatAreKept()
    {
        FieldLimit limit = new(maxFields: 4);
        CachedFields exact = default, beyond = default;
        Assert.True(exact.Replace(ListOf(4), limit) && beyond.Replace(ListOf(9), limit));
        Assert.Equal((4, 4, 5L), (exact.Count, beyond.Count, limit.Dropped));
        Assert.Equal(exact.HeldBytes, beyond.HeldBytes);

        static byte[] ListOf(int fields) => Encode([.. Enumerable.Range(1, fields).Select(id => ((short)id, new byte[8]))]);
    }

    [Fact]
    public void Image_BytesCutOrDamaged_IsLeftAsItWas()
    {
        FieldMerger merger = new();
        Random random = new(9);
        byte[] list = Encode(CreateEntries(random, 30));
        CachedImage image = default;
        Assert.True(image.Replace(list, merger));
        byte[] held = image.Read(merger).ToArray();
        for (int length = 1; length < list.Length; length++)
        {
            Assert.False(image.Merge(list.AsSpan(0, length), merger), $"{length} of {list.Length} bytes");
            Assert.True(image.Read(merger).SequenceEqual(held));
        }

        for (int i = 0; i < Cases; i++)
        {
            byte[] damaged = [.. list];
            damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            image.Merge(damaged, merger);
            Decode(image.Read(merger)); // whole, whatever it holds
        }
    }

    [Fact(DisableParallelization = true)] // a collection may empty the pools of arrays
    public void Image_OfFourShapes_TakesNoMemoryPerUpdateAndBelow1500Bytes()
    {
        FieldMerger merger = new();
        CachedImage image = default;
        image.Replace(Encode([.. Enumerable.Range(0, 76).Select(i => ((short)(i + 1), new byte[i % 6 == 0 ? 0 : 3]))]), merger);
        byte[][] updates =
            [.. Enumerable.Range(0,
                4).Select(shape => Encode([.. Enumerable.Range(shape, 23).Select(i => ((short)(i + 1), new byte[3]))]))];
        foreach (byte[] update in updates)
            Assert.True(image.Merge(update, merger));
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1_000; i++)
            image.Merge(updates[i % 4], merger);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.InRange(image.HeldBytes + CachedItem.OverheadBytes, 400, 1_500);
    }

    [Fact(DisableParallelization = true)] // a collection may empty the pools of arrays
    public void Images_OfValuesWhoseLengthsChange_TakeNoMemoryPerUpdateOrReadingInTheEnd()
    {
        FieldMerger merger = new();
        CachedImage[] images = new CachedImage[2];
        byte[] list = Encode([.. Enumerable.Range(1, 12).Select(i => ((short)i, new byte[i % 7]))]);
        images[0].Replace(list, merger);
        images[1].Replace(list, merger);
        byte[][] updates = // of more shapes than are kept side by side, and of fields that the list does not have
            [.. Enumerable.Range(0, 90).Select(step => Encode([.. Enumerable.Range(step % 9, 20).Select(i =>
                ((short)(i + 1), new byte[(i + step) % 7]))]))];
        long before = 0;
        for (int i = 0; i < 4_000; i++)
        {
            if (i == 2_000)
                before = GC.GetAllocatedBytesForCurrentThread();
            images[i % 2].Merge(updates[i % updates.Length], merger);
            images[i % 2].Read(merger);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Merge_BytesCutOrDamaged_NeverThrowsAndEncodesAList()
    {
        FieldLimit limit = new();
        Random random = new(7);
        byte[] list = Encode(CreateEntries(random, 30));
        for (int i = 0; i < Cases; i++)
        {
            CachedFields fields = default;
            byte[] damaged = [.. list[..random.Next(list.Length + 1)]];
            if (damaged.Length > 0 && (i & 1) == 0)
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            fields.Replace(damaged, limit);
            fields.Merge(damaged, limit);
            Decode(fields); // whole, whatever it holds
        }
    }

    [Fact]
    public void Merge_CutList_SaysSo()
    {
        FieldLimit limit = new();
        byte[] list = Encode(CreateEntries(new Random(1), 12));
        for (int length = 1; length < list.Length; length++)
        {
            CachedFields fields = default;
            Assert.False(fields.Merge(list.AsSpan(0, length), limit), $"{length} of {list.Length} bytes");
        }
    }

    [Fact(DisableParallelization = true)] // a collection may empty the pools of arrays
    public void Merge_Updates_AllocateNothingOnceTheImageIsThere()
    {
        FieldLimit limit = new();
        (short, byte[])[] entries = CreateEntries(new Random(3), 40);
        byte[] image = Encode(entries);
        byte[] update = Encode(entries[5..20]);
        CachedFields fields = default;
        fields.Replace(image, limit);
        fields.Merge(update, limit);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1_000; i++)
            fields.Merge(update, limit);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static void Step(Random random, ref CachedFields fields, FieldLimit limit, List<(short Id, byte[] Value)> model)
    {
        (short Id, byte[] Value)[] entries = CreateEntries(random, random.Next(0, 25));
        byte[] list = Encode(entries);
        bool replaces = random.Next(4) == 0;
        if (replaces)
            model.Clear();
        Assert.True(replaces ? fields.Replace(list, limit) : fields.Merge(list, limit));
        foreach ((short Id, byte[] Value) entry in entries)
        {
            int at = model.FindIndex(known => known.Id == entry.Id);
            if (at < 0)
                model.Add(entry);
            else
                model[at] = entry;
        }

        if (random.Next(10) != 0)
            return;
        fields.Clear(); // the source has closed the item
        model.Clear();
    }

    private static void Step(Random random, ref CachedImage image, FieldMerger merger, (short Id, byte[] Value)[][] shapes,
        Dictionary<short, byte[]> model)
    {
        (short Id, byte[] Value)[] entries = [.. shapes[random.Next(shapes.Length)].Select(entry => (entry.Id, CreateValue(random)))];
        bool replaces = random.Next(15) == 0;
        if (replaces)
            model.Clear();
        Assert.True(replaces ? image.Replace(Encode(entries), merger) : image.Merge(Encode(entries), merger));
        foreach ((short id, byte[] value) in entries)
            model[id] = value;
        if (random.Next(30) != 0)
            return;
        image.Clear(merger); // the source has closed the item
        model.Clear();
    }

    private static (short Id, byte[] Value)[] CreateEntries(Random random, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => ((short)random.Next(-20, 40), CreateValue(random)))];

    private static byte[] CreateValue(Random random)
    {
        byte[] value =
            new byte[random.Next(20) switch { < 15 => random.Next(0, 9), < 19 => random.Next(9, 60), _ => random.Next(200, 700) }];
        random.NextBytes(value);
        return value;
    }

    private static byte[] Encode((short Id, byte[] Value)[] entries)
    {
        byte[] room = new byte[3 + entries.Sum(entry => entry.Value.Length + 5)];
        room[0] = ListFlags.HasStandardData;
        BinaryPrimitives.WriteUInt16BigEndian(room.AsSpan(1), (ushort)entries.Length);
        int at = 3;
        foreach ((short id, byte[] value) in entries)
        {
            BinaryPrimitives.WriteInt16BigEndian(room.AsSpan(at), id);
            at += 2;
            if (value.Length >= LengthMark.TwoMoreBytes)
            {
                room[at] = LengthMark.TwoMoreBytes;
                BinaryPrimitives.WriteUInt16BigEndian(room.AsSpan(at + 1), (ushort)value.Length);
                at += 3;
            }
            else
            {
                room[at++] = (byte)value.Length;
            }

            value.CopyTo(room, at);
            at += value.Length;
        }

        return room[..at];
    }

    private static List<(short Id, byte[] Value)> Decode(CachedFields fields)
    {
        byte[] room = new byte[fields.MaxEncodedBytes];
        return Decode(room.AsSpan(0, fields.Encode(room)));
    }

    private static List<(short Id, byte[] Value)> Decode(ReadOnlySpan<byte> list)
    {
        List<(short, byte[])> entries = [];
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(list, out FieldListReader reader));
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
            entries.Add((entry.FieldId, entry.Content.ToArray()));
        Assert.Equal(DecodeResult.EndOfContainer, result);
        return entries;
    }

    private sealed class EntryComparer : IEqualityComparer<(short Id, byte[] Value)>
    {
        public bool Equals((short Id, byte[] Value) x, (short Id, byte[] Value) y) =>
            x.Id == y.Id && x.Value.AsSpan().SequenceEqual(y.Value);

        public int GetHashCode((short Id, byte[] Value) obj) => obj.Id;
    }
}
