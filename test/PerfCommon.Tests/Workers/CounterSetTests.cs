using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public class CounterSetTests
{
    [Fact]
    public void Snapshot_SumAndDifference_CoverEveryCounter()
    {
        CounterSet set = new();
        foreach (Counter counter in Enum.GetValues<Counter>())
            set.Add(counter, 100 + (int)counter);
        CounterSnapshot once = set.Snapshot();
        Assert.All(Enum.GetValues<Counter>(), counter => Assert.Equal(2 * (100 + (int)counter), (once + once)[counter]));
        Assert.All(Enum.GetValues<Counter>(), counter => Assert.Equal(0, (once - once)[counter]));
        Assert.All(Enum.GetValues<Counter>(), counter => Assert.Equal(100 + (int)counter, (once - default(CounterSnapshot))[counter]));
    }

    [Fact]
    public void Snapshot_LaterAdditions_DoNotChangeIt()
    {
        CounterSet set = new();
        set.Add(Counter.UpdatesSent, 3);
        CounterSnapshot before = set.Snapshot();
        set.Add(Counter.UpdatesSent, 4);
        Assert.Equal((3, 7), (before[Counter.UpdatesSent], set[Counter.UpdatesSent]));
    }
}
