using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public class MemoryWatchTests
{
    private const long Megabyte = 1 << 20;
    private static readonly MemoryUse Little = new(10 * Megabyte, 100 * Megabyte, 20 * Megabyte, 90 * Megabyte);

    [Fact]
    public void FindEnd_RoomLeft_IsNone() =>
        Assert.Null(new MemoryWatch(() => Little, () => throw new InvalidOperationException()).FindEnd(1));

    [Fact]
    public void FindEnd_ThisProcess_IsNone()
    {
        Assert.Null(new MemoryWatch().FindEnd(1));
        MemoryUse use = MemoryUse.Read();
        Assert.True(use.MaxHeap > 0 && use.MaxWorkingSet > use.WorkingSet && use.WorkingSet > 0, use.ToString());
    }

    [Theory]
    [InlineData(90, 50, "memory is nearly used up: the managed heap has 90 MB of 100 MB")]
    [InlineData(10, 91, "memory is nearly used up: the working set has 91 MB of 100 MB")]
    public void FindEnd_NineTenthsInUse_EndsTheRun(long heap, long workingSet, string reason)
    {
        MemoryUse much = Little with { Heap = heap * Megabyte, WorkingSet = workingSet * Megabyte };
        Assert.Equal(new RunOutcome(ExitCode.Incomplete, reason), new MemoryWatch(() => much, () => { }).FindEnd(1));
    }

    [Theory]
    [InlineData(84, 84, false, false)]
    [InlineData(86, 0, true, false)]
    [InlineData(0, 86, true, false)]
    [InlineData(89, 89, true, false)]
    [InlineData(90, 0, true, true)]
    [InlineData(0, 90, true, true)]
    public void Use_PartOfAHundredMegabytes_IsMuchAndNearlyAll(long heap, long workingSet, bool isMuch, bool isNearlyAll)
    {
        MemoryUse use = Little with { Heap = heap * Megabyte, WorkingSet = workingSet * Megabyte };
        Assert.Equal((isMuch, isNearlyAll), (use.IsMuch, use.IsNearlyAll));
    }

    [Fact]
    public void Describe_LargeMemory_IsInWholeMegabytes()
    {
        MemoryUse much = new(900_000 * Megabyte, 1_000_000 * Megabyte, 0, 2_000_000 * Megabyte);
        Assert.Equal("memory is nearly used up: the managed heap has 900000 MB of 1000000 MB", much.Describe());
    }

    [Fact]
    public void FindEnd_MostOfItGarbage_GoesOn()
    {
        MemoryUse use = Little with { Heap = 95 * Megabyte };
        Assert.Null(new MemoryWatch(() => use, () => use = Little).FindEnd(1));
        Assert.Equal(Little, use);
    }

    [Theory]
    [InlineData(2, false, 3)]
    [InlineData(3, true, 3)]
    public void Try_StepForWhichMemoryIsShort_IsDoneThreeTimesAtMost(int failures, bool fails, int expected)
    {
        int tries = 0;
        MemoryWatch watch = new(() => Little, () => { });
        Exception? thrown = Record.Exception(() => watch.Try(() =>
        {
            if (++tries <= failures)
                throw Activator.CreateInstance<OutOfMemoryException>();
        }));
        Assert.Equal((fails, expected, true), (thrown is not null, tries, watch.HasMadeRoom));
    }

    [Fact]
    public void FindEnd_AskedAgainSoon_DoesNotLook()
    {
        int looks = 0;
        MemoryWatch watch = new(() => { looks++; return Little; }, () => { });
        looks = 0;
        for (long now = 1; now < Clock.NanosPerSecond; now += Clock.NanosPerMilli)
            watch.FindEnd(now);
        Assert.Equal(4, looks);
    }
}
