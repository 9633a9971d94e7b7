using PerfHub.Cache;
using Xunit;

namespace Tools.Tests.PerfHubTests;

[Trait("Category", "Fast")]
public class FieldStoreTests
{
    private const int MiB = 1 << 20;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Pieces_TakenAndGivenBack_KeepTheirBytes(int seed)
    {
        FieldStore store = new();
        Random random = new(seed);
        List<(int Place, int Room, byte[] Bytes)> held = [];
        for (int step = 0; step < 20_000; step++)
        {
            if (held.Count > 0 && random.Next(held.Count + 200) > 200)
            {
                int index = random.Next(held.Count);
                (int place, int room, byte[] bytes) = held[index];
                Assert.True(store.Of(place, bytes.Length).SequenceEqual(bytes));
                store.Return(place, room);
                held.RemoveAt(index);
                continue;
            }

            int most = random.Next(50) switch { 0 => 300_000, < 5 => 20_000, _ => 900 };
            byte[] wanted = new byte[random.Next(1, most)];
            random.NextBytes(wanted);
            int at = store.Rent(wanted.Length, out int has);
            Assert.NotEqual(0, at);
            Assert.InRange(has, wanted.Length, (wanted.Length * 9 / 8) + 16);
            wanted.CopyTo(store.Of(at, has));
            held.Add((at, has, wanted));
        }

        Assert.All(held, one => Assert.True(store.Of(one.Place, one.Bytes.Length).SequenceEqual(one.Bytes)));
        Assert.Equal(held.Sum(one => (long)one.Room), store.UsedBytes);
        held.ForEach(one => store.Return(one.Place, one.Room));
        Assert.Equal(0, store.UsedBytes);
    }

    [Fact]
    public void Pieces_OfTheSameSize_AreUsedAgain()
    {
        FieldStore store = new();
        HashSet<int> places = [];
        for (int i = 0; i < 1_000; i++)
        {
            int place = store.Rent(413, out int room);
            places.Add(place);
            store.Return(place, room);
        }

        Assert.Single(places);
    }

    [Fact]
    public void Store_MostlyGivenBack_IsSparse()
    {
        FieldStore store = new();
        List<(int Place, int Room)> held = [];
        while (store.UsedBytes < 20 * MiB)
            held.Add((store.Rent(1_000, out int room), room));
        Assert.False(store.IsSparse);
        foreach ((int place, int room) in held[..(held.Count * 6 / 10)])
            store.Return(place, room);
        Assert.True(store.IsSparse);
    }

    /// <summary>More than half must be in no use, and all blocks together large enough to be worth the moving.</summary>
    [Fact]
    public void Store_HalfGivenBackOrSmall_IsNotSparse()
    {
        const int Blocks = 20, LeastBlocks = 16, PiecesOfBlock = 7; // each an eighth: the first unit of a block is left out
        FieldStore store = new(), small = new(), least = new();
        List<(int Place, int Room)> large = [.. Enumerable.Range(0, Blocks).Select(_ => (store.Rent(MiB, out int room), room))];
        FillAndGiveBack(store, Blocks * PiecesOfBlock);
        Assert.Equal(Blocks * (long)MiB, store.UsedBytes);
        Assert.False(store.IsSparse);
        store.Return(large[0].Place, large[0].Room);
        Assert.True(store.IsSparse);

        FillAndGiveBack(small, (LeastBlocks - 1) * PiecesOfBlock);
        FillAndGiveBack(least, LeastBlocks * PiecesOfBlock);
        Assert.Equal((false, true), (small.IsSparse, least.IsSparse));

        static void FillAndGiveBack(FieldStore store, int pieces)
        {
            List<(int Place, int Room)> held = [.. Enumerable.Range(0, pieces).Select(_ => (store.Rent(MiB / 8, out int room), room))];
            held.ForEach(one => store.Return(one.Place, one.Room));
        }
    }

    /// <summary>A piece of the maximum size, in a separate block, stays; one that was freed meanwhile is not used again.</summary>
    [Fact]
    public void Pieces_MovedTogether_AreThoseOfCutBlocks()
    {
        FieldStore store = new();
        int large = store.Rent(MiB, out int largeRoom);
        (int moved, int given) = (store.Rent(413, out int room), store.Rent(413, out _));
        store.Of(large, largeRoom).Fill(1);
        store.Of(moved, room).Fill(2);
        store.BeginMoving();
        store.Return(given, room);
        int fresh = store.Rent(413, out _);
        Assert.DoesNotContain(fresh, (int[])[large, moved, given]);
        Assert.Equal(large, store.Move(large, largeRoom));
        Assert.Equal(fresh, store.Move(fresh, room));
        int former = moved;
        moved = store.Move(moved, room);
        Assert.NotEqual(former, moved);
        Assert.Equal(0, store.Move(0, room));
        store.EndMoving();

        Assert.Equal(largeRoom + (2L * room), store.UsedBytes);
        Assert.False(store.Of(large, largeRoom).ContainsAnyExcept((byte)1));
        Assert.False(store.Of(moved, room).ContainsAnyExcept((byte)2));
        Assert.ThrowsAny<Exception>(() => store.Of(former, room).Length > 0 ? room : 0);
        store.Return(large, largeRoom);
        store.Return(moved, room);
        store.Return(fresh, room);
        Assert.Equal(0, store.UsedBytes);
    }

    [Fact]
    public void Images_MovedTogether_HoldWhatTheyHeld()
    {
        FieldMerger merger = new();
        CachedImage[] images = new CachedImage[200];
        Random random = new(4);
        byte[][] before = new byte[images.Length][];
        for (int i = 0; i < images.Length; i++)
        {
            for (int list = random.Next(0, 9); list > 0; list--)
                Assert.True(images[i].Merge(List(random), merger));
            before[i] = images[i].Read(merger).ToArray();
        }

        merger.Store.BeginMoving();
        for (int i = 0; i < images.Length; i++)
        {
            images[i].Move(merger);
            CachedImage other = default; // one that comes and goes meanwhile
            Assert.True(other.Merge(List(random), merger));
            other.Clear(merger);
        }

        Assert.True(merger.Store.IsMoving);
        merger.Store.EndMoving();
        Assert.False(merger.Store.IsMoving);
        Assert.Equal(images.Sum(image => (long)image.HeldBytes), merger.Store.UsedBytes);
        for (int i = 0; i < images.Length; i++)
            Assert.True(images[i].Read(merger).SequenceEqual(before[i]), $"image {i}");
        for (int i = 0; i < images.Length; i++)
            images[i].Clear(merger);
        Assert.Equal(0, merger.Store.UsedBytes);
    }

    // Some fields of two bytes, in the plain form.
    private static byte[] List(Random random)
    {
        int count = random.Next(1, 30);
        int first = random.Next(1, 4);
        byte[] list = new byte[3 + (5 * count)];
        list[0] = PerfCommon.Codec.ListFlags.HasStandardData;
        list[2] = (byte)count;
        for (int i = 0; i < count; i++)
            (list[4 + (5 * i)], list[5 + (5 * i)], list[6 + (5 * i)]) = ((byte)(first + i), 2, (byte)random.Next(256));
        return list;
    }
}
