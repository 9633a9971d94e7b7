using System.Buffers.Binary;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Messages written as frames: output buffers each needs, order over priorities, and compression.</summary>
public sealed class FrameWriterTests : IDisposable
{
    private const int MaxBody = 1_000; // bytes of a frame without its header
    private const int GatheredAtOnce = 32; // frames of several priorities

    private readonly BufferPool _pool = new();
    private readonly FeedPipe _pipe = new();

    public void Dispose() => _pipe.Dispose();

    /// <summary>A message is begun exactly where free buffers suffice for all its frames.</summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(MaxBody, 1)]
    [InlineData(MaxBody + 1, 2)]
    [InlineData(993 + 997, 2)] // the first fragment's header is of 10 bytes, the others' of 6
    [InlineData(993 + 997 + 1, 3)]
    [InlineData(993 + (2 * 997), 3)]
    [InlineData(993 + (2 * 997) + 1, 4)]
    [InlineData(993 + (6 * 997), 7)]
    public void TryBegin_AnyLength_NeedsABufferForEachFrame(int bytes, int frames)
    {
        const int Limit = 8;
        for (int free = 0; free <= Limit; free++)
        {
            using FrameWriter writer = Create(outputBuffers: Limit);
            for (int i = free; i < Limit; i++)
                Write(writer, 10);
            bool begun = writer.TryBegin(bytes, WritePriority.Medium, out Span<byte> room);
            Assert.Equal((free >= frames, begun ? bytes : 0), (begun, room.Length));
            if (!begun)
                continue;
            writer.End(bytes);
            Assert.Equal(Limit - free + frames, writer.FramesInUse);
        }
    }

    /// <summary>A message of more frames than there are buffers is begun when all of them are free.</summary>
    [Fact]
    public void TryBegin_MoreFramesThanBuffers_NeedsAllOfThem()
    {
        using FrameWriter writer = Create(outputBuffers: 3);
        Write(writer, 10);
        Assert.False(writer.TryBegin(20_000, WritePriority.Medium, out _));
        writer.Flush(_pipe);
        Write(writer, 20_000);
        Assert.Equal(21, writer.FramesInUse);
        Assert.False(writer.TryBegin(1, WritePriority.Medium, out _));
        writer.Flush(_pipe);
        Assert.Equal((0, 0), (writer.FramesInUse, writer.PendingBytes));
        Write(writer, 1);
    }

    /// <summary>Frames of several priorities are gathered up to 32 at a time: what is written later follows those.</summary>
    [Fact]
    public void Flush_ManyFramesOfSeveralPriorities_GathersThirtyTwo()
    {
        using FrameWriter writer = Create(outputBuffers: 200);
        for (int i = 0; i < 60; i++)
            Write(writer, 10, mark: 1);
        Write(writer, 10, WritePriority.High, mark: 2);
        _pipe.SendRoom = 0;
        writer.Flush(_pipe);
        Write(writer, 10, WritePriority.High, mark: 3);
        _pipe.SendRoom = int.MaxValue;
        writer.Flush(_pipe);
        List<byte> marks = Marks();
        Assert.Equal((62, 0, GatheredAtOnce), (marks.Count, marks.IndexOf(2), marks.IndexOf(3)));
        Assert.Equal((62, 0), (writer.MessagesSent, writer.FramesInUse));
    }

    /// <summary>A priority that the flush order does not name is sent after the others.</summary>
    [Theory]
    [InlineData(5)]
    [InlineData(100)]
    public void Flush_PriorityWithoutALetter_FollowsTheOthers(int count)
    {
        using FrameWriter writer = Create(outputBuffers: 300, flushOrder: "HM");
        for (int i = 0; i < count; i++)
        {
            Write(writer, 10, WritePriority.Low, mark: 3);
            Write(writer, 10, WritePriority.High, mark: 1);
        }

        writer.Flush(_pipe);
        Assert.Equal([.. Enumerable.Repeat((byte)1, count), .. Enumerable.Repeat((byte)3, count)], Marks());
        Assert.Equal((2 * count, 0, 0), (writer.MessagesSent, writer.FramesInUse, writer.PendingBytes));
    }

