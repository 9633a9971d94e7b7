using System.Buffers.Binary;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Messages packed into one frame: the room that there is, and the order of the calls.</summary>
public sealed class FramePackTests : IDisposable
{
    private const int MaxBody = 1_000; // bytes of a frame without its header

    private readonly FeedPipe _pipe = new();

    public void Dispose() => _pipe.Dispose();

    [Theory]
    [InlineData(2)]
    [InlineData(MaxBody + 1)]
    public void TryBeginPack_NoRoomForAMessageOrMoreThanAFrame_Throws(int bytes)
    {
        using FrameWriter writer = Create();
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.TryBeginPack(bytes, WritePriority.Medium));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(MaxBody)]
    public void TryBeginPack_RoomForAMessage_HoldsIt(int bytes)
    {
        using FrameWriter writer = Create();
        Assert.True(writer.TryBeginPack(bytes, WritePriority.Medium));
        Assert.Equal(bytes - 2, writer.PackRoom);
        Assert.False(writer.TryBeginPacked(bytes - 1, out _));
        Assert.True(writer.TryBeginPacked(bytes - 2, out Span<byte> room));
        room.Fill(5);
        writer.EndPacked(bytes - 2);
        Assert.Equal(0, writer.PackRoom);
        writer.EndPack();
        writer.Flush(_pipe);
        Assert.Equal(bytes + 3, BinaryPrimitives.ReadUInt16BigEndian(_pipe.Sent));
        Assert.Equal((0x12, bytes - 2), (_pipe.Sent[2], BinaryPrimitives.ReadUInt16BigEndian(_pipe.Sent[3..])));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(11)]
    public void EndPacked_OtherThanAskedFor_Throws(int bytes)
    {
        using FrameWriter writer = Create();
        Assert.True(writer.TryBeginPack(100, WritePriority.Medium));
        Assert.True(writer.TryBeginPacked(10, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.EndPacked(bytes));
    }

    [Fact]
    public void EndPacked_NoneOpen_Throws()
    {
        using FrameWriter writer = Create();
        Assert.True(writer.TryBeginPack(100, WritePriority.Medium));
        Assert.Throws<InvalidOperationException>(() => writer.EndPacked(1));
        Assert.True(writer.TryBeginPacked(10, out Span<byte> room));
        room.Clear();
        writer.EndPacked(10);
        Assert.Throws<InvalidOperationException>(() => writer.EndPacked(10)); // ended already
        writer.EndPack();
        Assert.Throws<InvalidOperationException>(() => writer.EndPack());
    }

    [Fact]
    public void TryBeginPack_MessageOrPackOpen_Throws()
    {
        using FrameWriter writer = Create();
        Assert.True(writer.TryBegin(10, WritePriority.Medium, out _));
        Assert.Throws<InvalidOperationException>(() => writer.TryBeginPack(100, WritePriority.Medium));
        writer.End(10);
        Assert.True(writer.TryBeginPack(100, WritePriority.Medium));
        Assert.Throws<InvalidOperationException>(() => writer.TryBeginPack(100, WritePriority.Medium));
    }

    private static FrameWriter Create() => new(FrameReaderTests.Info, TestChannels.Connect, new BufferPool(), null, recordBytes: 0);
}
