using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class RecordRingTests
{
    [Fact]
    public void TryRead_WrittenRecords_ComeInOrder()
    {
        RecordRing<int> ring = new(3);
        Assert.Equal(4, ring.Capacity);
        for (int round = 0; round < 5; round++)
        {
            Assert.All(Enumerable.Range(0, 4), i => Assert.True(ring.TryWrite(i)));
            Assert.All(Enumerable.Range(0, 4), i => Assert.True(ring.TryRead(out int read) && read == i));
            Assert.False(ring.TryRead(out _));
        }
    }

    [Fact]
    public void TryWrite_Full_DropsAndCounts()
    {
        RecordRing<int> ring = new(2);
        Assert.Equal([true, true, false, false], Enumerable.Range(0, 4).Select(i => ring.TryWrite(i)));
        Assert.Equal(2, ring.DroppedCount);
        Assert.True(ring.TryRead(out int first) && first == 0);
        Assert.True(ring.TryWrite(9));
    }

    [Fact]
    public async Task TryRead_FromAnotherThread_SeesEveryRecordOnceInOrder()
    {
        const int Records = 200_000;
        RecordRing<LatencyRecord> ring = new(256);
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(TimeSpan.FromMinutes(5));
        Task writer = Task.Run(() => Write(ring, Records, limit.Token), limit.Token);
        long expected = 0;
        while (expected < Records && !limit.IsCancellationRequested)
        {
            if (ring.TryRead(out LatencyRecord record))
                Assert.Equal(new LatencyRecord(expected, -expected++), record);
            else
                Thread.Yield();
        }

        await writer.WaitAsync(limit.Token);
        Assert.Equal(Records, expected);
    }

    private static void Write(RecordRing<LatencyRecord> ring, int count, CancellationToken limit)
    {
        for (int i = 0; i < count; i++)
        {
            while (!ring.TryWrite(new LatencyRecord(i, -i)) && !limit.IsCancellationRequested)
                Thread.Yield();
        }
    }
}