    [Fact]
    public void Flush_ManyFramesOfAPriorityWithoutALetter_GathersThirtyTwo()
    {
        using FrameWriter writer = Create(outputBuffers: 200, flushOrder: "HM");
        for (int i = 0; i < 60; i++)
            Write(writer, 10, WritePriority.Low, mark: 3);
        Write(writer, 10, WritePriority.High, mark: 1);
        _pipe.SendRoom = 13; // the frame of the high priority
        writer.Flush(_pipe);
        Write(writer, 10, WritePriority.High, mark: 2);
        _pipe.SendRoom = int.MaxValue;
        writer.Flush(_pipe);
        Assert.Equal((62, 0, 1 + GatheredAtOnce), (Marks().Count, Marks().IndexOf(1), Marks().IndexOf(2)));
    }

    /// <summary>Bodies from the threshold on are compressed, into what one frame holds besides its header.</summary>
    [Theory]
    [InlineData(9, false)]
    [InlineData(10, true)]
    [InlineData(MaxBody, true)]
    public void End_WithCompression_CompressesFromTheThresholdOn(int bytes, bool isCompressed)
    {
        PlainCompressor compressor = new();
        using FrameWriter writer = Create(compressor: compressor);
        Write(writer, bytes, mark: 7);
        writer.Flush(_pipe);
        if (isCompressed)
            Assert.Equal([0, 6, FrameLayout.CompressedFlag, (byte)(bytes >> 8), (byte)bytes, 7], _pipe.Sent.ToArray());
        else
            Assert.Equal([0, 12, FrameLayout.DataFlag, 7, 7, 7, 7, 7, 7, 7, 7, 7], _pipe.Sent.ToArray());
        Assert.Equal(isCompressed ? [MaxBody] : Array.Empty<int>(), compressor.Rooms);
    }

    [Fact]
    public void End_CompressedToOneByte_SendsIt()
    {
        using FrameWriter writer = Create(compressor: new PlainCompressor { Replacement = [0x55] });
        Write(writer, 20);
        writer.Flush(_pipe);
        Assert.Equal([0, 4, FrameLayout.CompressedFlag, 0x55], _pipe.Sent.ToArray());
    }

    [Fact]
    public void End_CompressedToMore_SendsAllOfIt()
    {
        byte[] larger = [.. Enumerable.Range(0, MaxBody).Select(i => (byte)i)];
        using FrameWriter writer = Create(compressor: new PlainCompressor { Replacement = larger });
        Write(writer, 20);
        writer.Flush(_pipe);
        Assert.Equal([3, 0xEB, FrameLayout.CompressedFlag, .. larger], _pipe.Sent.ToArray());
    }

    [Fact]
    public void End_ManyCompressed_NeedsNoMoreMemory()
    {
        using FrameWriter writer = Create(compressor: new PlainCompressor());
        Write(writer, 500);
        writer.Flush(_pipe);
        long held = _pool.HeldBytes;
        for (int i = 0; i < 1_000; i++)
        {
            Write(writer, 500);
            writer.Flush(_pipe);
        }

        Assert.Equal(held, _pool.HeldBytes);
    }

    /// <summary>A stream of compressed bodies must not be reordered: only the first priority that was compressed is.</summary>
    [Fact]
    public void End_OtherPriorityThanTheFirstCompressed_IsSentPlain()
    {
        PlainCompressor compressor = new();
        using FrameWriter writer = Create(compressor: compressor);
        Write(writer, 20);
        Write(writer, 20, WritePriority.High);
        Write(writer, 20);
        writer.Flush(_pipe);
        Assert.Equal(2, compressor.Rooms.Count);
        Assert.Equal(6 + 23 + 6, _pipe.Sent.Length);
    }

