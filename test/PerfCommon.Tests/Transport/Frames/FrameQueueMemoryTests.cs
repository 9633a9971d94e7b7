using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>The memory of queued frames: it grows with them, is returned after them, and starts as large as it usually is.</summary>
public class FrameQueueMemoryTests
{
    private const int FirstSegment = 128 * 1024;
    private const int Segment = 256 * 1024;

    private readonly BufferPool _pool = new();
    private readonly FrameQueue _queue;

    public FrameQueueMemoryTests() => _queue = new FrameQueue(_pool);

    [Fact]
    public void Reserve_EmptyQueue_StartsSmall()
    {
        _queue.Reserve(100);
        Assert.Equal(2_048, _queue.Array.Length);
        _queue.Reserve(2_048);
        Assert.Equal(2_048, _queue.Array.Length); // just enough
        _queue.Reserve(2_049);
        Assert.Equal(4_096, _queue.Array.Length);
        Assert.Equal(2_048 + 4_096, _pool.HeldBytes);
    }

    [Fact]
    public void Reserve_WithBytesQueued_GrowsFourfoldToTheFirstSegmentsMaximum()
    {
        int[] lengths = [2_048, 8_192, 32_768, FirstSegment];
        _queue.Add(QueuedFrames.Frame(1_000, 0));
        foreach (int length in lengths)
        {
            while (_queue.Array.Length - _queue.End >= 1_000)
                _queue.Add(QueuedFrames.Frame(1_000, 1));
            Assert.Equal(length, _queue.Array.Length);
            _queue.Add(QueuedFrames.Frame(1_000, 2));
        }

        Assert.Equal(Segment, _queue.Array.Length); // a second segment
        Assert.Equal(1_000, _queue.End);
    }

    [Fact]
    public void Reserve_MoreThanFourfold_IsAsMuchAsNeeded()
    {
        _queue.Add(QueuedFrames.Frame(1_000, 1));
        _queue.Reserve(60_000);
        Assert.Equal(65_536, _queue.Array.Length);
        Assert.Equal(QueuedFrames.Frame(1_000, 1), _queue.Unsent.ToArray());
    }

    /// <summary>Bytes of an open frame stay before the room that is asked for.</summary>
    [Theory]
    [InlineData(2_000)] // the first segment grows
    [InlineData(FirstSegment)] // another segment follows
    public void Reserve_OpenBytes_AreKept(int queued)
    {
        while (_queue.End + 1_000 <= queued)
            _queue.Add(QueuedFrames.Frame(1_000, 1));
        (int end, byte[] array) = (_queue.End, _queue.Array);
        byte[] open = [1, 2, 3, 4, 5];
        open.CopyTo(_queue.Array.AsSpan(end));
        _queue.Reserve(10_000, openBytes: open.Length);
        Assert.NotSame(array, _queue.Array);
        Assert.Equal(open, _queue.Array.AsSpan(_queue.End, open.Length).ToArray());
        Assert.True(_queue.Array.Length - _queue.End >= 10_000);
    }

    [Fact]
    public void Release_AllSent_ReturnsEveryArray()
    {
        long heldBytes = 0;
        for (int round = 0; round < 100; round++)
        {
            heldBytes = round == 1 ? _pool.HeldBytes : heldBytes;
            for (int i = 0; i < 500; i++)
                _queue.Add(QueuedFrames.Frame(1_000, i));
            Assert.Equal(500_000, _queue.Bytes);
            _queue.Release();
            Assert.Equal((0L, 0, 0), (_queue.Bytes, _queue.Frames, _queue.Array.Length));
        }

        Assert.Equal(heldBytes, _pool.HeldBytes); // arrays of one round
    }

    /// <summary>A queue starts with the size it last grew to, and halves it at each release with few bytes.</summary>
    [Fact]
    public void Release_AfterLongQueues_RemembersTheUsualLength()
    {
        for (int i = 0; i < 100; i++)
            _queue.Add(QueuedFrames.Frame(1_000, i));
        _queue.Release();
        List<int> starts = [];
        for (int i = 0; i < 9; i++)
        {
            _queue.Add(QueuedFrames.Frame(10, i));
            starts.Add(_queue.Array.Length);
            _queue.Release();
        }

        Assert.Equal([131_072, 65_536, 32_768, 16_384, 8_192, 4_096, 2_048, 2_048, 2_048], starts);
    }

    [Theory]
    [InlineData(131_072 / 8, 131_072)] // an eighth in use keeps it
    [InlineData((131_072 / 8) - 1, 65_536)]
    public void Release_PartInUse_HalvesBelowAnEighth(int bytes, int next)
    {
        for (int i = 0; i < 100; i++)
            _queue.Add(QueuedFrames.Frame(1_000, i));
        _queue.Release();
        _queue.Add(QueuedFrames.Frame(bytes, 1));
        _queue.Release();
        _queue.Add(QueuedFrames.Frame(10, 1));
        Assert.Equal(next, _queue.Array.Length);
    }

    [Fact]
    public void Release_PartOfABatchSent_ForgetsIt()
    {
        _queue.AddBatch(10, 30);
        _queue.AddSpecial(QueuedFrames.Frame(20, 1), messages: 8);
        _queue.MarkSent(5);
        _queue.Release();
        Assert.False(_queue.HeadIsCut);
        _queue.Add(QueuedFrames.Frame(10, 2));
        Assert.Equal(QueuedFrames.Frame(10, 2), _queue.Unsent.ToArray());
        Assert.Equal(1, _queue.MarkSent(10));
    }
}
