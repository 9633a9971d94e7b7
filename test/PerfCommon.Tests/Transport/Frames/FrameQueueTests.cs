using System.Buffers.Binary;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Queued frames: what is sent of them, in which order, how many messages left whole, and the memory meanwhile.</summary>
public class FrameQueueTests
{
    private const int FirstSegment = 128 * 1024;
    private const int Segment = 256 * 1024;

    private readonly BufferPool _pool = new();
    private readonly FrameQueue _queue;

    public FrameQueueTests() => _queue = new FrameQueue(_pool);

    [Fact]
    public void Unsent_SentInPieces_IsEveryByteInOrder()
    {
        List<byte> expected = [];
        List<byte> sent = [];
        Random random = new(3);
        for (int i = 0; i < 1_000; i++)
        {
            byte[] frame = Frame(random.Next(4, 3_000), i);
            Add(frame);
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
        Add(Frame(10, 1));
        Add(Frame(20, 2));
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
        Add(Frame(10, 1));
        AddSpecial(Frame(10, 2), messages: 0); // a ping, or a part of a message
        AddSpecial(Frame(10, 3), messages: 7); // a pack
        Add(Frame(10, 4));
        Assert.Equal(1, _queue.MarkSent(19));
        Assert.Equal(0, _queue.MarkSent(10));
        Assert.Equal(7, _queue.MarkSent(1));
        AddSpecial(Frame(10, 5), messages: 3);
        Assert.Equal(1 + 3, _queue.MarkSent(20));
        Assert.Equal((0, 0L), (_queue.Frames, _queue.Bytes));
    }

    [Fact]
    public void MarkSent_EmptiedBetween_CountsSpecialFramesOfTheNextRound()
    {
        for (int round = 0; round < 1_000; round++)
        {
            Add(Frame(10, 1));
            Add(Frame(10, 2));
            Assert.Equal(2, _queue.MarkSent(20)); // without iteration: none is special
            AddSpecial(Frame(10, 3), messages: 5);
            Add(Frame(10, 4));
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
        AddBatch(10, 30, 30, 40);
        bool isInSecond = bytes < 40;
        Assert.Equal((isInSecond ? 1 : messages, isInSecond ? 3 : frames), (_queue.MarkSent(bytes), _queue.Frames));
        Assert.Equal(110 - bytes, _queue.Bytes);
        Assert.Equal(isInSecond ? 3 : frames, _queue.MarkSent(110 - bytes));
    }

    [Fact]
    public void MarkSent_FrameAfterTheBatch_IsCountedByItself()
    {
        AddBatch(10, 30);
        Add(Frame(50, 9));
        Assert.Equal((1, 2), (_queue.MarkSent(15), _queue.Frames));
        Assert.Equal((1, 1), (_queue.MarkSent(25), _queue.Frames));
        Assert.Equal((1, 0), (_queue.MarkSent(50), _queue.Frames));
    }

    [Fact]
    public void MarkSent_BatchInALaterSegment_CountsThoseBeforeItOneByOne()
    {
        while (_queue.Array.Length < Segment)
            Add(Frame(1_000, 1));
        int before = _queue.Frames;
        AddBatch(10, 30);
        Assert.Equal((2, before), (_queue.MarkSent(2_500), _queue.Frames));
        long messages = 2;
        while (_queue.Bytes > 0)
            messages += _queue.MarkSent(Math.Min(_queue.Unsent.Length, 700));
        Assert.Equal(before + 2, messages);
    }

    [Fact]
    public void MarkSent_PackBeforeTheBatch_CountsItsMessages()
    {
        AddSpecial(Frame(20, 1), messages: 6);
        AddBatch(10, 30);
        Assert.Equal((6 + 1, 1), (_queue.MarkSent(35), _queue.Frames));
        Assert.Equal((1, 0), (_queue.MarkSent(25), _queue.Frames));
    }

    [Fact]
    public void DequeueFrame_EachInTurn_TellsWhatWasSentOfIt()
    {
        Add(Frame(10, 1));
        AddSpecial(Frame(20, 2), messages: 4);
        _queue.MarkSent(3);
        ReadOnlySpan<byte> first = _queue.DequeueFrame(out int alreadySent, out int messages);
        Assert.Equal(Frame(10, 1), first.ToArray());
        Assert.Equal((3, 1, 20L, 1), (alreadySent, messages, _queue.Bytes, _queue.Frames));
        ReadOnlySpan<byte> second = _queue.DequeueFrame(out alreadySent, out messages);
        Assert.Equal(Frame(20, 2), second.ToArray());
        Assert.Equal((0, 4, 0L, 0), (alreadySent, messages, _queue.Bytes, _queue.Frames));
    }

    [Fact]
    public void Append_FramesOfAnotherQueue_KeepsPartsAndCounts()
    {
        _queue.Append(Frame(10, 1), alreadySent: 4, messages: 1);
        _queue.Append(Frame(20, 2), alreadySent: 0, messages: 9);
        Assert.True(_queue.HeadIsCut);
        Assert.Equal(26, _queue.Bytes);
        Assert.Equal([.. Frame(10, 1)[4..], .. Frame(20, 2)], _queue.Unsent.ToArray());
        Assert.Equal((1, 1), (_queue.MarkSent(6), _queue.Frames));
        Assert.Equal((9, 0), (_queue.MarkSent(20), _queue.Frames));
    }

    [Fact]
    public void MoveToFront_PartOfAFrameSent_KeepsTheRestAndGivesRoom()
    {
        AddBatch(10, 30, 40);
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
        Add(Frame(1_000, 0));
        foreach (int length in lengths)
        {
            while (_queue.Array.Length - _queue.End >= 1_000)
                Add(Frame(1_000, 1));
            Assert.Equal(length, _queue.Array.Length);
            Add(Frame(1_000, 2));
        }

        Assert.Equal(Segment, _queue.Array.Length); // a second segment
        Assert.Equal(1_000, _queue.End);
    }

    [Fact]
    public void Reserve_MoreThanFourfold_IsAsMuchAsNeeded()
    {
        Add(Frame(1_000, 1));
        _queue.Reserve(60_000);
        Assert.Equal(65_536, _queue.Array.Length);
        Assert.Equal(Frame(1_000, 1), _queue.Unsent.ToArray());
    }

    /// <summary>Bytes of an open frame stay before the room that is asked for.</summary>
    [Theory]
    [InlineData(2_000)] // the first segment grows
    [InlineData(FirstSegment)] // another segment follows
    public void Reserve_OpenBytes_AreKept(int queued)
    {
        while (_queue.End + 1_000 <= queued)
            Add(Frame(1_000, 1));
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
                Add(Frame(1_000, i));
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
            Add(Frame(1_000, i));
        _queue.Release();
        List<int> starts = [];
        for (int i = 0; i < 9; i++)
        {
            Add(Frame(10, i));
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
            Add(Frame(1_000, i));
        _queue.Release();
        Add(Frame(bytes, 1));
        _queue.Release();
        Add(Frame(10, 1));
        Assert.Equal(next, _queue.Array.Length);
    }

    [Fact]
    public void Release_PartOfABatchSent_ForgetsIt()
    {
        AddBatch(10, 30);
        AddSpecial(Frame(20, 1), messages: 8);
        _queue.MarkSent(5);
        _queue.Release();
        Assert.False(_queue.HeadIsCut);
        Add(Frame(10, 2));
        Assert.Equal(Frame(10, 2), _queue.Unsent.ToArray());
        Assert.Equal(1, _queue.MarkSent(10));
    }

    private static byte[] Frame(int bytes, int number)
    {
        byte[] frame = new byte[bytes];
        frame.AsSpan().Fill((byte)number);
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)bytes);
        return frame;
    }

    private void Add(byte[] frame)
    {
        _queue.Reserve(frame.Length);
        frame.CopyTo(_queue.Array, _queue.End);
        _queue.End += frame.Length;
        _queue.Frames++;
    }

    private void AddSpecial(byte[] frame, int messages)
    {
        _queue.Reserve(frame.Length);
        frame.CopyTo(_queue.Array, _queue.End);
        _queue.CommitSpecial(frame.Length, messages);
    }

    private void AddBatch(params int[] lengths)
    {
        int bytes = lengths.Sum();
        _queue.Reserve(bytes);
        int at = _queue.End;
        foreach (int length in lengths)
        {
            Frame(length, length).CopyTo(_queue.Array, at);
            at += length;
        }

        _queue.CommitBatch(bytes, lengths.Length, bytesBeforeLast: bytes - lengths[^1]);
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