    /// <summary>Compressed fragments: each has its header before its compressed piece.</summary>
    [Fact]
    public void End_LongerThanAFrameWithCompression_CompressesEachFragment()
    {
        PlainCompressor compressor = new();
        using FrameWriter writer = Create(compressor: compressor);
        Write(writer, 1_500, mark: 7);
        writer.Flush(_pipe);
        byte[] first = [0, 13, FrameLayout.CompressedFlag | FrameLayout.ExtendedFlag, FrameLayout.FirstFragment, 0, 0, 5, 0xDC, 0, 1, 3, 0xE1, 7];
        byte[] next = [0, 9, FrameLayout.CompressedFlag | FrameLayout.ExtendedFlag, FrameLayout.ContinuationFragment, 0, 1, 1, 0xFB, 7];
        Assert.Equal([.. first, .. next], _pipe.Sent.ToArray());
        Assert.Equal([993, 997], compressor.Rooms);
    }

    /// <summary>The numbers of fragmented messages begin again at 1 after the largest that their field holds.</summary>
    [Theory]
    [InlineData(12, byte.MaxValue)]
    [InlineData(13, ushort.MaxValue)]
    public void End_MoreFragmentedMessagesThanNumbers_BeginsThemAgain(int version, int largest)
    {
        using FrameWriter writer = new(FrameReaderTests.Info with { ConnectionVersion = version }, TestChannels.Connect, _pool, null, recordBytes: 0);
        for (int i = 0; i < largest + 2; i++)
        {
            _pipe.ClearSent();
            Write(writer, MaxBody + 1);
            writer.Flush(_pipe);
            int id = largest == byte.MaxValue ? _pipe.Sent[8] : BinaryPrimitives.ReadUInt16BigEndian(_pipe.Sent[8..]);
            if (id != (i % largest) + 1)
                Assert.Fail($"message {i} has the number {id}");
        }
    }

    /// <summary>A layer that has encoded frames which the socket did not take yet must get the same ones again, before those of a higher priority.</summary>
    [Fact]
    public void SendMade_LayerHasEncodedWhatWaits_SendsThatBeforeAHigherPriority()
    {
        using FrameWriter writer = Create();
        byte[] frames = [0, 13, FrameLayout.DataFlag, .. Enumerable.Repeat((byte)1, 10), 0, 13, FrameLayout.DataFlag, .. Enumerable.Repeat((byte)2, 10)];
        EncodedBatch made = new(frames, messages: 2, bytesBeforeLast: 13, FrameLayout.HeaderBytes);
        Assert.True(writer.MaySendMade(made, 10));
        (_pipe.SendRoom, _pipe.LayerCommittedBytes) = (4, frames.Length - 4);
        Assert.Equal(PipeStatus.Wait, writer.SendMade(_pipe, made));
        Write(writer, 10, WritePriority.High, mark: 3);
        _pipe.SendRoom = int.MaxValue;
        writer.Flush(_pipe);
        Assert.Equal([1, 2, 3], Marks());
    }

    private FrameWriter Create(int outputBuffers = 10, string flushOrder = "HMHLHM", FrameCompressor? compressor = null) =>
        new(FrameReaderTests.Info, TestChannels.Connect with { OutputBuffers = outputBuffers, FlushOrder = flushOrder }, _pool, compressor, recordBytes: 0);

    private static void Write(FrameWriter writer, int bytes, WritePriority priority = WritePriority.Medium, byte mark = 0)
    {
        Assert.True(writer.TryBegin(bytes, priority, out Span<byte> room));
        room[..bytes].Fill(mark);
        writer.End(bytes);
    }

    // First byte of each plain frame that was sent.
    private List<byte> Marks()
    {
        List<byte> marks = [];
        for (ReadOnlySpan<byte> rest = _pipe.Sent; rest.Length > 0; rest = rest[BinaryPrimitives.ReadUInt16BigEndian(rest)..])
            marks.Add(rest[3]);
        return marks;
    }
}
