using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

public class LoadLogTests
{
    private static readonly DateTime Start = new(2026, 8, 1, 12, 0, 0, DateTimeKind.Utc);

    // Two processors, 200 ticks a second: idle in the first five seconds, then 150 of 200 busy, of which 1 s of 10 s (5 % of the machine)
    // is ours.
    [Fact]
    public void ForeignShare_Window_CountsNothingBeforeIt()
    {
        LoadLog load = CreateLog();
        Assert.Equal(0.70, load.ForeignShare(Start.AddSeconds(5), Start.AddSeconds(10), ownCpuSeconds: 0.5)!.Value, precision: 9);
        Assert.Equal(0, load.ForeignShare(Start, Start.AddSeconds(5), ownCpuSeconds: 0)!.Value, precision: 9);
    }

    [Fact]
    public void ForeignShare_TimesBetweenLooks_TakesTheNearest() =>
        Assert.Equal(0.75, CreateLog().ForeignShare(Start.AddSeconds(5.4), Start.AddSeconds(9.6), ownCpuSeconds: 0)!.Value, precision: 9);

    [Fact]
    public void ForeignShare_NoTwoLooks_IsUnknown()
    {
        LoadLog load = new();
        load.Add(Start, null);
        Assert.Null(load.ForeignShare(Start, Start.AddSeconds(1), 0));
        load.Add(Start, new ProcessorUse(0, 0, 2));
        Assert.Null(load.ForeignShare(Start, Start.AddSeconds(1), 0));
    }

    private static LoadLog CreateLog()
    {
        LoadLog load = new();
        for (int second = 0; second <= 10; second++)
        {
            load.Add(Start.AddSeconds(second),
                new ProcessorUse(BusyTicks: Math.Max(0, second - 5) * 150, AllTicks: second * 200, Processors: 2));
        }

        return load;
    }
}
