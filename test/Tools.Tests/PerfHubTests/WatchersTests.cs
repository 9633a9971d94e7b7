using PerfHub.Consumers;
using Xunit;

namespace Tools.Tests.PerfHubTests;

public class WatchersTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void AnySequence_HoldsWhatAModelHolds(int seed)
    {
        Watchers watchers = new();
        Random random = new(seed);
        List<Watcher>[] model = [.. Enumerable.Range(0, 150).Select(_ => new List<Watcher>())];
        for (int step = 0; step < 20_000; step++)
        {
            int slot = random.Next(model.Length);
            if (random.Next(5) < 2 && model[slot] is { Count: > 0 } there)
            {
                int place = random.Next(there.Count);
                bool hasMoved = watchers.TryRemove(slot, place, out Watcher moved);
                Assert.Equal((place < there.Count - 1, there[^1]), (hasMoved, moved));
                there[place] = there[^1];
                there.RemoveAt(there.Count - 1);
            }
            else
            {
                Watcher watcher = Watcher.Of(random.Next(1_000), step, waits: random.Next(2) == 0);
                Assert.Equal(model[slot].Count, watchers.Add(slot, watcher));
                model[slot].Add(watcher);
            }

            Assert.Equal(model[slot], watchers.Of(slot).ToArray());
        }

        Assert.Equal(model.Sum(list => list.Count), watchers.Count);
        Assert.Equal(0, watchers.Of(10_000).Length);
    }
}
