using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Queued frames: what is sent of them, in which order, and how many messages left whole.</summary>
public class FrameQueueTests
{
    private const int Segment = 256 * 1024;

    private readonly FrameQueue _queue = new(new BufferPool());

    [Fact]
    public void Unsent_SentInPieces_IsEveryByteInOrder()
    {
        List<byte> expected = [];
        List<byte> sent = [];
        Random random = new(3);
        for (int i = 0; i < 1_000; i++)
        {
            byte[] frame = QueuedFrames.Frame(random.Next(4, 3_000), i);
            _queue.Add(frame);
            expected.AddRange(frame);
            if (random.Next(3) == 0)
                Send(random.Next(1, 4_000), sent);
            Assert.Equal(expected.Count - sent.Count, _queue.Bytes);
        }

        while (_queue.Bytes > 0)
            Send(100_000, sent);
        Assert.True(expected.SequenceEqual(sent));
        Assert.Equal(0, _queue.Frames);
    }

    [Fact]
    public void MarkSent_PartOfAFrame_CountsItWithItsLastByte()
    {
        _queue.Add(QueuedFrames.Frame(10, 1));
        _queue.Add(QueuedFrames.Frame(20, 2));
        Assert.Equal((0, 2), (_queue.MarkSent(9), _queue.Frames));
        Assert.True(_queue.HeadIsCut);
        Assert.Equal((1, 1), (_queue.MarkSent(1), _queue.Frames));
        Assert.False(_queue.HeadIsCut);
        Assert.Equal((0, 1), (_queue.MarkSent(19), _queue.Frames));
        Assert.Equal((1, 0), (_queue.MarkSent(1), _queue.Frames));
        Assert.Equal(0, _queue.Bytes);
    }

    [Fact]
    public void MarkSent_FramesOfOtherCounts_CountsTheirMessages()
    {
        _queue.Add(QueuedFrames.Frame(10, 1));
        _queue.AddSpecial(QueuedFrames.Frame(10, 2), messages: 0); // a ping, or a part of a message
        _queue.AddSpecial(QueuedFrames.Frame(10, 3), messages: 7); // a pack
        _queue.Add(QueuedFrames.Frame(10, 4));
        Assert.Equal(1, _queue.MarkSent(19));
        Assert.Equal(0, _queue.MarkSent(10));
        Assert.Equal(7, _queue.MarkSent(1));
        _queue.AddSpecial(QueuedFrames.Frame(10, 5), messages: 3);
        Assert.Equal(1 + 3, _queue.MarkSent(20));
        Assert.Equal((0, 0L), (_queue.Frames, _queue.Bytes));
    }

    [Fact]
    public void MarkSent_EmptiedBetween_CountsSpecialFramesOfTheNextRound()
    {
        for (int round = 0; round < 1_000; round++)
        {
            _queue.Add(QueuedFrames.Frame(10, 1));
            _queue.Add(QueuedFrames.Frame(10, 2));
            Assert.Equal(2, _queue.MarkSent(20)); // without iteration: none is special
            _queue.AddSpecial(QueuedFrames.Frame(10, 3), messages: 5);
            _queue.Add(QueuedFrames.Frame(10, 4));
            Assert.Equal(5 + 1, _queue.MarkSent(20));
        }
    }

    /// <summary>Where only a part of the batch's last frame remains, all others are sent.</summary>
    [Theory]
    [InlineData(39, 2, 2)] // the second is complete with byte 40
    [InlineData(70, 3, 1)]
    [InlineData(71, 3, 1)]
    [InlineData(109, 3, 1)]
    [InlineData(110, 4, 0)]
    public void MarkSent_WithinABatch_CountsItsWholeFrames(int bytes, int messages, int frames)
    {
        _queue.AddBatch(10, 30, 30, 40);
        bool isInSecond = bytes < 40;
        Assert.Equal((isInSecond ? 1 : messages, isInSecond ? 3 : frames), (_queue.MarkSent(bytes), _queue.Frames));
        Assert.Equal(110 - bytes, _queue.Bytes);
        Assert.Equal(isInSecond ? 3 : frames, _queue.MarkSent(110 - bytes));
    }

    [Fact]
    public void MarkSent_FrameAfterTheBatch_IsCountedByItself()
    {
        _queue.AddBatch(10, 30);
        _queue.Add(QueuedFrames.Frame(50, 9));
        Assert.Equal((1, 2), (_queue.MarkSent(15), _queue.Frames));
        Assert.Equal((1, 1), (_queue.MarkSent(25), _queue.Frames));
        Assert.Equal((1, 0), (_queue.MarkSent(50), _queue.Frames));
    }

