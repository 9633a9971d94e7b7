using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Room of a batch: as many messages as begun for, and encoded batches that fit whole.</summary>
public class SendBatchRoomTests
{
    [Fact]
    public void End_MoreMessagesThanBegunFor_Throws()
    {
        SendBatch batch = new(new byte[1_000], maxBytes: 10, maxMessages: 2, headBytes: 3);
        batch.End(10);
        Assert.True(batch.HasRoom);
        batch.End(1);
        Assert.Equal((false, 2, 17, 13), (batch.HasRoom, batch.Messages, batch.Bytes, batch.BytesBeforeLast));
        Assert.True(IsRefused(batch, 1));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(10, false)]
    [InlineData(11, true)]
    public void End_AnyLength_IsRefusedOutsideOfWhatWasAskedFor(int bytes, bool isRefused) =>
        Assert.Equal(isRefused, IsRefused(new SendBatch(new byte[1_000], maxBytes: 10, maxMessages: 2, headBytes: 3), bytes));

    [Theory]
    [InlineData(26, true)]
    [InlineData(25, false)] // the largest message would not fit
    public void HasRoom_BytesLeft_IsForTheLargestMessage(int roomBytes, bool hasRoom)
    {
        SendBatch batch = new(new byte[roomBytes], maxBytes: 10, maxMessages: 5, headBytes: 3);
        batch.End(10);
        Assert.Equal(hasRoom, batch.HasRoom);
    }

    /// <summary>Encoded messages are copied whole, of any length.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(1_021)] // 1,024 bytes with the head
    [InlineData(1_022)]
    [InlineData(2_045)]
    [InlineData(5_000)]
    public void TryAdd_EncodedMessages_CopiesEveryByte(int bytes)
    {
        SendBatch source = Made(bytes, messages: 2);
        SendBatch batch = new(new byte[(3 * (bytes + 3)) + 4], maxBytes: bytes, maxMessages: 4, headBytes: 3);
        batch.Room[0] = 0x77;
        batch.End(1);
        Assert.True(batch.TryAdd(source.Made));
        Assert.Equal((3, 4 + (2 * (bytes + 3)), 4 + bytes + 3), (batch.Messages, batch.Bytes, batch.BytesBeforeLast));
        Assert.True(batch.Made.Bytes[4..].SequenceEqual(source.Made.Bytes));
        Assert.Equal([0, 4, FrameLayout.DataFlag, 0x77], batch.Made.Bytes[..4].ToArray());
        Assert.True(batch.HasRoom);
    }

    [Theory]
    [InlineData(26, 2, 3, true)]
    [InlineData(25, 2, 3, false)] // a byte too few
    [InlineData(26, 1, 3, false)] // a message too many
    [InlineData(100, 2, 2, false)] // heads of another length
    [InlineData(100, 2, 0, false)] // one message alone, which gets its head later
    public void TryAdd_WhatDoesNotFit_IsRefusedWhole(int roomBytes, int maxMessages, int headBytes, bool fits)
    {
        SendBatch batch = new(new byte[roomBytes], maxBytes: 10, maxMessages, headBytes);
        Assert.Equal(fits, batch.TryAdd(Made(10, messages: 2).Made));
        Assert.Equal(fits ? (2, 26) : (0, 0), (batch.Messages, batch.Bytes));
    }

    private static SendBatch Made(int bytes, int messages)
    {
        SendBatch batch = new(new byte[messages * (bytes + 3)], bytes, messages, headBytes: 3);
        for (int i = 0; i < messages; i++)
        {
            for (int at = 0; at < bytes; at++)
                batch.Room[at] = (byte)(at + i + 1);
            batch.End(bytes);
        }

        return batch;
    }

    private static bool IsRefused(SendBatch batch, int bytes)
    {
        try
        {
            batch.End(bytes);
            return false;
        }
        catch (ArgumentOutOfRangeException)
        {
            return true;
        }
    }
}
