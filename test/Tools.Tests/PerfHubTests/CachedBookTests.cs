using System.Text;
using PerfCommon.Codec;
using PerfHub.Cache;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The cache of an order book against a simple model: for each order a dictionary of the last values.</summary>
[Trait("Category", "Fast")]
public class CachedBookTests
{
    private const int Runs = 3; // of which one allocates nothing: code that is compiled anew meanwhile may
    private const int Cases = 2_000;
    private const int Keys = 12;

    [Fact]
    public void AnySequence_OfImagesAndUpdates_ReadsWhatAModelHolds()
    {
        FieldMerger merger = new();
        for (int seed = 0; seed < Cases; seed++)
        {
            Random random = new(seed);
            CachedBook book = new();
            Dictionary<string, Dictionary<short, ulong>> model = [];
            for (int step = random.Next(1, 15); step > 0; step--)
                Step(random, book, merger, model);
            Assert.True(AreEqual(model, Decode(book.Read(merger))), $"seed {seed}");
        }
    }

    [Fact]
    public void Book_EveryOrderDeleted_HoldsNothingOfThem()
    {
        FieldMerger merger = new();
        CachedBook book = new();
        Assert.True(book.Replace(Encode([(MapAction.Add, "A", 4), (MapAction.Add, "B", 9)]), merger.Limit));
        Assert.InRange(book.HeldBytes, 2 * 100, 2 * 400);
        Assert.True(book.Merge(Encode([(MapAction.Delete, "A", 0), (MapAction.Delete, "B", 0), (MapAction.Delete, "C", 0)]),
            merger.Limit));
        Assert.Equal((0, 0), (book.Count, book.HeldBytes));
    }

    [Fact(DisableParallelization = true)] // a collection may empty the pools of arrays
    public void Book_UpdatesOfKnownOrders_AllocateNothing()
    {
        FieldMerger merger = new();
        CachedBook book = new();
        book.Replace(Encode([(MapAction.Add, "A", 4), (MapAction.Add, "B", 5)]), merger.Limit);
        byte[] update = Encode([(MapAction.Update, "B", 3), (MapAction.Update, "A", 2)]);
        long allocated = long.MaxValue;
        for (int run = 0; run < Runs && allocated > 0; run++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 1_000; i++)
                book.Merge(update, merger.Limit);
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, allocated);
    }

    [Fact]
    public void Book_BytesCutOrDamaged_IsLeftAsItWasOrWhole()
    {
        FieldMerger merger = new();
        Random random = new(3);
        byte[] map = Encode([(MapAction.Add, "A", 4), (MapAction.Update, "B", 5), (MapAction.Add, "C", 1)]);
        CachedBook book = new();
        Assert.True(book.Replace(map, merger.Limit));
        byte[] held = book.Read(merger).ToArray();
        for (int length = 1; length < map.Length; length++)
        {
            Assert.False(book.Merge(map.AsSpan(0, length), merger.Limit), $"{length} of {map.Length} bytes");
            Assert.True(book.Read(merger).SequenceEqual(held));
        }

        for (int i = 0; i < Cases; i++)
        {
            byte[] damaged = [.. map];
            damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            book.Merge(damaged, merger.Limit);
            Decode(book.Read(merger)); // whole, whatever it holds
        }
    }

    [Fact]
    public void Book_OfSetData_IsReadAsPlainLists()
    {
        // wire/rwf 4.8: set 0 of a real of one to four bytes and an integer of two; the real has its size in its hint
        byte[] map =
        [
            0x01, (byte)DataType.AsciiString, 4, 10, 0, 1, 0, 2, 0, 22, (byte)DataType.Real4RB, 0, 30, (byte)DataType.UInt2, 0, 1,
            (byte)MapAction.Add, 1, (byte)'A', 6, ListFlags.HasSetData, 0x4E, 0x01, 0x02, 0x03, 0x04,
        ];
        FieldMerger merger = new();
        CachedBook book = new();
        Assert.True(book.Replace(map, merger.Limit));
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(book.Read(merger), out MapReader reader));
        Assert.Equal(DecodeResult.Success, reader.TryReadNext(out MapEntry order));
        Assert.Equal([ListFlags.HasStandardData, 0, 2, 0, 22, 3, 0x0E, 1, 2, 0, 30, 2, 3, 4], order.Content.ToArray());
    }

    private static void Step(Random random, CachedBook book, FieldMerger merger, Dictionary<string, Dictionary<short, ulong>> model)
    {
        bool replaces = random.Next(6) == 0;
        if (replaces)
            model.Clear();
        (MapAction, string, int)[] entries =
            [.. Enumerable.Range(0, random.Next(0, 8)).Select(_ => ((MapAction)random.Next(1, 4), $"K{random.Next(Keys)}", random.Next()))];
        byte[] map = Encode(entries);
        Assert.True(replaces ? book.Replace(map, merger.Limit) : book.Merge(map, merger.Limit));
        foreach ((MapAction action, string key, int seed) in entries)
        {
            if (action != MapAction.Update)
                model.Remove(key);
            if (action == MapAction.Delete)
                continue;
            Dictionary<short, ulong> order = model.TryGetValue(key, out Dictionary<short, ulong>? known) ? known : model[key] = [];
            foreach ((short id, ulong value) in FieldsOf(seed))
                order[id] = value;
        }
    }

    // The fields of an order follow from a number.
    private static IEnumerable<(short Id, ulong Value)> FieldsOf(int seed)
    {
        Random random = new(seed);
        return [.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => ((short)random.Next(1, 9), (ulong)random.NextInt64()))];
    }

    private static byte[] Encode((MapAction Action, string Key, int Seed)[] entries)
    {
        byte[] room = new byte[2_048];
        RwfWriter writer = new(room);
        writer.BeginMap(DataType.AsciiString, DataType.FieldList);
        foreach ((MapAction action, string key, int seed) in entries)
        {
            writer.BeginMapEntry(action, Encoding.ASCII.GetBytes(key));
            if (action != MapAction.Delete)
            {
                writer.BeginFieldList();
                foreach ((short id, ulong value) in FieldsOf(seed))
                    writer.WriteUIntField(id, value);
                writer.EndFieldList();
            }

            writer.EndEntry();
        }

        Assert.True(writer.EndMap());
        return room[..writer.Written];
    }

    private static Dictionary<string, Dictionary<short, ulong>> Decode(ReadOnlySpan<byte> map)
    {
        Dictionary<string, Dictionary<short, ulong>> orders = [];
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(map, out MapReader reader));
        DecodeResult result;
        while ((result = reader.TryReadNext(out MapEntry entry)) == DecodeResult.Success)
        {
            Assert.Equal(MapAction.Add, entry.Action);
            Dictionary<short, ulong> fields = orders[Encoding.Latin1.GetString(entry.Key)] = [];
            FieldListReader.TryOpen(entry.Content, out FieldListReader list);
            while (list.TryReadNext(out FieldEntry field) == DecodeResult.Success)
                fields[field.FieldId] = RwfPrimitives.TryReadUInt(field.Content, out ulong value) == DecodeResult.Success ? value : 0;
        }

        Assert.Equal(DecodeResult.EndOfContainer, result);
        return orders;
    }

    private static bool AreEqual(Dictionary<string, Dictionary<short, ulong>> model, Dictionary<string, Dictionary<short, ulong>> read) =>
        model.Count == read.Count && model.All(order => read.TryGetValue(order.Key, out Dictionary<short, ulong>? fields)
            && fields.Count == order.Value.Count && order.Value.All(field => fields[field.Key] == field.Value));
}
