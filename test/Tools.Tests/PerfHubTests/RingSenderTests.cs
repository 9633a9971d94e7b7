using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Records from session threads to a source thread: in order also when they have to wait, and without memory when they do not.</summary>
[Trait("Category", "Fast")]
public sealed class RingSenderTests : IDisposable
{
    private readonly Worker _worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
    private readonly ByteRing _ring = new(1 << 20);
    private readonly RingSender _sender;

    public RingSenderTests() => _sender = new RingSender(_ring, new SleepFlag(_worker));

    public void Dispose() => _worker.Dispose();

    [Fact]
    public void Records_MoreThanTheRingHolds_WaitAndComeInOrder()
    {
        const int Records = 5_000;
        byte[] head = [1, 2, 3], message = new byte[1_000];
        int read = 0;
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < Records; i++)
            {
                if (i % 2 == 0)
                    _sender.Send(SessionRecord.ReissuePassThrough, i, head, message);
                else
                    _sender.Send(SessionRecord.ReissuePassThrough, i, (byte[])[.. head, .. message]);
            }

            Assert.True(_sender.IsFull);
            for (int i = 0; i < Records;)
            {
                _sender.Publish();
                while (_ring.TryRead(out RingRecord record))
                {
                    Assert.Equal((i++, (byte)SessionRecord.ReissuePassThrough), (record.Number, record.Kind));
                    Assert.Equal((byte[])[.. head, .. message], record.Bytes.ToArray());
                    read++;
                }

                _ring.Release();
            }

            Assert.False(_sender.IsFull);
            Assert.False(_sender.HasWork());
        }

        Assert.Equal(3 * Records, read);
    }

    [Fact]
    public void Record_ThatNeedNotWait_TakesNoMemory()
    {
        byte[] head = [1, 2, 3], message = new byte[1_000];
        long Allocated(int records)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < records; i++)
            {
                _sender.Send(SessionRecord.ReissuePassThrough, i, head, message);
                _sender.Publish();
                while (_ring.TryRead(out _))
                {
                }

                _ring.Release();
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Allocated(100);
        Assert.Equal(0, Allocated(1_000));
    }

    /// <summary>Publishers wait from half of the ring on, and go on when less is taken.</summary>
    [Fact]
    public void Ring_HalfFull_IsCrowdedUntilLessIsTaken()
    {
        byte[] message = new byte[1_000];
        int records = 0;
        Assert.False(_sender.IsCrowded);
        for (; !_sender.IsCrowded; records++)
        {
            Assert.False(_sender.IsFull);
            _sender.Send(SessionRecord.ReissuePassThrough, records, message);
            _sender.Publish();
        }

        Assert.False(_sender.IsFull);
        Assert.False(_sender.HasWork());
        while (_ring.TryRead(out _))
            records--;
        _ring.Release();
        Assert.Equal(0, records);
        Assert.True(_sender.HasWork());
        Assert.False(_sender.IsCrowded);
        Assert.False(_sender.HasWork());
    }
}
