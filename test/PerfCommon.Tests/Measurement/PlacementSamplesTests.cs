using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Measurement;

/// <summary>Samples of the processors on which a thread ran.</summary>
public class PlacementSamplesTests
{
    private const long Milli = Clock.NanosPerMilli;

    [Fact]
    public void Record_OftenWithinAMillisecond_SamplesOnce()
    {
        using PlacementSamples placement = new();
        for (long now = 0; now < 3 * Milli; now += Milli / 10)
            placement.Record(now);
        Assert.Equal(3, placement.Read().Count);
    }

    [Fact]
    public void Record_OnABoundThread_SeesItsProcessorAlone()
    {
        int processor = Usable()[^1];
        PlacementCounts counts = OnThread(placement =>
        {
            Assert.True(ThreadBinding.TryBindCurrentThread(processor));
            for (int i = 0; i < 100; i++)
                placement.Record(i * Milli);
        });
        Assert.Equal([(processor, 100.0)], counts.Parts);
        Assert.Equal(0, counts.Changes);
        if (OperatingSystem.IsLinux())
            Assert.True(counts.WaitNanos >= 0); // read while the thread existed
    }

    [Fact]
    public void Record_MovedBetweenProcessors_CountsEachChange()
    {
        int[] usable = Usable();
        Assert.SkipWhen(usable.Length < 2, "one processor");
        PlacementCounts counts = OnThread(placement =>
        {
            for (int i = 0; i < 4; i++)
            {
                Assert.True(ThreadBinding.TryBindCurrentThread(usable[i % 2]));
                placement.Record(i * Milli);
            }
        });
        Assert.Equal(3, counts.Changes);
        Assert.Equal([(usable[0], 50.0), (usable[1], 50.0)], counts.Parts);
    }

    [Fact]
    public void Record_AfterTheFirst_AllocatesNothing()
    {
        using PlacementSamples placement = new();
        placement.Record(0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 1; i < 10_000; i++)
            placement.Record(i * Milli);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Read_AfterTheThreadHasEnded_KeepsWhatWasReadLast()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "schedstat");
        using PlacementSamples placement = new();
        TestThread thread = new(() =>
        {
            placement.Record(0);
            placement.Read();
        });
        thread.Start();
        thread.Join();
        Assert.NotNull(placement.Read().WaitNanos);
    }

    [Fact]
    public void Counts_AddedAndSubtracted_AreThoseOfEachProcessor()
    {
        PlacementCounts first = new(new Dictionary<int, long> { [0] = 3, [5] = 1 }, 2, 100), second = new(new Dictionary<int, long> { [0] = 1 }, 1, 50);
        Assert.Equal([(0, 80.0), (5, 20.0)], (first + second).Parts);
        Assert.Equal((3L, 150L), ((first + second).Changes, (first + second).WaitNanos));
        Assert.Equal([(0, 100.0)], ((first + second) - first).Parts);
        Assert.Null((first + (second with { WaitNanos = null })).WaitNanos);
        Assert.Empty(PlacementCounts.None.Parts);
    }

    // Returns the counts of a thread, read before it ended.
    private static PlacementCounts OnThread(Action<PlacementSamples> run)
    {
        using PlacementSamples placement = new();
        PlacementCounts counts = PlacementCounts.None;
        Exception? failure = null;
        TestThread thread = new(() =>
        {
            failure = Record.Exception(() => run(placement));
            counts = placement.Read();
        });
        thread.Start();
        thread.Join();
        Assert.Null(failure);
        return counts;
    }

    private static int[] Usable() => [.. Enumerable.Range(0, 1_024).Where(processor =>
    {
        bool isUsable = false;
        TestThread trial = new(() => isUsable = ThreadBinding.TryBindCurrentThread(processor));
        trial.Start();
        trial.Join();
        return isUsable;
    }).Take(2)];
}