    [Fact]
    public void MarkSent_BatchInALaterSegment_CountsThoseBeforeItOneByOne()
    {
        while (_queue.Array.Length < Segment)
            _queue.Add(QueuedFrames.Frame(1_000, 1));
        int before = _queue.Frames;
        _queue.AddBatch(10, 30);
        Assert.Equal((2, before), (_queue.MarkSent(2_500), _queue.Frames));
        long messages = 2;
        while (_queue.Bytes > 0)
            messages += _queue.MarkSent(Math.Min(_queue.Unsent.Length, 700));
        Assert.Equal(before + 2, messages);
    }

    [Fact]
    public void MarkSent_PackBeforeTheBatch_CountsItsMessages()
    {
        _queue.AddSpecial(QueuedFrames.Frame(20, 1), messages: 6);
        _queue.AddBatch(10, 30);
        Assert.Equal((6 + 1, 1), (_queue.MarkSent(35), _queue.Frames));
        Assert.Equal((1, 0), (_queue.MarkSent(25), _queue.Frames));
    }

    [Fact]
    public void DequeueFrame_EachInTurn_TellsWhatWasSentOfIt()
    {
        _queue.Add(QueuedFrames.Frame(10, 1));
        _queue.AddSpecial(QueuedFrames.Frame(20, 2), messages: 4);
        _queue.MarkSent(3);
        ReadOnlySpan<byte> first = _queue.DequeueFrame(out int alreadySent, out int messages);
        Assert.Equal(QueuedFrames.Frame(10, 1), first.ToArray());
        Assert.Equal((3, 1, 20L, 1), (alreadySent, messages, _queue.Bytes, _queue.Frames));
        ReadOnlySpan<byte> second = _queue.DequeueFrame(out alreadySent, out messages);
        Assert.Equal(QueuedFrames.Frame(20, 2), second.ToArray());
        Assert.Equal((0, 4, 0L, 0), (alreadySent, messages, _queue.Bytes, _queue.Frames));
    }

    [Fact]
    public void Append_FramesOfAnotherQueue_KeepsPartsAndCounts()
    {
        _queue.Append(QueuedFrames.Frame(10, 1), alreadySent: 4, messages: 1);
        _queue.Append(QueuedFrames.Frame(20, 2), alreadySent: 0, messages: 9);
        Assert.True(_queue.HeadIsCut);
        Assert.Equal(26, _queue.Bytes);
        Assert.Equal([.. QueuedFrames.Frame(10, 1)[4..], .. QueuedFrames.Frame(20, 2)], _queue.Unsent.ToArray());
        Assert.Equal((1, 1), (_queue.MarkSent(6), _queue.Frames));
        Assert.Equal((9, 0), (_queue.MarkSent(20), _queue.Frames));
    }

    [Fact]
    public void MoveToFront_PartOfAFrameSent_KeepsTheRestAndGivesRoom()
    {
        _queue.AddBatch(10, 30, 40);
        Assert.Equal(1, _queue.MarkSent(15));
        byte[] rest = _queue.Unsent.ToArray();
        _queue.MoveToFront();
        Assert.Equal(rest, _queue.Unsent.ToArray());
        Assert.Equal((30 + 40, 65L, true), (_queue.End, _queue.Bytes, _queue.HeadIsCut));
        _queue.MoveToFront(); // is there already
        Assert.Equal(rest, _queue.Unsent.ToArray());
        Assert.Equal((1, 1), (_queue.MarkSent(25), _queue.Frames));
        Assert.Equal((1, 0), (_queue.MarkSent(40), _queue.Frames));
    }

    [Fact]
    public void MoveToFront_SeveralSegments_LeavesThemAsTheyAre()
    {
        List<byte> expected = [], sent = [];
        for (int i = 0; expected.Count < Segment + 10_000; i++)
        {
            byte[] frame = QueuedFrames.Frame(1_000, i);
            _queue.Add(frame);
            expected.AddRange(frame);
        }

        Send(2_500, sent);
        _queue.MoveToFront();
        while (_queue.Bytes > 0)
            Send(100_000, sent);
        Assert.True(expected.SequenceEqual(sent));
    }

    private void Send(int most, List<byte> sent)
    {
        ReadOnlySpan<byte> unsent = _queue.Unsent;
        unsent = unsent[..Math.Min(unsent.Length, most)];
        sent.AddRange(unsent);
        _queue.MarkSent(unsent.Length);
        if (_queue.Bytes == 0)
            _queue.Release();
    }
}
