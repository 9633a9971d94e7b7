using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Compares the values of streams with a dictionary.</summary>
public sealed class StreamMapTests
{
    [Theory]
    [InlineData(1, 10, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(3, 1_000, -1)]
    [InlineData(4, 5, 7)]
    [InlineData(5, 5, 1_000_003)]
    [InlineData(6, int.MaxValue - 4_000, 1)]
    public void AddSetRemove_AnyOrder_KnowsWhatADictionaryKnows(int seed, int first, int step)
    {
        Random random = new(seed);
        Dictionary<int, int> model = [];
        StreamMap<int> map = new();
        for (int i = 0; i < 3_000; i++)
        {
            int streamId = unchecked(first + (step * random.Next(1 + (i / 4))));
            if (!model.TryGetValue(streamId, out int known))
                map.Add(streamId, model[streamId] = i + 1);
            else if (known % 2 == 0)
                map.Set(streamId, model[streamId] = i + 1);
            else if (model.Remove(streamId))
                map.Remove(streamId);

            Assert.Equal(model.Count, map.Count);
            Assert.Equal(model.GetValueOrDefault(streamId), map.Find(streamId));
        }

        Assert.All(model, pair => Assert.Equal(pair.Value, map.Find(pair.Key)));
        if (model.Keys.All(id => id > 0))
            Assert.Equal(model.Keys.Order(), map.PositiveIds().Where(id => map.Find(id) != 0).Order());
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 7)]
    [InlineData(3, 100_003)]
    [InlineData(4, -100_003)]
    public void AddRemove_SlotsWithTheirIdsInATable_KnowsWhatADictionaryKnows(int seed, int step)
    {
        Random random = new(seed);
        Dictionary<int, int> model = [];
        int[] ids = new int[1_000];
        StreamMap<int> map = new(() => new SparseSlots(slot => ids[slot]));
        for (int i = 0; i < 10_000; i++)
        {
            int slot = random.Next(ids.Length), streamId = unchecked(step * (1 + random.Next(1 + i)));
            if (ids[slot] != 0)
            {
                map.Remove(ids[slot]);
                model.Remove(ids[slot]);
                ids[slot] = 0;
            }
            else if (model.TryAdd(streamId, slot + 1))
            {
                ids[slot] = streamId;
                map.Add(streamId, slot + 1);
            }

            Assert.Equal(model.Count, map.Count);
            Assert.Equal(model.GetValueOrDefault(streamId), map.Find(streamId));
        }

        Assert.All(model, pair => Assert.Equal(pair.Value, map.Find(pair.Key)));
        if (step > 0)
            Assert.Equal(model.Keys.Order(), map.PositiveIds().Where(id => map.Find(id) != 0).Order());
    }

    [Fact]
    public void Add_StreamsCountedUp_TakesFourBytesEach() => Assert.InRange(BytesOfEach(step: 1, new()), 4, 5);

    [Fact]
    public void Add_StreamsFarApart_TakesSixteenBytesEach() => Assert.InRange(BytesOfEach(step: 10_000, new()), 16, 18);

    [Fact]
    public void Add_StreamsFarApartWithTheirIdsInATable_TakesEightBytesEach() =>
        Assert.InRange(BytesOfEach(step: 10_000, new(() => new SparseSlots(slot => 10_000 * (slot + 1)))), 8, 10);

    private static double BytesOfEach(int step, StreamMap<int> map)
    {
        const int streams = 100_000;
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 1; i <= streams; i++)
            map.Add(step * i, i);
        return (GC.GetAllocatedBytesForCurrentThread() - before) / (double)streams;
    }
}
